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

/** What asking takes. */
export interface Asking {
	session: LiveSession;
	prompts: Prompts;
	/** Takes known secrets out of what the log keeps of an answer. */
	redact(text: string): string;
}

/**
 * Asks and waits for the answer; undefined where nobody gives one. A secret answer reaches only the caller: the log keeps
 * that one was given, not what. A question that a restart left open is asked again as the same one; an answer is on the
 * disk before the question goes away.
 */
export async function askPerson(
	{ session, prompts, redact }: Asking,
	question: Question,
	signal: AbortSignal,
): Promise<string | undefined> {
	const questionId = await openQuestion(session, question);
	const { callId, secret } = question;
	const keep = (answer: string, by: "person" | "agi" = "person") =>
		keepAnswer(session, { questionId, callId, answer, by });
	const said = await prompts.ask(promptOf(question), signal, (answer) =>
		keep(secret ? "(secret)" : redact(answer)),
	);
	if (said === undefined) await keep("(no answer)", "agi");
	return said;
}

/** Records an answer, unless there is one; it is on the disk when this resolves. */
export async function keepAnswer(
	session: LiveSession,
	answer: { questionId: string; callId: string; answer: string; by: "person" | "agi" },
): Promise<void> {
	const call = session.state.step?.calls.find(({ callId }) => callId === answer.callId);
	if (call?.questionId !== answer.questionId) return;
	session.record({ do: "answerQuestion", ...answer });
	await session.flush({ wait: true });
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

function onlyOptions({ freeText }: Question): { freeText?: false } {
	return freeText ? {} : { freeText };
}
