// Looks for facts to keep after every few turns, while nothing else is done: one request beside the Steps, given up as soon
// as a turn begins. Nothing is kept of what was said after text of strangers came in. A failure stays quiet.

import type { MemoryEdits } from "../agent/extractMemory.ts";
import { contentKey, parseMemory, withEntry, withoutLine, wordsOf } from "../agent/memoryText.ts";
import { memory } from "../agent/tools/memory.ts";
import type { TurnContext } from "../agent/turn.ts";
import type { MemoryKeeper } from "../ports/memory.ts";
import type { MemoryChange } from "../session/events.ts";
import type { TurnEnd } from "../session/live.ts";
import { withMasks } from "../session/modelView.ts";
import type { LiveSession } from "./liveSession.ts";

export interface MemoryExtraction {
	/** A turn has ended. Returns at once; what is looked for is looked for later. */
	turnEnded(end: Pick<TurnEnd, "status">): void;
	/** Something else begins: what is under way is given up, and tried again after the next turn. */
	giveUp(): void;
	/** The same, and resolves once it has ended. Never rejects. */
	stop(): Promise<void>;
}

export interface ExtractionParts {
	session: LiveSession;
	contextFor(signal: AbortSignal): TurnContext;
	keeper: MemoryKeeper;
	/** Completed turns between two looks; 0: none. */
	everyTurns: number;
	/** Whether the model that is asked can look for facts. */
	canAsk(): boolean;
}

/** The looks of one session. */
export function createMemoryExtraction(parts: ExtractionParts): MemoryExtraction {
	const { session, everyTurns, canAsk } = parts;
	let turns = 0;
	let from = session.state.history.length;
	let running: { controller: AbortController; done: Promise<void> } | undefined;

	const look = async (signal: AbortSignal) => {
		try {
			const upTo = session.state.history.length;
			const context = parts.contextFor(signal);
			if (!mayKeep(context)) return;
			// Most sessions end before the first look.
			const { extractMemory } = await import("../agent/extractMemory.ts");
			if (signal.aborted) return;
			const edits = await extractMemory(
				context,
				parts.keeper,
				withMasks(session.state.history.slice(from, upTo), session.state.masked),
			);
			if (!signal.aborted && mayKeep(context)) await keep(parts, edits);
			if (signal.aborted) return;
			[turns, from] = [0, upTo];
		} finally {
			running = undefined;
			await session.flush({ wait: false });
		}
	};
	const giveUp = () => running?.controller.abort(new Error("something else begins"));

	return {
		turnEnded({ status }) {
			if (status === "completed") turns++;
			// A rewind may have made the history shorter.
			from = Math.min(from, session.state.history.length);
			if (everyTurns === 0 || turns < everyTurns || running || !canAsk()) return;
			const controller = new AbortController();
			// A log that cannot be written says so by itself, at the next turn.
			const done = Promise.resolve(controller.signal)
				.then(look)
				.catch(() => undefined);
			running = { controller, done };
		},
		giveUp,
		async stop() {
			giveUp();
			await running?.done;
		},
	};
}

/** Whether a line may be kept without a question, now: not after text of strangers, in plan mode, or against a rule. */
function mayKeep(context: TurnContext): boolean {
	const { state } = context.session;
	if (state.taint.length > 0 || !context.tracker.check().ok) return false;
	const { name: tool, version, effects } = memory;
	const question = { tool, version, effects, args: { action: "add" }, resources: [] };
	const verdict = context.judge({ ...question, facts: { memory: "user" } }, state.grants);
	return verdict.verdict === "allow";
}

/** Writes the edits, records each changed line, and tells the person. */
async function keep({ session, keeper }: ExtractionParts, edits: readonly MemoryEdits[]): Promise<void> {
	const changes: MemoryChange[] = [];
	for (const { scope, adding, removing } of edits) {
		let done: Pick<MemoryChange, "action" | "text">[] = [];
		const written = await keeper.files.change(scope, ({ text }) => {
			const edited = applied(text, { adding, removing });
			done = edited.done;
			return { ok: true, value: edited.text };
		});
		if (!written.ok) continue;
		const { path, digest } = written.value.after;
		for (const one of done) changes.push({ scope, path, ...one, digest: digest ?? "", by: "extraction" });
	}
	if (changes.length === 0) return;
	for (const change of changes) keeper.record(change);
	session.tell({ type: "notice", text: noticeOf(changes) });
}

/** The text with the edits that still fit it, and what they were. */
function applied(
	text: string,
	{ adding, removing }: Pick<MemoryEdits, "adding" | "removing">,
): { text: string; done: Pick<MemoryChange, "action" | "text">[] } {
	const done: Pick<MemoryChange, "action" | "text">[] = [];
	let edited = text;
	for (const raw of removing) {
		const lines = parseMemory(edited);
		const index = lines.findIndex((line) => line.raw.trim() === raw);
		if (index < 0) continue;
		done.push({ action: "removed", text: wordsOf(lines[index]!) });
		edited = withoutLine(edited, index);
	}
	for (const entry of adding) {
		const key = contentKey(entry.content);
		if (parseMemory(edited).some((line) => contentKey(wordsOf(line)) === key)) continue;
		done.push({ action: "added", text: entry.content });
		edited = withEntry(edited, entry);
	}
	return { text: edited, done };
}

function noticeOf(changes: readonly MemoryChange[]): string {
	const told = (action: MemoryChange["action"]) =>
		changes.filter((change) => change.action === action).map(({ text }) => text);
	const [added, removed] = [told("added"), told("removed")];
	const parts = [
		...(added.length > 0 ? [`Remembered: ${added.join(" · ")}`] : []),
		...(removed.length > 0 ? [`Forgotten: ${removed.join(" · ")}`] : []),
	];
	return `${parts.join("; ")}; /memory to edit`;
}
