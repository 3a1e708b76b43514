// What a client hears of a session that is no fact: it happens now, is shown, and is never stored.

import type { SessionEvent, TurnEndCode, TurnStatus } from "./events.ts";

/** Something that happens now and is not stored: what a screen shows while it waits. */
export type LiveDelta =
	| { type: "text"; text: string }
	| { type: "reasoning"; text: string }
	/** The text shown of the open Attempt does not count: take it back. `why`: it turned out to be reasoning. */
	| { type: "withdrawn"; text: string; why?: "reasoning" }
	| { type: "callNamed"; name: string }
	| { type: "output"; callId: string; text: string }
	/** What it waits for; `untilMs` where the end is known (epoch milliseconds). */
	| { type: "waiting"; for: "model" | "retry"; detail: string; untilMs?: number }
	| { type: "notice"; text: string }
	/** Something a subagent did, for one line on the screen. */
	| { type: "subagent"; callId: string; agent: string; event: SessionEvent };

/** How a Turn ended. `answer` is the final text where it was completed, else a sentence that says why it ended. */
export interface TurnEnd {
	status: TurnStatus;
	code?: TurnEndCode;
	reason?: string;
	answer: string;
}

/** What broke a run off where neither the model nor a tool is to blame; `storage`: the session could not be saved. */
export interface Fault {
	code: Extract<TurnEndCode, "storage" | "internal">;
	/** A sentence for the person. */
	message: string;
}

/** What a person is asked before a call may run. */
export interface ApprovalPrompt {
	callId: string;
	toolName: string;
	args: Record<string, unknown>;
	/** Who asks: `agi`, or a subagent's name. */
	agent: string;
	/** Why it is asked. */
	reason: string;
	/** A diff or the whole command. */
	preview?: string;
	/** Whether a yes for exactly this call may hold for the session. */
	grantable: boolean;
	/** Of a command: how it would run, and in which folder (absolute). */
	sandbox?: CommandConfinement;
	cwd?: string;
	/** A yes must be marked first: it reaches the network, leaves the sandbox, or is asked about every time. */
	guarded?: boolean;
	/** What a lasting yes would allow, where that is more than this exact call; `label`: "Do not ask again for …". */
	offer?: { label: string; rules: readonly string[] };
	/** Of a write: the whole text as proposed, with LF line ends; it may be amended, or accepted hunk by hunk. */
	proposal?: string;
	/** Of a write: how many hunks its diff has, each of which can be refused; absent where it has none. */
	hunks?: number;
}

/** How a command would run; at level `none` with the person's full rights. */
export interface CommandConfinement {
	level: "full" | "partial" | "none";
	network: boolean;
	/** Whether it could change files in the workspace. */
	writable: boolean;
	/** Not by agi: the person vouches that the whole machine is confined. */
	external?: true;
}

/** What a person answered to a question about one call. */
export interface ApprovalAnswer {
	/** `yes_session`: the offer, or this exact call, for the session; `yes_always`: the offer for good, in the user's file. */
	answer: "yes" | "yes_session" | "yes_always" | "no" | "cancelled";
	/** What the person wants instead; with words, the turn goes on. */
	words?: string;
	/** With a yes to a write: the hunks of the preview that are accepted, from 0; the others are not written. */
	hunks?: number[];
	/** With a yes to a write: the whole text to write instead, with LF line ends. */
	amended?: string;
	by: "person" | "program" | "agi";
}

/** Whether the person, or a program for one, said yes. */
export function isYes(answer: string | undefined): boolean {
	return answer === "yes" || answer === "yes_session" || answer === "yes_always";
}

/** A question of the model to the person. */
export interface PersonPrompt {
	callId: string;
	question: string;
	options: string[];
	/** The answer must be hidden and kept from log, screen and model. */
	secret: boolean;
	/** Only one of the options is an answer. */
	freeText?: false;
}

/** A tool's name as its call is shown: a subagent's under the name of that one, as `reviewer.readFile`. */
export function shownTool(agent: string, tool: string): string {
	return agent === "agi" ? tool : `${agent}.${tool}`;
}
