// What may be asked of a session. A command is a wish; `decide.ts` turns it into events or refuses it.

import type {
	FileStamp,
	FinishReason,
	Mode,
	ModelFailure,
	RawToolCall,
	ReasoningPlace,
	ToolError,
	ToolStatus,
	Usage,
} from "../types.ts";
import type {
	Attachment,
	AttemptOwner,
	BodyDelta,
	ContributionRef,
	EventOf,
	FileImage,
	LoadedSkill,
	MemoryChange,
	ModelConfig,
	ObservedDocument,
	PlanItem,
	RecoverySemantics,
	Resource,
	SeedMessage,
	TurnEndCode,
	TurnStatus,
} from "./events.ts";
import type { TokenSize } from "./tokenAccount.ts";

/** Everything an Attempt brought, as `endAttempt` records it. */
export interface AttemptRecord {
	text: string;
	reasoning: string;
	reasoningPlace?: ReasoningPlace;
	calls: RawToolCall[];
	finish?: FinishReason;
	usage?: Usage;
	usageEstimated?: boolean;
	failure?: ModelFailure;
	metadata?: Record<string, unknown>;
	durationMs: number;
}

/** A call of an accepted message, its arguments read; `tool` is absent where the name is unknown. */
export interface CallRecord {
	providerId: string;
	name: string;
	args: Record<string, unknown>;
	invalidArguments?: string;
	tool?: { version: number; effects: "none" | "possible"; recovery: RecoverySemantics };
}

export type Command =
	| {
			do: "createSession";
			sessionId: string;
			cwd: string;
			projectId: string;
			agiVersion: string;
			startedOn: string;
			mode: Mode;
			parent?: NonNullable<EventOf<"session/created">["parent"]>;
			seed?: SeedMessage[];
	  }
	| { do: "renameSession"; title: string }
	| {
			do: "submitInput";
			text: string;
			target: "next_step" | "next_turn";
			wakeup: boolean;
			origin: "person" | "parent" | "program";
			attachments?: Attachment[];
	  }
	| { do: "cancelInput"; messageIds: string[] }
	/** One place towards the front (-1) or the back (1) of those that wait for the same; nothing where it is there. */
	| { do: "moveInput"; messageId: string; by: -1 | 1 }
	/** Claims the first waiting message that wakes up, else the work of an interrupted Turn, and opens a Turn for it. */
	| { do: "startTurn" }
	/** Claims the Turn's message (first Step) and every message for the next Step. */
	| { do: "startStep"; model: ModelConfig }
	| {
			do: "startAttempt";
			digest: string;
			bytes: number;
			delta: BodyDelta;
			contributions: ContributionRef[];
			size?: TokenSize;
			backoffMs?: number;
	  }
	/** One request beside the Steps; one that a dead process left open is ended first. */
	| {
			do: "startAside";
			kind: AttemptOwner["kind"];
			model: ModelConfig;
			digest: string;
			bytes: number;
			delta: BodyDelta;
			contributions: ContributionRef[];
			size?: TokenSize;
	  }
	/** Nothing happens where that one was ended already. */
	| {
			do: "endAside";
			attemptId: string;
			outcome: "accepted" | "rejected" | "failed" | "cancelled";
			attempt: AttemptRecord;
	  }
	/** `version` is that of the view which the summary was made of. */
	| ({ do: "commitCheckpoint"; version: number } & Omit<
			EventOf<"checkpoint/committed">,
			"type" | "checkpointId"
	  >)
	/** `tokens`: estimated, of the request without the checkpoint. */
	| { do: "undoCheckpoint"; tokens?: number }
	| ({ do: "maskItem" } & Omit<EventOf<"item/masked">, "type">)
	| ({ do: "pinItem" } & Omit<EventOf<"item/pinned">, "type">)
	| { do: "acceptReply"; attempt: AttemptRecord; calls: CallRecord[] }
	| { do: "endAttempt"; outcome: "rejected" | "failed" | "cancelled"; attempt: AttemptRecord }
	| {
			do: "decidePolicy";
			callId: string;
			verdict: "allow" | "ask" | "deny";
			reason: string;
			rule: string;
	  }
	| {
			do: "requestApproval";
			callId: string;
			digest: string;
			reason: string;
			resources: Resource[];
			preview?: string;
	  }
	| {
			do: "resolveApproval";
			callId: string;
			answer: EventOf<"approval/resolved">["answer"];
			words?: string;
			hunks?: number[];
			amended?: string;
			by: EventOf<"approval/resolved">["by"];
			expiresAt?: string;
	  }
	| { do: "grantCall"; tool: string; digest: string; label: string; rule?: string }
	| { do: "setTaint"; source: string }
	| { do: "startCall"; callId: string; before?: FileStamp[]; after?: FileStamp[]; onlyReads?: true }
	| {
			do: "endCall";
			callId: string;
			status: ToolStatus;
			text: string;
			error?: ToolError;
			observed?: FileStamp[];
			artifact?: { digest: string; bytes: number; summary: string };
			durationMs: number;
	  }
	| { do: "replacePlan"; items: PlanItem[] }
	| { do: "changeMode"; mode: Mode; by: "person" | "program" }
	| { do: "observeDocument"; document: ObservedDocument }
	| { do: "recordSkill"; skill: LoadedSkill }
	| { do: "recordMemory"; change: MemoryChange }
	| { do: "endStep"; outcome: EventOf<"step/end">["outcome"] }
	| { do: "endTurn"; status: TurnStatus; code?: TurnEndCode; reason?: string }
	| { do: "recordSubagent"; change: Omit<EventOf<"subagent/changed">, "type"> }
	/** Belongs to the open Turn. */
	| { do: "keepImages"; images: FileImage[]; tree?: NonNullable<EventOf<"file/snapshotted">["tree"]> }
	| { do: "recordChanges"; turnId: string; changes: string; why?: string }
	| { do: "rewind"; toTurnId: string; changes: string; conversation: boolean }
	/** Takes the last rewind back. */
	| { do: "redo"; changes: string }
	/** Ends the last rewind's work on files; `changes`: all that was done of it, where that is not the whole. */
	| { do: "finishRewind"; rewindId: string; changes?: string }
	| {
			do: "askQuestion";
			callId: string;
			question: string;
			options: string[];
			secret: boolean;
			freeText?: false;
	  }
	/** A person's answer waits in the inbox until the call's end takes it; agi's says that there is none. */
	| { do: "answerQuestion"; questionId: string; callId: string; answer: string; by: "person" | "agi" };

/** Why a command cannot be carried out now. */
export interface Refusal {
	refused: string;
}

/** A refusal with its reason, as the end of a sentence. */
export function refuse(refused: string): Refusal {
	return { refused };
}
