// Puts the model's question to the person and records both. The log never holds a secret answer.

import type { OpenCall } from "../session/state.ts";
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
 * that one was given, not what. A question that a restart left open is asked again as the same one; an answer is in the
 * inbox, on the disk, before the question goes away, and the end of the call takes it from there.
 */
export async function askPerson(
	{ session, prompts, redact }: Asking,
	question: Question,
	signal: AbortSignal,
): Promise<string | undefined> {
	const questionId = await openQuestion(session, question);
	const { callId, secret } = question;
	const said = await prompts.ask(promptOf(question), signal, (answer) =>
		keepAnswer(session, { questionId, callId, answer: secret ? "(secret)" : redact(answer) }),
	);
	if (said === undefined) await giveUp(session, questionId, callId);
	return said;
}

/** Puts the person's answer into the inbox, on the disk. Rejects where the question is over, or has another answer. */
export async function keepAnswer(
	session: LiveSession,
	answer: { questionId: string; callId: string; answer: string },
): Promise<void> {
	await session.save(() => session.record({ do: "answerQuestion", ...answer, by: "person" }));
}

/** Records that nobody answers, unless an answer came just now or the call has ended. */
async function giveUp(session: LiveSession, questionId: string, callId: string): Promise<void> {
	const open = openOf(session, callId);
	if (open?.questionId !== questionId || open.answer !== undefined) return;
	session.record({ do: "answerQuestion", questionId, callId, answer: "(no answer)", by: "agi" });
	await session.flush({ wait: true });
}

/** Records the question, unless it is open already; it is on the disk when its id resolves. */
export async function openQuestion(session: LiveSession, question: Question): Promise<string> {
	const { callId } = question;
	const open = openOf(session, callId)?.questionId;
	if (open !== undefined) return open;
	const { freeText: _, ...facts } = question;
	const asked = session.record({ do: "askQuestion", ...facts, ...onlyOptions(question) });
	await session.flush({ wait: true });
	return asked.find((event) => event.type === "question/asked")?.questionId ?? "";
}

function openOf(session: LiveSession, callId: string): OpenCall["question"] {
	return session.state.step?.calls.find((call) => call.callId === callId && !call.status)?.question;
}

/** The question as it is shown. */
export function promptOf(question: Question) {
	const { freeText: _, ...prompt } = question;
	return { ...prompt, ...onlyOptions(question) };
}

function onlyOptions({ freeText }: Question): { freeText?: false } {
	return freeText ? {} : { freeText };
}
