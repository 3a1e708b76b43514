// The words that every room shares: modes, usage, tool outcomes, model failures, the callbacks of `runAgent`.
// No logic lives here, except the one error class that all rooms throw.

/** What a remembered line is about. */
export type MemoryCategory = "preference" | "fact" | "instruction";

/** All categories, in the order in which they are offered. */
export const MEMORY_CATEGORIES: readonly MemoryCategory[] = ["preference", "fact", "instruction"];

/** Whose memory: the project's `.agent/MEMORY.md`, or USER.md of the user's folder. */
export type MemoryScope = "project" | "user";

/** Something that is kept over sessions. */
export interface Memory {
	/** One line. */
	content: string;
	category: MemoryCategory;
	/** ISO day. */
	createdAt: string;
}

/** What is asked before an effect. Its meaning is in docs/modes.md; `policy/evaluate.ts` is its only judge. */
export type Mode = "default" | "acceptEdits" | "plan" | "bypassPermissions";

/** All modes, in the order in which they are shown. */
export const MODES: readonly Mode[] = ["default", "acceptEdits", "plan", "bypassPermissions"];

/** Tokens of one Attempt, or a sum of several. `inputTokens` holds the cached ones, `outputTokens` the reasoning ones. */
export interface Usage {
	inputTokens: number;
	outputTokens: number;
	cachedInputTokens: number;
	reasoningTokens: number;
}

/** Kinds of failure that a model can act on. `INTERNAL` is a fault of agi itself, never of the tool. */
export type ToolErrorType =
	| "INVALID_ARGUMENT"
	| "UNKNOWN_TOOL"
	| "DENIED"
	| "NOT_FOUND"
	| "CONFLICT"
	| "TOO_LARGE"
	| "TIMEOUT"
	| "CANCELLED"
	| "OUTCOME_UNKNOWN"
	| "LIMIT"
	| "FAILED"
	| "INTERNAL";

/** An error as the model reads it. `fields` names the arguments at fault, each with what is wrong with it. */
export interface ToolError {
	type: ToolErrorType;
	message: string;
	retryable: boolean;
	fields?: Record<string, string>;
	/** The person said a plain no while it ran, to a call of the subagent behind it: its turn ends, as for a no to itself. */
	saidNo?: true;
}

/** The five ends of a tool call; every call has exactly one. */
export type ToolStatus = "result" | "error" | "denied" | "cancelled" | "outcome_unknown";

/** Identity and content of a file at one moment; `digest` is the SHA-256 of its bytes in hex, null where there is no file. */
export interface FileStamp {
	/** Real absolute path. */
	path: string;
	digest: string | null;
	size?: number;
	/** Modification time in nanoseconds, as a decimal string. */
	mtimeNs?: string;
	inode?: string;
}

/** How a tool call ended. Tools return this and never throw into the loop. */
export interface ToolOutcome {
	status: ToolStatus;
	/** What the model, the screen and the log get (before the bound of `toolResults.ts`). Never empty. */
	text: string;
	error?: ToolError;
	/** Files as this call left or saw them: the base of the stale-read check. */
	observed?: FileStamp[];
	/** Where text of unknown intent in it came from, where only the run could tell. */
	taint?: string;
	/** How many bytes of what it is about are missing from the middle of `text`; absent where all of it is there. */
	lostBytes?: number;
}

/** Why the model stopped, in canonical words. */
export type FinishReason = "stop" | "tool_calls" | "length" | "refusal" | "content_filter" | "error";

/** A tool call as it came over the wire, arguments unparsed. */
export interface RawToolCall {
	/** The server's id, or one made by the adapter where the server sent none. Unique within one reply. */
	id: string;
	name: string;
	/** The argument text; `{}` where the server sent nothing. May be invalid JSON. */
	arguments: string;
}

/** Where a server put its reasoning: in a field of this name, or into the text itself, between tags or as parts. */
export type ReasoningPlace = "reasoning_content" | "reasoning" | "content";

