// What clients say and hear. A terminal, a print run and a later editor all speak this; none of them owns a fact.

import type { ContextItems, ItemChange } from "../session/contextItems.ts";
import type { Attachment, SessionEvent } from "../session/events.ts";
import type { ForkPoint } from "../session/fork.ts";
import type {
	ApprovalAnswer,
	ApprovalPrompt,
	Fault,
	LiveDelta,
	PersonPrompt,
	TurnEnd,
} from "../session/live.ts";
import type { MemoryFileView } from "../session/memoryView.ts";
import type { RewindPlan, RewindPoint, RewindResult, RewindWhat } from "../session/rewindPlan.ts";
import type { SessionState } from "../session/state.ts";
import type { MemoryScope, Mode, Usage } from "../types.ts";

/** Something a client asks of the session it is in. */
export type SessionRequest =
	/** New input. It is on the disk once the request resolves. */
	/**
	 * `typed`: how many letters at its beginning the person typed; only these start a skill and name what is attached.
	 * Absent: all. `startsSkills` false: a slash at its beginning is only a slash. `images`: those that came with a
	 * message which was taken back; each comes along where its name still stands in the text.
	 */
	| {
			do: "submit";
			text: string;
			target: "next_step" | "next_turn";
			typed?: number;
			startsSkills?: false;
			images?: Attachment[];
	  }
	/**
	 * Goes on with what a dead process left open, and sends the messages that wait, those too that an interrupted turn gave
	 * back; without it, new input does. Nothing happens where nothing is left.
	 */
	| { do: "goOn" }
	/** Ends the person's own running commands; where there are none, the running turn. What waits in the queue stays. */
	| { do: "interrupt" }
	/** `hunks`, `amended`: as in `ApprovalAnswer`. */
	| {
			do: "answerApproval";
			callId: string;
			answer: ApprovalAnswer["answer"];
			words?: string;
			hunks?: number[];
			amended?: string;
	  }
	/** `answer` undefined: nobody answers. */
	| { do: "answerQuestion"; callId: string; answer?: string }
	| { do: "changeMode"; mode: Mode }
	/** Takes waiting messages back. */
	| { do: "cancelInput"; messageIds: string[] }
	/** Sends a waiting message one place sooner (-1) or later (1) among those that wait for the same. */
	| { do: "moveInput"; messageId: string; by: -1 | 1 }
	/** Changes the text of a waiting message, which keeps its place; it and those behind it get new ids. */
	| { do: "replaceInput"; messageId: string; text: string }
	/** Runs the person's own command, with the person's rights. Resolves at its end; its output waits for the next step. */
	| { do: "shell"; command: string }
	/** Takes the last answer, or `text`, as the plan: stores it, leaves plan mode and starts the work. */
	| { do: "approvePlan"; text?: string }
	| { do: "renameSession"; title: string }
	| { do: "exportSession"; format: "markdown" | "json" | "html" }
	/** What the files look like that this session's tools changed. */
	| { do: "diff" }
	/** What the next request would hold, item by item. */
	| { do: "contextItems" }
	/** The text of one of them. */
	| { do: "openItem"; ref: string }
	/** Masks or pins a message, an answer or a result, or takes that back. Holds from the next step on. */
	| { do: "changeItem"; itemId: string; change: ItemChange }
	/** Writes a summary of older parts, with `focus` above all, and shows what it would save. Nothing is changed yet. */
	| { do: "compact"; focus?: string }
	/** Puts the last written summary, or `text` in its stead, in place. Not doing so refuses it. */
	| { do: "acceptCompaction"; text?: string }
	/** Takes the last summary back: the model sees again what it stood for. */
	| { do: "undoCompaction" }
	/** What is kept over sessions, line by line: the project's file, then the user's. */
	| { do: "memory" }
	/** Takes out the line with these words. */
	| { do: "forgetMemory"; scope: MemoryScope; words: string }
	/** Puts in place what the person made of `before`; what was written meanwhile is kept. */
	| { do: "editMemory"; scope: MemoryScope; before: string; after: string }
	/** What the session used, by model. */
	| { do: "cost" }
	/** Results that were cut and are kept whole, the oldest first. */
	| { do: "artifacts" }
	/** The skills of this folder and of the person, looked for anew. */
	| { do: "skills" }
	/** The rules that hold, what was allowed for the session, and why the last question was asked. */
	| { do: "permissions" }
	/** What would happen to a command of the model; nothing is run. */
	| { do: "testCommand"; command: string }
	/** Changes the person's own rules, in their settings file and at once; `rule` in its short form. */
	| { do: "addRule"; effect: ListedRule["effect"]; rule: string }
	| { do: "removeRule"; rule: string }
	/** Takes over what the project suggests: for this project alone, and as long as its settings file stays the same. */
	| { do: "importRules" }
	/** Turns that can be gone back to, the newest first. */
	| { do: "rewindPoints" }
	/** What going back to before that turn would do; nothing is touched. */
	| { do: "previewRewind"; turnId: string; what: RewindWhat }
	/** Does it. A path with a conflict is touched only where `force` names it. */
	| { do: "rewind"; turnId: string; what: RewindWhat; force?: string[] }
	| { do: "previewRedo" }
	/** Takes the last rewind back, as long as no turn began after it. */
	| { do: "redo"; force?: string[] };

