// The facts of a session, one type each. What is not in the log did not happen; what is in it can be rebuilt.
// Names and meaning are a promise to every log ever written: a change needs a new version in `upcast.ts`.

import type {
	FileStamp,
	FinishReason,
	MemoryScope,
	Mode,
	ModelFailure,
	RawToolCall,
	ReasoningPlace,
	ToolError,
	ToolStatus,
	Usage,
} from "../types.ts";
import type { TokenSize } from "./tokenAccount.ts";

/** The version of the log's lines. */
export const LOG_VERSION = 1;

/** Which model a Step asks, frozen at its start. No key is in it. */
export interface ModelConfig {
	model: string;
	/** Profile name, such as `openai` or `custom`. */
	profile: string;
	baseUrl: string;
	/** Context window in tokens, as far as known at that moment. */
	contextWindow: number;
}

/** How recovery treats a started call whose end is not in the log; see ARCHITECTURE.md. */
export type RecoverySemantics = "none" | "idempotent" | "reconcile" | "manual";

/** A thing that a call reads or writes; calls whose resources clash never overlap. */
export interface Resource {
	kind: "file" | "tree" | "process" | "network" | "session";
	/** A real path for files and trees, a host for the network, a name else. */
	key: string;
	access: "read" | "write";
}

/** One entry of a plan that the model keeps with `updatePlan`. */
export interface PlanItem {
	content: string;
	status: "pending" | "in_progress" | "completed";
}

/** A call of the model after its arguments were read. `providerId` is what goes back over the wire. */
export interface AcceptedCall {
	callId: string;
	providerId: string;
	name: string;
	args: Record<string, unknown>;
}

/** One part of a request: what kind, where from, how much. Its content is in the request itself. */
export interface ContributionRef {
	kind: string;
	source: string;
	/** For whom or what it holds; absent where it is agi's own, for everybody. */
	scope?: "user" | "project" | "session";
	trust: "agi" | "person" | "workspace" | "outside";
	hash: string;
	tokens: number;
}

/** A request body as its difference to the session's previous one; lengths in UTF-16 units. */
export interface BodyDelta {
	prefix: number;
	suffix: number;
	/** The changed middle, or the SHA-256 of a blob that holds it. */
	middle: string | { blob: string };
}

/**
 * What stood at a path at one moment, so that it can be put back. `path` is relative to the workspace with `/`, absolute
 * outside of it. The content is kept beside the sessions under `digest`; `unkept` says why it is not.
 */
export interface FileImage {
	path: string;
	kind: "none" | "file" | "folder" | "link" | "other";
	/** SHA-256 of a file's bytes, or of a link's target, in hex. */
	digest?: string;
	/** Permission bits of a file or folder. */
	mode?: number;
	/** In bytes, of a file. */
	size?: number;
	unkept?: string;
}

/** What a turn, or a rewind, made of one path. `doubt` says why it may have been somebody else. */
export interface FileChange {
	before: FileImage;
	after: FileImage;
	doubt?: string;
}

/**
 * Something that came with a message: a file, folder or session that it names, an image, a skill that the person started.
 * Never the person's own words.
 */
export interface Attachment {
	kind: "file" | "folder" | "session" | "image" | "skill";
	/** Where it is from, as shown: a path, a session's id, a skill's name. */
	source: string;
	/** What the model reads of it; "" for an image. */
	text: string;
	/** Whether `text` is only a part of it. */
	cut: boolean;
	/** SHA-256 in hex of what stood there; an image's names its blob. */
	digest: string;
	/** Of an image; its size in pixels. */
	image?: { mediaType: string; width: number; height: number };
	/** Of a file that is attached whole: it counts as read. */
	stamp?: FileStamp;
}

/** What an Attempt outside of a Step belongs to: a summary of older parts, or a look for facts to keep. */
export interface AttemptOwner {
	kind: "checkpoint" | "memory";
	id: string;
}

/** Why an older part of the conversation was summed up. */
export type CompactionCause = "threshold" | "overflow" | "person";

