// What a session is at one moment, as its events say. Only `reduce.ts` writes it; everybody else reads.

import type {
	FileStamp,
	FinishReason,
	Mode,
	ModelFailure,
	ReasoningPlace,
	ToolStatus,
	Usage,
} from "../types.ts";
import type {
	AcceptedCall,
	Attachment,
	AttemptOwner,
	EventOf,
	FileImage,
	LoadedSkill,
	ModelConfig,
	ObservedDocument,
	PlanItem,
	RecoverySemantics,
	Resource,
	TurnEndCode,
	TurnStatus,
} from "./events.ts";
import { type TokenAccount, type TokenSize, UNKNOWN_TOKENIZER } from "./tokenAccount.ts";

/** One entry of the model's history. A request is rendered from these and from nothing else. */
export type HistoryItem =
	| { kind: "user"; messageId: string; text: string; attachments?: Attachment[] }
	/** Told by agi, never the person's words; assembly renders them. */
	| { kind: "modeChange"; mode: Mode }
	| { kind: "recovery"; notes: string[] }
	/** The person took back what was done to these files; `redo`: took that back again. */
	| { kind: "rewind"; paths: string[]; redo: boolean }
	/** A document of the workspace changed. */
	| { kind: "document"; document: ObservedDocument }
	/** Stands in the model's view for the items before `upTo`, save `kept`; see `modelView.ts`. */
	| {
			kind: "checkpoint";
			checkpointId: string;
			summary: string;
			upTo: number;
			kept: number[];
			undone?: true;
	  }
	| {
			kind: "assistant";
			messageId: string;
			text: string;
			reasoning: string;
			/** Where its server put the reasoning; absent in older logs. */
			reasoningPlace?: ReasoningPlace;
			/** The model that wrote it; its reasoning goes back to no other. */
			origin: string;
			calls: AcceptedCall[];
	  }
	| { kind: "tool"; callId: string; providerId: string; name: string; status: ToolStatus; text: string };

/** New input that waits for a safe point, or that an open Step has claimed. */
export interface InboxMessage {
	messageId: string;
	text: string;
	attachments?: Attachment[];
	origin: EventOf<"user/message">["origin"];
	target: "next_step" | "next_turn";
	wakeup: boolean;
	/** The Step that claimed it; absent while it is pending. */
	stepId?: string;
}

/** A tool call of the open Step, from its acceptance to its end. */
export interface OpenCall extends AcceptedCall {
	effects: "none" | "possible";
	recovery: RecoverySemantics;
	toolVersion: number;
	invalidArguments?: string;
	verdict?: "allow" | "ask" | "deny";
	approval?: {
		approvalId: string;
		digest: string;
		reason: string;
		resources: Resource[];
		preview?: string;
		expiresAt?: string;
		answer?: EventOf<"approval/resolved">["answer"];
		words?: string;
		/** The yes was to a part of the write, or to another text. */
		revised?: true;
	};
	started?: { idempotencyKey: string; before: FileStamp[]; after: FileStamp[]; onlyReads?: true };
	/** The open question to the person; `answer`: in the inbox for this call, which takes it with its end. */
	question?: { questionId: string; secret: boolean; answer?: string };
	/** What the person answered; never a secret. */
	answer?: string;
	/** The session of the subagent that works for it. */
	childId?: string;
	/** Set once it ended. */
	status?: ToolStatus;
}

export interface OpenStep {
	stepId: string;
	model: ModelConfig;
	claimed: string[];
	/** Attempts so far, the open one included. */
	attempts: number;
	/** Checkpoints that were made within it. */
	checkpoints: number;
	/** Failures in a row since the last usable reply. */
	failures: number;
	lastFailure?: ModelFailure;
	/** An answer that the output limit cut: what came so far and how often it was asked to go on. */
	cut?: { text: string; times: number; insideCall: boolean };
	/** Why the last Attempt's reply was not accepted, where that ends the Step. */
	refused?: { finish: FinishReason; text: string };
	/** The accepted message; its calls follow. */
	messageId?: string;
	calls: OpenCall[];
}

/** A call that failed: tool and canonical arguments in one text, the kind of error, and how often. See `repeats.ts`. */
export interface RepeatedFailure {
	call: string;
	error: string;
	/** In how many Steps. */
	times: number;
	/** The last of them. */
	stepId: string;
}

export interface OpenTurn {
	turnId: string;
	messageIds: string[];
	steps: number;
	/** Calls that failed and would fail again: nothing has happened since that could change it. */
	failures: RepeatedFailure[];
	/** Set once a Step ended with an answer, a failure or a cancel. */
	lastStep?: EventOf<"step/end">["outcome"];
	/** A person's plain No: the Turn ends once every call has its end. */
	denied?: boolean;
}

/** The whole of a result of which the model got head and tail; `digest` names its blob. */
export type ArtifactEntry = Omit<EventOf<"artifact/created">, "type">;

/** Where a conversation stood at one moment. */
interface Conversation {
	history: HistoryItem[];
	plan: PlanItem[];
	contextTokens: number;
	contextEstimated: boolean;
	seen: Map<string, FileStamp>;
}

/** A Turn as undo knows it. */
export interface TurnEntry {
	kind: "turn";
	turnId: string;
	messageIds: string[];
	/** What the person asked for. */
	text: string;
	/** Length of the model's history at its start. */
	historyLength: number;
	plan: PlanItem[];
	contextTokens: number;
	contextEstimated: boolean;
	/** Stamps as they were before this Turn set them anew, by path. */
	seenBefore: Map<string, FileStamp | undefined>;
	/** First images that were kept, in order. */
	images: FileImage[];
	/** How many of them were kept before the whole tree was; absent where no tree was. */
	treeAfter?: number;
	/** Why the tree as a whole was not kept, though a call may have changed anything. */
	treeRefused?: string;
	/** Set once the Turn's files were looked at after it. */
	changes?: string;
	/** False once a rewind took it out of the model's history. */
	inConversation: boolean;
}

