// Makes a checkpoint ready: plans it, has the summary written, joins it with what agi keeps by itself, and measures what it
// saves. Commits nothing.

import type { Command } from "../../session/commands.ts";
import type { CompactionCause } from "../../session/events.ts";
import { checkpointOf, viewEntries } from "../../session/modelView.ts";
import { accountOf, type HistoryItem, originOf, type SessionState } from "../../session/state.ts";
import { estimateSize, type TokenAccount } from "../../session/tokenAccount.ts";
import { toolSchemas } from "../tools/schemas.ts";
import type { TurnContext } from "../turn.ts";
import { assemble, renderHistory } from "./assemble.ts";
import { joinSections, readSections, type Sections, writeSections } from "./checkpointText.ts";
import { keptFacts, planLines } from "./keptFacts.ts";
import { type CompactionPlan, planCompaction, type TailRoom } from "./planCompaction.ts";
import { summarize } from "./summarize.ts";
import { estimateTokens, sizeOfMessage, sizeOfRequest, sumOfSizes } from "./tokenEstimator.ts";

/** Part of the window that the newest items may take beside a checkpoint, what is unread, and the checkpoint itself. */
const TAIL_SHARE = 0.08;
const UNREAD_SHARE = 0.4;
const CHECKPOINT_SHARE = 0.14;

/** Letters a token of the checkpoint's room: below the rule of thumb, so that it never takes more than its share. */
const LETTERS_A_TOKEN = 3;

/** Letters of a checkpoint below which it would say nothing, however small the window is. */
const LEAST_LETTERS = 2_000;

export type CheckpointDraft = Extract<Command, { do: "commitCheckpoint" }>;

export type Drafted =
	| { ok: true; draft: CheckpointDraft; leaving: number }
	/** `message` is a sentence; `nothing`: too little would leave the view; `no_gain`: the summary is as long as that. */
	| { ok: false; why: "nothing" | "no_gain" | "failed" | "cancelled"; message: string };

export interface DraftOptions {
	cause: CompactionCause;
	focus?: string;
	/** The window that has to hold it, in tokens. */
	window: number;
	/** Keep nothing of the newest items: where the usual tail was too long. */
	withoutTail?: boolean;
}

/** Tokens of the request that is owed now, as far as the account knows. */
export function requestTokens(context: TurnContext, state: SessionState = context.session.state): number {
	const request = assemble(state, {
		system: context.system,
		tools: toolSchemas(context.tools),
		contextWindow: context.limits.contextWindow,
	});
	return estimateSize(accountOf(state, context.modelConfig), sizeOfRequest(request));
}

/** A checkpoint of the session as it is now. Records the requests for its summary; rejects only where the log fails. */
export async function draftCheckpoint(context: TurnContext, options: DraftOptions): Promise<Drafted> {
	const { state } = context.session;
	const account = accountOf(state, context.modelConfig);
	const origin = originOf(context.modelConfig);
	const tokensOf = (item: HistoryItem) => tokensOfItem(account, item, origin);
	const before = requestTokens(context);
	const plan = planCompaction(state, tailRoom(state, options, tokensOf), tokensOf);
	const minGain = before * (context.compaction?.minGain ?? DEFAULT_MIN_GAIN);
	const leavingTokens = plan?.leaving.reduce((sum, item) => sum + tokensOf(item), 0) ?? 0;
	const older = checkpointOf(state.history);
	// Its headings alone cost something.
	if (!plan || leavingTokens < minGain + estimateTokens(writeSections({})))
		return { ok: false, why: "nothing", message: "There is too little that could be summed up." };
	const { viewVersion } = state;
	const { focus, window } = options;
	const summary = await summarize(context, plan.leaving, {
		window,
		...(older ? { before: older.summary } : {}),
		...(focus === undefined ? {} : { focus }),
	});
	if (!summary.ok && (summary.cancelled || options.cause !== "overflow"))
		return { ok: false, why: summary.cancelled ? "cancelled" : "failed", message: summary.failure.message };
	// An overflow leaves no other way: what agi keeps by itself stands alone then.
	const written: Sections[] = summary.ok ? summary.parts : [NOT_SUMMED_UP];
	const sections = joinSections(
		older ? readSections(older.summary) : {},
		[keptFacts(state, plan.leaving), ...written],
		Math.max(LEAST_LETTERS, window * CHECKPOINT_SHARE * LETTERS_A_TOKEN),
	);
	// The plan is told as it is now, whatever an older summary said of it.
	const text = writeSections({ ...sections, plan: planLines(state) });
	return measure(context, options, { plan, summary: text, before, minGain, viewVersion });
}

/** A person who asks for a summary has a reason, so a short conversation keeps only its end. */
function tailRoom(
	state: SessionState,
	{ cause, window, withoutTail }: DraftOptions,
	tokensOf: (item: HistoryItem) => number,
): TailRoom {
	if (withoutTail) return { tail: 0, unread: 0 };
	const unread = window * UNREAD_SHARE;
	if (cause !== "person") return { tail: window * TAIL_SHARE, unread };
	const all = viewEntries(state.history, state.masked).reduce((sum, { item }) => sum + tokensOf(item), 0);
	return { tail: Math.min(window * TAIL_SHARE, all / 4), unread };
}

/** Part of the request that a checkpoint has to save at least. */
export const DEFAULT_MIN_GAIN = 0.1;

const NOT_SUMMED_UP: Sections = {
	facts: ["The older messages could not be summed up; what is not told here has to be looked up again."],
};

/** The draft with what it saves, or the sentence that it saves too little. */
function measure(
	context: TurnContext,
	{ cause, focus }: DraftOptions,
	made: { plan: CompactionPlan; summary: string; before: number; minGain: number; viewVersion: number },
): Drafted {
	const { summary } = made;
	const { upTo, kept, leaving } = made.plan;
	const draft: CheckpointDraft = {
		do: "commitCheckpoint",
		version: made.viewVersion,
		cause,
		...(focus === undefined ? {} : { focus }),
		upTo,
		kept,
		summary,
		tokensBefore: made.before,
		tokensAfter: tokensWith(context, { summary, upTo, kept }),
	};
	if (draft.tokensBefore - draft.tokensAfter < Math.max(1, made.minGain))
		return {
			ok: false,
			why: "no_gain",
			message: "A summary would be about as long as what it stands for.",
		};
	return { ok: true, draft, leaving: leaving.length };
}

/** Tokens of the request with that checkpoint in place. */
export function tokensWith(
	context: TurnContext,
	checkpoint: Pick<CheckpointDraft, "summary" | "upTo" | "kept">,
): number {
	const { state } = context.session;
	const { summary, upTo, kept } = checkpoint;
	const item: HistoryItem = { kind: "checkpoint", checkpointId: "", summary, upTo, kept };
	return requestTokens(context, { ...state, history: [...state.history, item] });
}

/** An item by itself; a result is measured here and not with its call. */
function tokensOfItem(account: TokenAccount, item: HistoryItem, origin: string): number {
	const messages =
		item.kind === "tool"
			? [{ role: "user" as const, text: item.text }]
			: renderHistory([item], origin).filter((message) => message.role !== "tool");
	return estimateSize({ weights: account.weights }, sumOfSizes(messages.map(sizeOfMessage)));
}
