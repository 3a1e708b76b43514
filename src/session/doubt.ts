// The question about a call that may have run, and what each answer makes of the call. Pure; nothing is run again here.

import type { CallEnd } from "./settle.ts";
import type { OpenCall } from "./state.ts";

/** What a person can say about a call in doubt, in the order in which it is shown. */
export const DOUBT_ANSWERS = {
	ran: "It ran",
	again: "It did not run; run it again",
	/** Only where it still runs; then in the place of `again`. */
	endAndAgain: "End it and run it again",
	leave: "Leave it as it is",
} as const;

export type DoubtAnswer = keyof typeof DOUBT_ANSWERS;

const ENDED_WHILE = "agi ended while";
/** How such a question began in earlier logs. */
const WAS_ENDED_WHILE = "agi was ended while";

/** Whether a question is one about a call in doubt. */
export function isDoubtQuestion(question: string): boolean {
	return question.startsWith(ENDED_WHILE) || question.startsWith(WAS_ENDED_WHILE);
}

/** The question as a person reads it; `pid`: what still runs of the call. */
export function doubtQuestion(call: OpenCall, pid?: number): string {
	const stands =
		pid === undefined
			? "Nobody knows whether it did its work. What happened?"
			: `It is still running (pid ${pid}). What is to become of it?`;
	return `${ENDED_WHILE} ${summaryOf(call)} was running. ${stands}`;
}

/** The answers that are offered; what still runs is never run a second time beside itself. */
export function doubtOptions(isRunning: boolean): string[] {
	const { ran, again, endAndAgain, leave } = DOUBT_ANSWERS;
	return [ran, isRunning ? endAndAgain : again, leave];
}

/** What has become of a call that the person wanted ended, so that it can run again. */
export type DoubtEnding = "ended" | "gone" | "stays";

/** The call in a few words: its name and its most telling argument. */
export function summaryOf(call: Pick<OpenCall, "name" | "args">): string {
	const told = call.args["command"] ?? call.args["path"] ?? call.args["code"] ?? call.args["question"];
	if (typeof told !== "string") return call.name;
	const [line = ""] = told.trim().split("\n", 1);
	return `${call.name} "${line.length > 60 ? `${line.slice(0, 59)}…` : line}"`;
}

/** Which answer a text is; undefined for anything else. */
export function readDoubtAnswer(text: string): DoubtAnswer | undefined {
	const names = Object.keys(DOUBT_ANSWERS) as DoubtAnswer[];
	return names.find((name) => DOUBT_ANSWERS[name] === text);
}

/**
 * The end of the call after the person's answer. To run again is the model's to ask: that is a new call, judged anew.
 * `ending`: what came of `endAndAgain`.
 */
export function endOfDoubt(call: OpenCall, answer: DoubtAnswer, ending: DoubtEnding = "ended"): CallEnd {
	const name = `${call.name} (${call.callId}) was interrupted after it had started.`;
	switch (answer) {
		case "ran":
			return { status: "result", text: `${name} The user says that it ran. Its output is lost.` };
		case "again": {
			const text = `${name} The user says that it did not run and wants it run: call it again.`;
			return { status: "cancelled", text, error: { type: "CANCELLED", message: text, retryable: true } };
		}
		case "endAndAgain": {
			if (ending !== "ended") return outcomeUnknown(`${name} ${NOT_ENDED[ending]}`);
			const text = `${name} It was still running and was ended, and the user wants it run: call it again.`;
			return { status: "cancelled", text, error: { type: "CANCELLED", message: text, retryable: true } };
		}
		case "leave":
			return outcomeUnknown(
				`${name} Its outcome is unknown and the user wants it left as it is: do not run it again.`,
			);
	}
}

const NOT_ENDED: Record<Exclude<DoubtEnding, "ended">, string> = {
	gone: "It ended by itself before the user could end it: its outcome is unknown. Look before you run it again.",
	stays: "It is still running and could not be ended: do not run it again, and tell the user.",
};

function outcomeUnknown(text: string): CallEnd {
	return {
		status: "outcome_unknown",
		text,
		error: { type: "OUTCOME_UNKNOWN", message: text, retryable: false },
	};
}
