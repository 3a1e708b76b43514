// The question about a call that may have run, and what each answer makes of the call. Pure; nothing is run again here.

import type { CallEnd } from "./settle.ts";
import type { OpenCall } from "./state.ts";

/** What a person can say about a call in doubt, in the order in which it is shown. */
export const DOUBT_ANSWERS = {
	ran: "It ran",
	again: "It did not run; run it again",
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

/** The question as a person reads it. */
export function doubtQuestion(call: OpenCall): string {
	return `${ENDED_WHILE} ${summaryOf(call)} was running. Nobody knows whether it did its work. What happened?`;
}

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

/** The end of the call after the person's answer. To run again is the model's to ask: that is a new call, judged anew. */
export function endOfDoubt(call: OpenCall, answer: DoubtAnswer): CallEnd {
	const name = `${call.name} (${call.callId}) was interrupted after it had started.`;
	switch (answer) {
		case "ran":
			return { status: "result", text: `${name} The user says that it ran. Its output is lost.` };
		case "again": {
			const text = `${name} The user says that it did not run and wants it run: call it again.`;
			return { status: "cancelled", text, error: { type: "CANCELLED", message: text, retryable: true } };
		}
		case "leave": {
			const text = `${name} Its outcome is unknown and the user wants it left as it is: do not run it again.`;
			return {
				status: "outcome_unknown",
				text,
				error: { type: "OUTCOME_UNKNOWN", message: text, retryable: false },
			};
		}
	}
}
