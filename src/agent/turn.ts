// What one Turn works with. Everything the loop may touch is named here, as ports and small values; the composition
// root fills it, a subagent gets a narrowed copy.

import type { Verdict } from "../policy/evaluate.ts";
import type { Grant } from "../policy/grants.ts";
import type { PolicyQuestion } from "../policy/policyQuestion.ts";
import type { Model } from "../ports/model.ts";
import type { SessionWriter } from "../ports/session.ts";
import type { AnyTool, ToolContext } from "../ports/tool.ts";
import type { World } from "../ports/world.ts";
import type { ModelConfig } from "../session/events.ts";
import type { ApprovalAnswer, ApprovalPrompt } from "../session/live.ts";
import type { FileStamp, ModelLimits, Usage } from "../types.ts";
import type { Breaker, RetryPolicy } from "./retry.ts";
import type { UsageTracker } from "./usage.ts";

/** Asks a person, or answers for one. Absent in a headless run: every question is then a denial. */
export type Approver = (question: ApprovalPrompt, signal: AbortSignal) => Promise<ApprovalAnswer>;

/** The tools of a session: what the model sees and what runs. The list never changes within a session. */
export interface Toolset {
	/** Also finds a tool that is not offered but can say what it lacks. */
	get(name: string): AnyTool | undefined;
	/** Those that the model is offered. */
	names(): string[];
}

/** Keeps what calls are about to change, so that a person can take it back. Shared with subagents. */
export interface UndoKeeper {
	/**
	 * Records what stands where these calls, which have effects, will write; a call without `before` may write anywhere.
	 * The facts are part of the session's next commit. No effect may begin before `kept` has resolved; it rejects where a
	 * copy cannot be stored. `session` is the one whose calls these are, a subagent's maybe.
	 */
	keep(
		calls: readonly { before?: readonly FileStamp[] }[],
		session: SessionWriter,
	): Promise<{ kept: Promise<void> }>;
}

/** Whether the request that is owed fits the window. */
export type Room =
	| { kind: "fits" }
	| { kind: "cancelled" }
	/** The request cannot be made to fit; `message` names what fills the window and the way out. */
	| { kind: "cannot"; message: string };

export interface TurnContext {
	/** `agi`, or the subagent's name. */
	agent: string;
	session: SessionWriter;
	world: World;
	model: Model;
	modelConfig: ModelConfig;
	limits: ModelLimits;
	/** False where the model takes no images: they are only named to it. */
	takesImages?: boolean;
	/** Cost of an Attempt in USD; undefined where the price is not known. */
	costOf(usage: Usage): number | undefined;
	system: string;
	tools: Toolset;
	/** A fresh context for one call of a tool. */
	toolContext(callId: string, signal: AbortSignal): ToolContext;
	/** The policy with everything it knows of mode, trust and flags filled in. */
	judge(question: PolicyQuestion, grants: readonly Grant[]): Verdict;
	approver?: Approver;
	/** Writes an allow rule into the person's own settings file, for good. Absent where there is no such file. */
	keepRule?(rule: string): Promise<{ ok: true } | { ok: false; message: string }>;
	/** The source of text of unknown intent that a call's result brings in; undefined where it brings none. */
	taintSource?(question: PolicyQuestion): string | undefined;
	/** Puts down in the sessions above this one that such text came in. */
	taintParents?(source: string): void;
	/** Takes known secrets out of a text before it is logged or sent. */
	redact(text: string): string;
	tracker: UsageTracker;
	/** False where the turn's counters go on: in a subagent, and where a program says so. */
	startNewTurn: boolean;
	retry: RetryPolicy;
	/** Counts failed Attempts in a row over all turns; shared with subagents. */
	breaker: Breaker;
	/** Arguments that hold a secret, by call id: the log has them redacted, the call runs with these. */
	rawArguments: Map<string, Record<string, unknown>>;
	/** When older parts are summed up: at a part of the window, where at least a part of the request is saved. */
	compaction?: { threshold?: number; minGain?: number };
	/** Makes room in place of `context/makeRoom.ts`, where a log tells what room was made. */
	makeRoom?(): Promise<Room>;
	/** Records what changed in the world that the model was told of; called before each step. */
	observe?(): void | Promise<void>;
	/** Absent where nothing is kept for undo. */
	keeper?: UndoKeeper;
	/** Epoch milliseconds after which no new Attempt or call begins. */
	deadline?: number;
	signal: AbortSignal;
}