/** Something a client asks of the program around its session. */
export type HostRequest =
	| { do: "newSession" }
	| { do: "resumeSession"; id: string }
	/**
	 * Goes on in a copy of the current session, or of that with this id: whole, or up to the end of a closed Step, named by
	 * its id or its number alone. Files stay as they are.
	 */
	| { do: "forkSession"; id?: string; afterStep?: string }
	/** The current session's closed Steps, with which a copy can end, the newest first. */
	| { do: "forkPoints" }
	/** This project's sessions with something in them, the newest first; `query`: words of titles, then those of texts. */
	| { do: "listSessions"; query?: string }
	/** Another model from the next step on. What is left out stays as it is. */
	| { do: "switchModel"; model: string; profile?: string; baseUrl?: string }
	/** Names that the current server lists, and `offline`; with `profile`, what that provider's server lists. */
	| { do: "listModels"; profile?: string; baseUrl?: string; apiKey?: string }
	/** Paths of the workspace's files, without what git ignores. */
	| { do: "listFiles" }
	/** What was typed in this project before, the newest first. */
	| { do: "promptHistory" }
	| { do: "listProfiles" }
	/** Model servers that answer on this machine. */
	| { do: "probeLocalServers" }
	/** Stores a provider with its key and model as the user's own choice. */
	| { do: "saveLogin"; profile: string; baseUrl?: string; apiKey?: string; model: string }
	/** One tiny real request. */
	| { do: "testModel"; profile: string; baseUrl?: string; apiKey?: string; model: string };

/** Something a client asks for. */
export type ClientRequest = SessionRequest | HostRequest;

/** What a request brings where it succeeds; a request that is not named here brings nothing. */
interface Values {
	replaceInput: { messageId: string };
	/** What the model will read of it. */
	shell: { text: string };
	/** `path` is relative to the workspace; null where the plan could not be stored, and `notice` says why. */
	approvePlan: { path: string | null; notice: string | null };
	exportSession: string;
	diff: ChangesReport;
	contextItems: ContextItems;
	openItem: string;
	/** What a mask hides or shows again. */
	changeItem: { tokens: number };
	compact: CompactionPreview;
	acceptCompaction: { tokensBefore: number; tokensAfter: number };
	memory: MemoryFileView[];
	forgetMemory: { path: string };
	/** `merged`: somebody else had written meanwhile. */
	editMemory: { path: string; merged: boolean };
	cost: CostReport;
	artifacts: ArtifactLine[];
	skills: SkillsReport;
	permissions: PermissionsReport;
	testCommand: CommandTest;
	addRule: RuleStored;
	removeRule: RuleStored;
	importRules: { path: string; rules: ListedRule[] };
	rewindPoints: RewindPoint[];
	previewRewind: RewindPlan;
	rewind: RewindResult;
	previewRedo: RewindPlan;
	redo: RewindResult;
	forkPoints: ForkPoint[];
	listSessions: FoundSession[];
	switchModel: ShownModel;
	listModels: string[];
	listFiles: string[];
	promptHistory: string[];
	listProfiles: ProfileEntry[];
	probeLocalServers: LocalServer[];
	saveLogin: { notices: string[] };
	testModel: { milliseconds: number };
}

