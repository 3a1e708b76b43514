// What the screen shows at one moment, as plain data. All text in it has passed the terminal's filter, but for the fields
// named `raw…`, which must pass it before they are drawn. Only `reduce.ts` and the files it calls write it.

import type { SessionGreeting, ShownModel, ShownSandbox } from "../../rpc/protocol.ts";
import type { Attachment, PlanItem } from "../../session/events.ts";
import type { Mode } from "../../types.ts";
import { MARKDOWN_START, type MarkdownState } from "./markdown.ts";
import { oneLine } from "./oneLine.ts";
import type { StyledLine } from "./style.ts";

/** What a block of the transcript is; blocks of different kinds have an empty line between them. */
export type BlockKind = "person" | "answer" | "call" | "note" | "plan" | "unfolded";

/** A piece of the transcript, already brought to the width of its moment. Never changed once it is there. */
export interface Block {
	id: number;
	kind: BlockKind;
	lines: readonly StyledLine[];
}

/** A result or other text that was shown in part; Ctrl+O prints it whole. */
export interface Folded {
	title: string;
	text: string;
	kind: "plain" | "diff" | "reasoning";
}

/** A tool call that has no end yet. */
export interface CallView {
	callId: string;
	name: string;
	/** The argument that says most, on one line: a command, a path. */
	title: string;
	/** `checked`: not begun. */
	phase: "checked" | "asking" | "running";
	/** Epoch milliseconds of its last change of phase. */
	since: number;
	/** The last lines that it wrote. */
	tail: readonly string[];
	/** What a subagent behind it did, one line each. */
	children: readonly string[];
	/** How many lines of `children` were dropped. */
	childrenBefore: number;
	/** The change as a unified diff, where it is one. */
	diff?: string;
	/** The question about a call in doubt: the dialog shows it, and the transcript gets it with the answer. */
	asked?: string;
	rawTail: string;
	rawArgs: Record<string, unknown>;
}

/** What streams now. */
export interface StreamView {
	/** Rows of the line that is not complete, and of a table that waits for its end. */
	partial: readonly StyledLine[];
	markdown: MarkdownState;
	/** Source after the last line end. */
	rawRest: string;
	/** Deltas that no flush has moved yet. */
	rawGathered: string;
	/** Whether the open Attempt's text came as deltas: the fact that ends it must not show it again. */
	hasText: boolean;
	/** Whether it was taken back already. */
	isWithdrawn: boolean;
	/** Reasoning that no block tells of yet. */
	rawReasoning: string;
	reasoningLines: number;
	/** Whether the open Attempt's reasoning came as deltas. */
	hasReasoned: boolean;
	/** When its reasoning began, and the last delta came; epoch milliseconds. */
	reasoningSince?: number;
	lastAt?: number;
	/** The call that the model is writing. */
	callNamed?: string;
}

/** What the model is waited for. `untilMs` where the end is known. */
export interface WaitView {
	for: "model" | "retry" | "queue";
	detail: string;
	since: number;
	untilMs?: number;
}

/** A message that waits for its turn. */
export interface QueuedView {
	messageId: string;
	/** As the person wrote it, since it can go back into the editor. */
	rawText: string;
	/** What came with it, in words. */
	attached?: string | undefined;
	/** Images that only it brings: they go with its text. */
	images?: readonly Attachment[];
	/** What it waits for: the running turn's next step, or the turn after it. */
	target: "next_step" | "next_turn";
}

/** Messages in the order in which they leave: for the next step first. */
export function inLeavingOrder(queue: readonly QueuedView[]): QueuedView[] {
	return [
		...queue.filter(({ target }) => target === "next_step"),
		...queue.filter(({ target }) => target === "next_turn"),
	];
}

/** The question that is open, ready to draw. */
export type PromptView =
	| {
			kind: "approval";
			callId: string;
			agent: string;
			toolName: string;
			reason: string;
			grantable: boolean;
			/** The whole command, diff or arguments. */
			body: string;
			bodyKind: "plain" | "diff";
			/** Of a command: where it would run and what it could reach; `isFree`: nothing confines it. */
			place?: { text: string; isFree: boolean };
	  }
	| { kind: "question"; callId: string; question: string; options: readonly string[]; secret: boolean };

/** A line that goes away by itself. */
export interface NoticeView {
	text: string;
	untilMs: number;
}

/** What lies over the input line. */
export type OverlayName = "help" | "picker";

export interface Size {
	columns: number;
	rows: number;
}

/** What the screen shows. */
export interface ViewState {
	cwd: string;
	/** Empty outside of git. */
	branch: string;
	trusted: boolean;
	sandbox: ShownSandbox;
	/** What the model is called on the screen. */
	model: string;
	size: Size;
	/** Append-only; a block's id is its place. */
	blocks: readonly Block[];
	stream: StreamView;
	calls: readonly CallView[];
	wait: WaitView | undefined;
	busy: boolean;
	/** When the open turn began. */
	turnSince: number;
	/** The first words of what each turn was begun for, by the turn's id. */
	turnTexts: ReadonlyMap<string, string>;
	/** Those for the next step first, each kind in its order. */
	queue: readonly QueuedView[];
	plan: readonly PlanItem[];
	isPlanShown: boolean;
	/** Oldest first. */
	prompts: readonly PromptView[];
	mode: Mode;
	title: string;
	/** `estimated`: `tokens` is agi's own count, no server's. */
	meter: { tokens: number; window: number; threshold: number; estimated?: boolean };
	/** Null where a price is unknown. */
	costUsd: number | null;
	notices: readonly NoticeView[];
	/** Oldest first; the last one is unfolded next. */
	folded: readonly Folded[];
	overlay: OverlayName | undefined;
	/** Epoch milliseconds, as of the last event. */
	now: number;
}

/** Nothing streams. */
export const STREAM_START: StreamView = {
	partial: [],
	markdown: MARKDOWN_START,
	rawRest: "",
	rawGathered: "",
	hasText: false,
	isWithdrawn: false,
	rawReasoning: "",
	reasoningLines: 0,
	hasReasoned: false,
};

/** How a model is called on the screen: the embedded one must never pass for an AI. */
export function modelLabel({ model, offline }: Pick<ShownModel, "model" | "offline">): string {
	return offline ? "offline model, not an AI" : oneLine(model);
}

/** The view of a session with nothing in its transcript yet. `threshold`: share of the window at which room is made. */
export function emptyView(greeting: SessionGreeting, size: Size, now: number, threshold = 0.8): ViewState {
	return {
		size,
		cwd: oneLine(greeting.cwd),
		branch: oneLine(greeting.branch ?? ""),
		trusted: greeting.trusted,
		sandbox: greeting.sandbox,
		model: modelLabel(greeting),
		blocks: [],
		stream: STREAM_START,
		calls: [],
		wait: undefined,
		busy: false,
		turnSince: now,
		turnTexts: new Map(),
		queue: [],
		plan: [],
		isPlanShown: true,
		prompts: [],
		mode: greeting.mode,
		title: "",
		meter: {
			tokens: greeting.state.contextTokens,
			window: greeting.contextWindow,
			threshold,
			estimated: greeting.state.contextEstimated,
		},
		costUsd: 0,
		notices: [],
		folded: [],
		overlay: undefined,
		now,
	};
}