/** Everything one Attempt brought back, whole or cut off. */
export interface ModelReply {
	text: string;
	reasoning: string;
	/** Absent where nothing was reasoned. */
	reasoningPlace?: ReasoningPlace;
	calls: RawToolCall[];
	/** Absent where the stream ended without saying so. */
	finish?: FinishReason;
	/** Absent where the server told none. */
	usage?: Usage;
	/** The server's own id of the reply, its model name and other facts worth keeping. */
	metadata?: Record<string, unknown>;
}

/** Kinds of model failure; each decides whether the same request may be sent again. */
export type ModelFailureKind =
	| "rate_limit"
	| "overloaded"
	| "network"
	| "timeout"
	| "auth"
	| "invalid_request"
	| "context_overflow"
	| "cancelled"
	| "unknown";

/** A failed Attempt, told for a person. `message` is one sentence and holds no secret. */
export interface ModelFailure {
	kind: ModelFailureKind;
	message: string;
	/** Whether the same prepared request may be sent again. */
	retryable: boolean;
	/** HTTP status, where there was one. */
	status?: number;
	/** The server's own code, such as `overloaded`. */
	code?: string;
	/** How long the server asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** The window that an overflow error told, in tokens. */
	contextWindow?: number;
}

/** A tool as a model sees it: a name, a description and a JSON Schema; no executor. */
export interface ToolSchema {
	name: string;
	description: string;
	inputSchema: Record<string, unknown>;
}

/** Limits of a model in tokens. */
export interface ModelLimits {
	contextWindow: number;
	outputReserve: number;
	/** Nobody told the window; it may be larger. */
	assumed?: true;
}

/** What a person is asked before an effect, as the callbacks of `runAgent` show it. */
export interface ToolApprovalRequest {
	/** A subagent's with its name before it, as `reviewer.readFile`. */
	toolName: string;
	args: Record<string, unknown>;
	/** Why it is asked. */
	reason: string;
	/** A diff or other preview, ready to show. */
	preview?: string;
}

/** A tool call as the callbacks of `runAgent` tell it. */
export interface ToolCallInfo {
	toolCallId: string;
	toolName: string;
	args: Record<string, unknown>;
}

/** The token meter: tokens of the current context, the window, and their relation in percent. */
export interface TokenUsageInfo {
	inputTokens: number;
	outputTokens: number;
	totalTokens: number;
	contextWindow: number;
	threshold: number;
	percentage: number;
	/** True where the server told no usage and the numbers are agi's estimate. */
	estimated: boolean;
	/** Of a request of a subagent: its name. Its tokens count, but they fill a context of its own. */
	subagent?: string;
}

/** What a program hears of a run. Every member is optional; without `onToolApproval` each question is answered no. */
export interface AgentCallbacks {
	onToken?(token: string): void;
	/** Text shown so far belongs to a failed Attempt: take it back. */
	onTextWithdrawn?(text: string): void;
	onToolCallStart?(name: string, args: Record<string, unknown>): void;
	onToolCallEnd?(name: string, result: string): void;
	onToolApproval?(request: ToolApprovalRequest): Promise<boolean>;
	onTokenUsage?(usage: TokenUsageInfo): void;
	onComplete?(response: string): void;
}

/** Exit codes of the program; see docs/headless.md. */
export type ExitCode = 0 | 1 | 2 | 41 | 42 | 44 | 52 | 53 | 54 | 130 | 143;

/**
 * An end that no caller can mend: bad input, a broken log, a missing key. `message` is a sentence for the person with
 * the way out; `exitCode` is what the program ends with when nobody catches it.
 */
export class AgiError extends Error {
	readonly code: string;
	readonly exitCode: ExitCode;
	/** The session that it is about, where scripts have to know. */
	readonly sessionId: string | undefined;
	/** What happened, without the way out, where a copy of `sessionId` is one: a person at a screen is asked instead. */
	readonly copyOffer: string | undefined;

	constructor(
		code: string,
		message: string,
		options: { exitCode?: ExitCode; cause?: unknown; sessionId?: string; copyOffer?: string } = {},
	) {
		super(message, options.cause === undefined ? undefined : { cause: options.cause });
		this.name = "AgiError";
		this.code = code;
		this.exitCode = options.exitCode ?? 1;
		this.sessionId = options.sessionId;
		this.copyOffer = options.copyOffer;
	}
}