/** The value of a request. */
export type ValueOf<R extends ClientRequest> = R extends { do: infer D }
	? D extends keyof Values
		? Values[D]
		: undefined
	: never;

/**
 * The answer to a request: done, or a sentence that says why not; `fault` where the request was not at fault, `copyOffer`
 * where the session that was to be opened can only be gone on with in a copy: the sentence without another way out.
 */
export type RequestResult<V = undefined> =
	| { ok: true; value: V }
	| { ok: false; message: string; fault?: Fault["code"]; copyOffer?: string };

/** Something a client hears, in order. Facts are on the disk when they are told. */
export type Notification =
	| { kind: "facts"; seq: number; at: string; events: readonly SessionEvent[] }
	| { kind: "live"; delta: LiveDelta }
	/** The questions that wait now, oldest first; [] when the last one was answered. */
	| { kind: "prompts"; open: readonly OpenPrompt[] }
	/** `costUsd`: what this process has spent on the session so far; null where a price is unknown. */
	| { kind: "turnEnded"; end: TurnEnd; costUsd: number | null }
	/** Nothing runs and nothing waits. */
	| { kind: "idle" }
	/** The run broke off: the session could not be saved, or agi has a fault. */
	| ({ kind: "fault" } & Fault)
	/** The person's own command; `id` is unique in the session. */
	| { kind: "shell"; id: string; change: ShellChange }
	/** Another model answers from the next step on. */
	| { kind: "model"; model: ShownModel }
	/** The git branch changed; null where there is none. */
	| { kind: "branch"; branch: string | null }
	/** How the model's commands are confined changed, or is known at last. */
	| { kind: "sandbox"; sandbox: ShownSandbox }
	/** The client is in another session now; everything before belongs to the old one. `notices` are for the person. */
	| { kind: "session"; greeting: SessionGreeting; notices: string[] };

/** What happens to a command of the person. */
export type ShellChange =
	| { state: "started"; command: string }
	| { state: "output"; text: string }
	/** `result` says how it ended, such as `exit code 0`. */
	| { state: "ended"; failed: boolean; result: string };

/** A question that is open now. */
export type OpenPrompt =
	| { kind: "approval"; prompt: ApprovalPrompt }
	| { kind: "question"; prompt: PersonPrompt };

/** The model that answers, as a person sees it. */
export interface ShownModel {
	model: string;
	profile: string;
	/** In tokens. */
	contextWindow: number;
	priceKnown: boolean;
	/** The embedded one, which is not an AI. */
	offline: boolean;
}

/** How the model's commands are confined, as a person sees it. */
export interface ShownSandbox {
	/** `checking`: not tried yet; `none`: they run with the person's full rights. */
	level: "full" | "partial" | "none" | "checking";
	/** Whether every command may use the network. */
	network: boolean;
	/** The person vouches that the whole machine is confined; agi confines nothing. */
	external?: true;
	/** Where the level is not `full`: why, and what to do. */
	notice?: string;
}

