// Tools that only pretend: they look to the model exactly like the product's, are judged by the same policy, and answer
// what a case says. They never touch anything.

import * as z from "zod";
import type { ForeignTool } from "../agent/tools/foreignTool.ts";
import { tools as ownTools } from "../agent/tools/index.ts";
import type { AnyTool } from "../ports/tool.ts";
import type { MockToolConfig } from "./types.ts";

/** A pretended tool; `execute` gives what it would answer next. */
export type MockTool = (AnyTool | ForeignTool) & { execute(args?: unknown): string };

/** The tools of a case, by name. Each answers its texts in order, the last one again and again. */
export function buildMockedTools(
	configs: Readonly<Record<string, MockToolConfig>>,
): Record<string, MockTool> {
	return Object.fromEntries(
		Object.entries(configs).map(([name, config]) => [name, buildMockedTool(name, config)]),
	);
}

/** One pretended tool. */
export function buildMockedTool(name: string, config: MockToolConfig): MockTool {
	const answers = [config.mockReturn].flat();
	let calls = 0;
	const execute = (): string => answers[Math.min(calls++, answers.length - 1)] ?? "";
	const own = Object.hasOwn(ownTools, name) ? ownTools[name] : undefined;
	if (own && !config.parameters) return pretend(own, config.description ?? own.description, execute);
	const inputSchema = z.object(
		Object.fromEntries(
			Object.entries(config.parameters ?? {}).map(([key, meaning]) => [key, z.string().describe(meaning)]),
		),
	);
	return { description: config.description ?? name, inputSchema, execute };
}

/** Tools that a model sees and that never run: those of the product, or others in its form. */
export function schemaOnly(tools: readonly AnyTool[]): AnyTool[] {
	return tools.map((tool) => pretend(tool, tool.description, () => "(not run)"));
}

/** `tool` with its name, schema, effects and version, and with another executor. */
function pretend(tool: AnyTool, description: string, execute: () => string): AnyTool & MockTool {
	return {
		name: tool.name,
		description,
		schema: tool.schema,
		inputSchema: tool.schema,
		version: tool.version,
		effects: tool.effects,
		recovery: tool.recovery,
		execute,
		async prepare() {
			return {
				resources: [],
				summary: `${tool.name} (pretended)`,
				run: async () => ({ status: "result" as const, text: execute() || "(no output)" }),
			};
		},
	} as unknown as AnyTool & MockTool;
}
