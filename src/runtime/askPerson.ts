// Puts the model's question to the person and records both. The log never holds a secret answer.

import type { LiveSession } from "./liveSession.ts";
import type { Prompts } from "./prompts.ts";

/** A question of one call. */
export interface Question {
	callId: string;
	question: string;
	options: string[];
	secret: boolean;
	/** Whether other words than the options are an answer. */
	freeText: boolean;
}

/**
 * Asks and waits for the answer; undefined where nobody gives one. A secret answer reaches only the caller: the log keeps
 * that one was given, not what. A question that a restart left open is asked again as the same one.
 */
export async function askPerson(
	session: LiveSession,
	prompts: Prompts,
	question: Question,
	signal: AbortSignal,
): Promise<string | undefined> {
	const questionId = await openQuestion(session, question);
	const answer = await prompts.ask(promptOf(question), signal);
	await closeQuestion(session, question, questionId, answer);
	return answer;
}

/** Records the question, unless it is open already; it is on the disk when its id resolves. */
export async function openQuestion(session: LiveSession, question: Question): Promise<string> {
	const { callId } = question;
	const open = session.state.step?.calls.find((call) => call.callId === callId)?.questionId;
	if (open !== undefined) return open;
	const { freeText: _, ...facts } = question;
	const asked = session.record({ do: "askQuestion", ...facts, ...onlyOptions(question) });
	await session.flush({ wait: true });
	return asked.find((event) => event.type === "question/asked")?.questionId ?? "";
}

/** The question as it is shown. */
export function promptOf(question: Question) {
	const { freeText: _, ...prompt } = question;
	return { ...prompt, ...onlyOptions(question) };
}

async function closeQuestion(
	session: LiveSession,
	{ callId, secret }: Question,
	questionId: string,
	answer: string | undefined,
): Promise<void> {
	session.record({
		do: "answerQuestion",
		questionId,
		callId,
		answer: answer === undefined ? "(no answer)" : secret ? "(secret)" : answer,
		by: answer === undefined ? "agi" : "person",
	});
	await session.flush({ wait: true });
}

function onlyOptions({ freeText }: Question): { freeText?: false } {
	return freeText ? {} : { freeText };
}