/** What a client must know at its start. */
export interface SessionGreeting extends ShownModel {
	sessionId: string;
	cwd: string;
	mode: Mode;
	tools: string[];
	version: string;
	/** Whether this folder's configuration is trusted. */
	trusted: boolean;
	/** The git branch, or the commit's beginning where none is checked out; null outside of git. */
	branch: string | null;
	sandbox: ShownSandbox;
	/** Skills that a message can start, as `/name words`. */
	skills: NamedSkill[];
	/** The state so far, to be read only. */
	state: SessionState;
}

/** A skill as the palette shows it. */
export interface NamedSkill {
	name: string;
	description: string;
}

/** All skills, and those that were left out. */
export interface SkillsReport {
	skills: (NamedSkill & { path: string; loaded: boolean; manual: boolean })[];
	broken: { path: string; why: string }[];
	shadowed: { name: string; path: string; by: string }[];
	/** Whether the project's own were looked for. */
	trusted: boolean;
	/** Whether the model can load them in this session. */
	offered: boolean;
}

/** A line of the list of sessions. */
export interface SessionSummary {
	id: string;
	title: string;
	cwd: string;
	/** ISO times. */
	created: string;
	updated: string;
	turns: number;
	model: string;
}

/** `snippet`: where its texts hold the words that were looked for, unfiltered; absent where its title does. */
export type FoundSession = SessionSummary & { snippet?: string };

/** A unified diff, and sentences about what it leaves out or adds. */
export interface ChangesReport {
	diff: string;
	notes: string[];
}

/** A summary that waits for a yes; tokens of the next request, estimated. */
export interface CompactionPreview {
	summary: string;
	tokensBefore: number;
	tokensAfter: number;
	/** How many messages and results it stands for. */
	items: number;
}

/** What a session used. A cost is null where a price is not known. */
export interface CostReport {
	/** `estimated`: some of it is agi's own count, because the server told none. */
	models: { model: string; profile: string; usage: Usage; costUsd: number | null; estimated: boolean }[];
	costUsd: number | null;
}

/** A result that is kept whole; `at` is an ISO time, `bytes` counts UTF-8. */
export interface ArtifactLine {
	id: string;
	tool: string;
	bytes: number;
	at: string;
	summary: string;
}

/** A rule, and whose word it is. */
export interface ListedRule {
	effect: "allow" | "ask" | "deny";
	/** Short form. */
	rule: string;
	layer: "flag" | "managed" | "session" | "user" | "project";
	/** The file or flag it stands in. */
	origin: string;
	why?: string;
}

/** Where a rule was stored or taken out; `changed` is false where nothing had to be. */
export interface RuleStored {
	path: string;
	changed: boolean;
}

/** The rules that hold, strictest first. */
export interface PermissionsReport {
	mode: Mode;
	rules: ListedRule[];
	/** What the person allowed for the session, in words. */
	granted: string[];
	/** Allow rules of the project, which hold only once the person adds them. */
	suggested: ListedRule[];
	/** Where text of unknown intent came into the session from. */
	taint: string[];
	/** The last question to the person; `answer` is absent while it waits. */
	lastQuestion: { tool: string; reason: string; rule: string; answer?: string } | null;
}

/** The verdict on a command, or on a part of it; `rule` names what decided. */
export interface CommandVerdict {
	command: string;
	verdict: "allow" | "ask" | "deny";
	reason: string;
	rule: string;
}

/** The verdict on a command and on each of its parts; `opaque` says why it has none. */
export interface CommandTest extends CommandVerdict {
	parts: CommandVerdict[];
	opaque?: string;
	/** The rules that "do not ask again" would put in place. */
	offers?: string[];
}

/** A provider that can be chosen. */
export interface ProfileEntry {
	name: string;
	title: string;
	/** Empty for `custom`. */
	baseUrl: string;
	/** Runs on the person's machine and needs no key. */
	local: boolean;
	keyVariable?: string;
	defaultModel?: string;
}

/** A model server that answered on this machine. */
export interface LocalServer {
	profile: string;
	title: string;
	baseUrl: string;
	models: string[];
}