/** Text that stands in the model's history before the session's first turn (programs that bring their own). */
export type SeedMessage =
	| { role: "user"; text: string }
	| { role: "assistant"; text: string; calls: { id: string; name: string; args: Record<string, unknown> }[] }
	| { role: "tool"; id: string; name: string; text: string };

export type TurnStatus = "completed" | "failed" | "cancelled" | "blocked";

/** Why a Turn ended otherwise than completed; decides the exit code of a headless run. */
export type TurnEndCode =
	| "limit"
	| "auth"
	| "model"
	| "cancelled"
	| "denied"
	| "interrupted"
	| "refusal"
	| "context"
	| "person_needed"
	| "storage"
	| "internal";

export type SessionEvent =
	// session
	| {
			type: "session/created";
			sessionId: string;
			cwd: string;
			projectId: string;
			agiVersion: string;
			/** The day of its start (ISO), as the system prompt tells it: it must not change on resume. */
			startedOn: string;
			mode: Mode;
			parent?: { sessionId: string; callId: string; agent: string };
			seed?: SeedMessage[];
	  }
	| {
			type: "session/forked";
			from: { sessionId: string; seq: number };
			/** Numbers of this log's commits right before which the original had some that could not be read. */
			gaps?: number[];
	  }
	| { type: "session/renamed"; title: string }
	// inbox
	| {
			type: "user/message";
			messageId: string;
			text: string;
			origin: "person" | "parent" | "program";
			attachments?: Attachment[];
	  }
	| { type: "inbox/enqueued"; messageId: string; target: "next_step" | "next_turn"; wakeup: boolean }
	/** The person's answer to an open question: no Step takes it, only the end of the call that asked. */
	| { type: "inbox/enqueued"; target: "question"; questionId: string; answer: string }
	| { type: "inbox/included"; messageIds: string[]; stepId: string }
	| { type: "inbox/released"; messageIds: string[]; stepId: string }
	| { type: "inbox/cancelled"; messageIds: string[] }
	/** It waits right before that other one now. */
	| { type: "inbox/moved"; messageId: string; before: string }
	// turn, step
	| {
			type: "turn/start";
			turnId: string;
			source: { kind: "inbox"; messageIds: string[] } | { kind: "recovery" };
	  }
	| { type: "turn/end"; turnId: string; status: TurnStatus; code?: TurnEndCode; reason?: string }
	| { type: "step/start"; stepId: string; turnId: string; model: ModelConfig; claimed: string[] }
	| { type: "step/end"; stepId: string; outcome: "answer" | "tools" | "failed" | "cancelled" | "interrupted" }
	// attempt
	| {
			type: "request/prepared";
			requestId: string;
			/** "" where `owner` is set. */
			stepId: string;
			owner?: AttemptOwner;
			/** The model that is asked, where no Step tells. */
			model?: ModelConfig;
			/** SHA-256 in hex of the body as it goes over the wire. */
			digest: string;
			bytes: number;
			delta: BodyDelta;
			contributions: ContributionRef[];
			/** Its size by rule of thumb; what the server counts is held against it. */
			size?: TokenSize;
	  }
	| {
			type: "attempt/start";
			attemptId: string;
			/** "" where `owner` is set. */
			stepId: string;
			owner?: AttemptOwner;
			requestId: string;
			backoffMs?: number;
	  }
	| {
			type: "attempt/end";
			attemptId: string;
			owner?: AttemptOwner;
			outcome: "accepted" | "rejected" | "failed" | "cancelled" | "interrupted";
			text: string;
			reasoning: string;
			/** Absent where there is none, and in older logs. */
			reasoningPlace?: ReasoningPlace;
			calls: RawToolCall[];
			finish?: FinishReason;
			usage?: Usage;
			/** True where the server told no usage and the numbers are an estimate. */
			usageEstimated?: boolean;
			failure?: ModelFailure;
			metadata?: Record<string, unknown>;
			durationMs: number;
	  }
	| {
			type: "assistant/accepted";
			messageId: string;
			attemptId: string;
			/** Only where it is not the Attempt's own text: the joined text of an answer that was cut and went on. */
			text?: string;
			calls: AcceptedCall[];
	  }
	// tools
	| {
			type: "tool/call";
			callId: string;
			stepId: string;
			name: string;
			args: Record<string, unknown>;
			/** The argument text as sent, kept where it was no JSON object. */
			invalidArguments?: string;
			toolVersion: number;
			effects: "none" | "possible";
			recovery: RecoverySemantics;
	  }
	| {
			type: "policy/decided";
			callId: string;
			verdict: "allow" | "ask" | "deny";
			reason: string;
			/** The rule that decided, by its name. */
			rule: string;
	  }
	| {
			type: "approval/requested";
			approvalId: string;
			callId: string;
			/** SHA-256 over tool, version and canonical arguments. */
			digest: string;
			reason: string;
			resources: Resource[];
			/** A diff or other preview, as shown to the person. */
			preview?: string;
	  }
	| {
			type: "approval/resolved";
			approvalId: string;
			callId: string;
			answer: "yes" | "yes_session" | "yes_always" | "no" | "cancelled" | "expired";
			/** What the person wants instead. */
			words?: string;
			/** The only hunks of a write that were accepted, from 0. */
			hunks?: number[];
			/** What the person had written instead of the proposal, redacted. */
			amended?: string;
			by: "person" | "program" | "agi";
			/** ISO time after which a yes that was not used no longer counts. */
			expiresAt?: string;
	  }
	| {
			type: "tool/start";
			callId: string;
			idempotencyKey: string;
			/** Files this call will write, as they are now and as they will be: what recovery compares. */
			before?: FileStamp[];
			after?: FileStamp[];
			/** Of a tool that can have effects: this call is known to have none. */
			onlyReads?: true;
	  }
	| {
			type: "tool/result";
			callId: string;
			status: ToolStatus;
			/** Bounded, redacted, unwrapped: the same text for screen, model and callbacks. */
			text: string;
			error?: ToolError;
			observed?: FileStamp[];
			artifactId?: string;
			durationMs: number;
	  }
	// work
	| { type: "plan/replaced"; items: PlanItem[] }
	| { type: "mode/changed"; mode: Mode; by: "person" | "program" }
	/** `rule`: short form of the allow rule that holds for the session; absent where the exact call does. */
	| { type: "grant/added"; tool: string; digest: string; label: string; rule?: string }
	| { type: "completion/rejected"; stepId: string; reason: string }
	| {
			type: "question/asked";
			questionId: string;
			callId: string;
			question: string;
			options: string[];
			secret: boolean;
			/** Only one of the options is an answer. */
			freeText?: false;
	  }
	/** The question is over: its call took the answer out of the inbox, or agi gave up on one. */
	| { type: "question/answered"; questionId: string; callId: string; answer: string; by: "person" | "agi" }
	| {
			type: "subagent/changed";
			callId: string;
			agent: string;
			sessionId: string;
			status: "started" | "completed" | "failed" | "cancelled";
			usage?: Usage;
	  }
	// knowledge
	| {
			type: "artifact/created";
			artifactId: string;
			callId: string;
			digest: string;
			bytes: number;
			summary: string;
	  }
	| { type: "taint/set"; source: string }
	/** A file that tells how to work here, as the model is told of it: its text, or null once it is gone. */
	| {
			type: "document/observed";
			path: string;
			/** SHA-256 in hex of `text`; "" for one that is gone. */
			digest: string;
			/** Of the whole file. */
			bytes: number;
			/** Whether `text` is only its beginning. */
			cut: boolean;
			/** False: it came with a folder that the person does not trust. */
			trusted: boolean;
			text: string | null;
			/** The folder for whose files it speaks, relative to the workspace, where a tool came there later. */
			below?: string;
			/** What it is where it is no file of instructions; `text` is then what the model is told of it. */
			kind?: "memory" | "skills";
			/** What the model is told of a change, where that is not the whole text anew. */
			notice?: string;
	  }
	/** A line of memory was written or taken out. */
	| {
			type: "memory/changed";
			scope: MemoryScope;
			/** As shown: relative to the workspace where it is inside. */
			path: string;
			action: "added" | "replaced" | "removed" | "edited";
			/** The entry's words: what was added or removed, or stands there now; "" for a file edited as a whole. */
			text: string;
			/** SHA-256 in hex of the file afterwards. */
			digest: string;
			by: "model" | "person" | "extraction";
	  }
	/** The model was given a skill's instructions: by a call, or with a message. */
	| {
			type: "skill/loaded";
			name: string;
			/** Of its SKILL.md, as shown. */
			path: string;
			/** SHA-256 in hex of the file's text. */
			digest: string;
			/** False: it came with a folder that the person does not trust. */
			trusted: boolean;
			/** The `callId` or `messageId` of the item that holds its text. */
			itemId: string;
			/** Real path of a folder outside of the workspace whose files may be read from now on: the person's own skill. */
			folder?: string;
	  }
	/** A summary stands for older items in the model's view; the history keeps them. */
	| {
			type: "checkpoint/committed";
			checkpointId: string;
			cause: CompactionCause;
			focus?: string;
			/** It stands for the items of the history before this index… */
			upTo: number;
			/** …but these, which stay word for word. */
			kept: number[];
			summary: string;
			/** Estimated tokens of the request without it and with it. */
			tokensBefore: number;
			tokensAfter: number;
	  }
	/** `tokens`: estimated, of the request without it. */
	| { type: "checkpoint/undone"; checkpointId: string; tokens?: number }
	/** The model sees a mark in place of the text of this message, answer or result; or sees it again. */
	| {
			type: "item/masked";
			/** A `messageId`, or the `callId` of a result. */
			itemId: string;
			masked: boolean;
			/** Of the text, by rule of thumb; the mark tells them. */
			tokens: number;
			/** Of the next request, estimated; absent in older logs and of a program's mark. */
			contextTokens?: number;
			by: "person" | "program";
	  }
	/** Every checkpoint leaves this message, answer or result word for word; or no longer does. */
	| { type: "item/pinned"; itemId: string; pinned: boolean; by: "person" | "program" }
	/** What stood where the open Turn is about to write. */
	| {
			type: "file/snapshotted";
			turnId: string;
			images: FileImage[];
			/** A tool that may change anything follows: whether the whole tree is kept, and if not, why. */
			tree?: { kept: true } | { kept: false; why: string };
	  }
	/** What a Turn's files are after it. */
	| {
			type: "file/changed";
			turnId: string;
			/** Lines as `session/fileChanges.ts` writes them. */
			changes: string;
			/** Why what commands did is not part of it, though the tree was kept before them. */
			why?: string;
	  }
	// undo
	| {
			type: "session/rewound";
			rewindId: string;
			/** The first Turn that was taken back. */
			toTurnId: string;
			/** What was put back, as lines of `session/fileChanges.ts`; recorded before it was done. */
			changes: string;
			/** Whether the model's history went back to the start of that Turn. */
			conversation: boolean;
			/** What the last request that is left took of the window, where the history went. */
			context?: { tokens: number; estimated: boolean };
			/** The rewind that this one takes back: a redo. */
			undoes?: string;
			/** Its files were not touched yet; `rewind/finished` tells that they are. */
			filesFollow?: true;
	  }
	/** A rewind's files are put back; `changes`: only these are, because something failed or agi was ended. */
	| { type: "rewind/finished"; rewindId: string; changes?: string }
	// recovery
	| { type: "recovery/continuation"; interruptedTurnId: string; notes: string[] };

export type SessionEventType = SessionEvent["type"];

/** The event of one type. */
export type EventOf<T extends SessionEventType> = Extract<SessionEvent, { type: T }>;

/** A change of memory, as whoever made it records it. */
export type MemoryChange = Omit<EventOf<"memory/changed">, "type">;

/** A document as it was observed. `text` null: it is gone. */
export type ObservedDocument = Omit<EventOf<"document/observed">, "type">;

/** A skill as it was loaded. */
export type LoadedSkill = Omit<EventOf<"skill/loaded">, "type">;

/** One line of a log: all of its events happened, or none. */
export interface Commit {
	v: number;
	/** Rises by one from 1. */
	seq: number;
	/** ISO time in UTC. */
	at: string;
	events: SessionEvent[];
}
