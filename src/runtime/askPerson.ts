// Puts the model's question to the person and records both. The log never holds a secret answer.

import type { LiveSession } from "./liveSession.ts";
import type { Prompts } from "./prompts.ts";

/**
 * Asks and waits for the answer; undefined where nobody gives one. A secret answer reaches only the caller: the log keeps
 * that one was given, not what.
 */
export async function askPerson(
	session: LiveSession,
	prompts: Prompts,
	callId: string,
	question: string,
	options: string[],
	secret: boolean,
	signal: AbortSignal,
): Promise<string | undefined> {
	const asked = session.record({ do: "askQuestion", callId, question, options, secret });
	const questionId = asked.find((event) => event.type === "question/asked")?.questionId ?? "";
	await session.flush({ wait: true });
	const answer = await prompts.ask({ callId, question, options, secret }, signal);
	session.record({
		do: "answerQuestion",
		questionId,
		callId,
		answer: answer === undefined ? "(no answer)" : secret ? "(secret)" : answer,
		by: answer === undefined ? "agi" : "person",
	});
	await session.flush({ wait: true });
	return answer;
}
