// A whole turn of the product with pretended tools: `runAgent` itself, from a prompt or from a conversation that is
// already there. Only the tools' answers are made up; loop, policy, limits and prompts are those of agi.

import type { ModelMessage } from "ai";
import { UsageTracker } from "../agent/usage.ts";
import { runAgent } from "../library.ts";
import { type EvalModel, watchModel } from "./evalModel.ts";
import { buildMockedTools } from "./mockTools.ts";
import type { PromptCopy } from "./promptCopy.ts";
import type { Execution, MultiTurnEvalData, MultiTurnResult, ToolUse } from "./types.ts";

/** Model answers of one case, where it sets no other number. */
const MAX_STEPS = 20;

export interface MultiTurnOptions {
	model: EvalModel;
	/** An empty folder that the run may call its workspace. */
	scratch: string;
	/** The prompts of a project, where the run is to be told them. */
	prompts?: PromptCopy | undefined;
	seed?: number;
	signal?: AbortSignal;
}

/** Runs the turn. Rejects with `ModelUnavailable` where the way to the model failed. */
export async function runMultiTurn(
	data: MultiTurnEvalData,
	options: MultiTurnOptions,
): Promise<Execution & { output: MultiTurnResult }> {
	const { seed, scratch, prompts } = options;
	const opened = await options.model.open({ ...data.config, ...(seed === undefined ? {} : { seed }) });
	const watched = watchModel(opened);
	const { prompt, history } = conversationOf(data);
	const approve = data.config?.approve ?? true;
	const messages = await runAgent(
		prompt,
		history,
		{ onToolApproval: async () => approve },
		new UsageTracker({ maxIterations: data.config?.maxSteps ?? MAX_STEPS }),
		{ mode: data.mode === "plan" ? "plan" : "build" },
		options.signal,
		{
			toolsOverride: buildMockedTools(data.mockTools),
			model: watched.model,
			session: prompts ?? { cwd: scratch, env: { AGI_HOME: scratch } },
			...(data.systemPrompt === undefined ? {} : { systemPromptOverride: data.systemPrompt }),
		},
	);
	// Ended from outside it is no failure of the way; what was used counts.
	if (!options.signal?.aborted) watched.mustHaveAnswered();
	return { output: readTurn(messages.slice(history.length)), ...watched.used() };
}

/** The person's last words, and what was said before them. */
export function conversationOf(data: MultiTurnEvalData): { prompt: string; history: ModelMessage[] } {
	const messages = data.messages ?? [];
	if (data.prompt !== undefined) return { prompt: data.prompt, history: messages };
	const last = messages.at(-1);
	const prompt = typeof last?.content === "string" ? last.content : textOf(last?.content ?? []);
	return { prompt, history: messages.slice(0, -1) };
}

/** What a turn's messages say: calls in order, results, the final words. */
export function readTurn(messages: readonly ModelMessage[]): MultiTurnResult {
	const steps: MultiTurnResult["steps"] = [];
	for (const message of messages) {
		if (message.role === "assistant") steps.push(stepOf(message));
		const step = steps.at(-1);
		if (message.role === "tool" && step)
			step.toolResults = [...(step.toolResults ?? []), ...resultsOf(message)];
	}
	const toolCallOrder = steps.flatMap((step) => step.toolCalls ?? []).map(({ toolName }) => toolName);
	const last = steps.at(-1);
	return {
		text: last?.toolCalls ? "" : (last?.text ?? ""),
		steps,
		toolsUsed: [...new Set(toolCallOrder)],
		toolCallOrder,
	};
}

function resultsOf(message: ModelMessage & { role: "tool" }): { toolName: string; result: string }[] {
	return message.content.flatMap((part) =>
		part.type === "tool-result"
			? [{ toolName: part.toolName, result: "value" in part.output ? String(part.output.value) : "" }]
			: [],
	);
}

function stepOf(message: ModelMessage & { role: "assistant" }): MultiTurnResult["steps"][number] {
	if (typeof message.content === "string") return { text: message.content };
	const text = textOf(message.content);
	const toolCalls: ToolUse[] = message.content.flatMap((part) =>
		part.type === "tool-call" ? [{ toolName: part.toolName, args: part.input }] : [],
	);
	return { ...(text === "" ? {} : { text }), ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

function textOf(parts: readonly { type: string; text?: unknown }[]): string {
	return parts.map((part) => (part.type === "text" ? String(part.text ?? "") : "")).join("");
}