/** A rewind, or a redo where `undoes` is set. */
export interface RewindEntry {
	kind: "rewind";
	rewindId: string;
	toTurnId: string;
	changes: string;
	undoes?: string;
	/** Its files are not all put back, as far as the log knows. */
	filesFollow?: true;
	/** Only a part of its files was put back. */
	isPartial?: true;
	/** What the conversation was before it, where it changed the conversation. */
	cut?: Conversation & { turnIds: string[] };
}

export type TimelineEntry = TurnEntry | RewindEntry;

export interface SessionState {
	sessionId: string;
	cwd: string;
	projectId: string;
	title: string;
	startedOn: string;
	parent?: NonNullable<EventOf<"session/created">["parent"]>;
	mode: Mode;
	/** The mode in which plan mode was turned on; absent where it never was, or the session began in it. */
	modeBeforePlan?: Mode;
	/** The highest number of each kind of id; the next id is one more. */
	made: {
		turn: number;
		step: number;
		attempt: number;
		request: number;
		message: number;
		approval: number;
		question: number;
		rewind: number;
		checkpoint: number;
	};
	callIds: Set<string>;
	inbox: InboxMessage[];
	turn?: OpenTurn;
	step?: OpenStep;
	attempt?: { attemptId: string; stepId: string };
	/** The open Attempt that belongs to no Step. */
	aside?: { attemptId: string; owner: AttemptOwner };
	/** Rises with whatever changes the model's view of older items: a checkpoint, its undo, a rewind. */
	viewVersion: number;
	/** The last ended Attempt's text and reasoning: what `assistant/accepted` accepts. */
	lastReply: { text: string; reasoning: string; reasoningPlace?: ReasoningPlace };
	history: HistoryItem[];
	/** What the person took out of the model's sight, by item id, with the tokens that the mark tells. */
	masked: Map<string, number>;
	/** What every checkpoint has to keep word for word, by item id. */
	pinned: Set<string>;
	plan: PlanItem[];
	/** The documents that are part of the instructions. */
	documents: ObservedDocument[];
	/** The oldest first. */
	artifacts: ArtifactEntry[];
	/** Skills that were loaded, the oldest first; the history may no longer hold their texts. */
	skills: LoadedSkill[];
	/** What the person allowed for the session: exact calls, or what a rule covers. */
	grants: { tool: string; digest: string; label: string; rule?: string }[];
	usage: Usage;
	/** Tokens that the last accepted request and its reply took of the window; 0 before the first. */
	contextTokens: number;
	/** Whether `contextTokens` is agi's own estimate. */
	contextEstimated: boolean;
	/** What is known of each model's tokenizer, by `originOf`. */
	accounts: Map<string, TokenAccount>;
	/** Windows that servers named when they refused a request as too long, in tokens, by `originOf`. */
	windows: Map<string, number>;
	/** The size of the last request that was prepared, and the model it goes to; absent where the log does not tell. */
	prepared?: { size: TokenSize; origin: string };
	/** Last stamp of each file read or written, by real path. */
	seen: Map<string, FileStamp>;
	taint: string[];
	/** An interrupted Turn was closed and nothing has begun since: its work can be gone on with. */
	continuation?: { turnId: string };
	/** Turns and rewinds in order; only `timeline.ts` knows its ways. */
	timeline: TimelineEntry[];
	lastTurn?: { turnId: string; status: TurnStatus; code?: TurnEndCode; reason?: string; answer: string };
}

/** A session before its first event. */
export function emptyState(): SessionState {
	return {
		sessionId: "",
		cwd: "",
		projectId: "",
		title: "",
		startedOn: "",
		mode: "default",
		made: {
			turn: 0,
			step: 0,
			attempt: 0,
			request: 0,
			message: 0,
			approval: 0,
			question: 0,
			rewind: 0,
			checkpoint: 0,
		},
		callIds: new Set(),
		inbox: [],
		lastReply: { text: "", reasoning: "" },
		viewVersion: 0,
		history: [],
		masked: new Map(),
		pinned: new Set(),
		plan: [],
		documents: [],
		skills: [],
		artifacts: [],
		grants: [],
		usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
		contextTokens: 0,
		contextEstimated: false,
		accounts: new Map(),
		windows: new Map(),
		seen: new Map(),
		taint: [],
		timeline: [],
	};
}

/** The identity of a model as an answer's origin. */
export function originOf(model: ModelConfig): string {
	return `${model.baseUrl} ${model.model}`;
}

/** What is known of a model's tokenizer. */
export function accountOf(state: SessionState, model: ModelConfig): TokenAccount {
	return state.accounts.get(originOf(model)) ?? UNKNOWN_TOKENIZER;
}

/**
 * The id that the session's next artifact gets: short, because a model repeats it. A subagent's ones bear its name, since
 * it reads its parent's as well.
 */
export function nextArtifactId({ artifacts, parent }: SessionState): string {
	const taken = new Set(artifacts.map(({ artifactId }) => artifactId));
	const begin = parent ? `${parent.agent}-artifact` : "artifact";
	let n = artifacts.length + 1;
	while (taken.has(`${begin}-${n}`)) n++;
	return `${begin}-${n}`;
}

/** Whether two lists of stamps tell of the same files, at least one, with the same content. */
export function sameDigests(a: readonly FileStamp[], b: readonly FileStamp[]): boolean {
	return (
		a.length > 0 &&
		a.length === b.length &&
		a.every((stamp) => b.some((other) => other.path === stamp.path && other.digest === stamp.digest))
	);
}
