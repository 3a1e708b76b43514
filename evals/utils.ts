// Small parts under the names of the book: a prompt as messages, and tools that only pretend.

import type { ModelMessage } from "ai";
import { SYSTEM_PROMPT } from "../src/agent/system/prompt.ts";
import type { EvalData } from "../src/evals/types.ts";

export { buildMockedTools } from "../src/evals/mockTools.ts";

/** The messages of a case: instructions (agi's own where it has none), what was said before, the prompt. */
export function buildMessages(data: Pick<EvalData, "prompt" | "systemPrompt" | "messages">): ModelMessage[] {
	return [
		{ role: "system", content: data.systemPrompt ?? SYSTEM_PROMPT },
		...(data.messages ?? []),
		{ role: "user", content: data.prompt },
	];
}
