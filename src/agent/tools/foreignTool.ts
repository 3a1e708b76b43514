// Tools that a program brings in the AI SDK's form, as agi's own: they go through the same pipeline. As in the SDK they
// run unasked, unless the tool itself says that it needs approval.

import * as z from "zod";
import type { AnyTool } from "../../ports/tool.ts";
import type { ToolOutcome } from "../../types.ts";
import { failed } from "../toolResults.ts";
import type { Toolset } from "../turn.ts";
import { createToolset } from "./toolset.ts";

/** A tool as the AI SDK knows it. Without `execute`, whoever serves the model is expected to run it. */
export interface ForeignTool {
	/** A text; one that the SDK would work out for each request is not used. */
	description?: unknown;
	/** A zod schema, or the SDK's `jsonSchema(…)`. */
	inputSchema?: unknown;
	needsApproval?: unknown;
	execute?: ((input: never, options: never) => unknown) | undefined;
}

/** A program's tools as a set, agi's own ones and those in the SDK's form. */
export function adoptTools(given: Readonly<Record<string, AnyTool | ForeignTool>>): Toolset {
	return createToolset(
		Object.entries(given).map(([name, tool]) => (isOwnTool(tool) ? tool : adoptTool(name, tool))),
	);
}

/** Whether a program's tool is one of agi's own. */
function isOwnTool(tool: AnyTool | ForeignTool): tool is AnyTool {
	return "prepare" in tool && "schema" in tool;
}

/** `tool` under `name` in agi's form. */
export function adoptTool(name: string, tool: ForeignTool): AnyTool {
	return {
		name,
		description: typeof tool.description === "string" ? tool.description : name,
		schema: schemaOf(tool.inputSchema),
		version: 1,
		effects: tool.needsApproval === true ? "possible" : "none",
		recovery: tool.needsApproval === true ? "manual" : "none",
		async prepare(input: unknown) {
			return {
				resources: [],
				summary: name,
				run: ({ signal }: { signal: AbortSignal }) => runForeign(name, tool, input, signal),
			};
		},
	} as unknown as AnyTool;
}

function schemaOf(given: unknown): z.ZodType {
	if (given instanceof z.ZodType) return given;
	if (typeof given !== "object" || given === null || !("jsonSchema" in given)) return z.looseObject({});
	return z.fromJSONSchema(given.jsonSchema as Parameters<typeof z.fromJSONSchema>[0]);
}

/** What it throws is the tool's own failure, not one of agi. */
async function runForeign(
	name: string,
	tool: ForeignTool,
	input: unknown,
	abortSignal: AbortSignal,
): Promise<ToolOutcome> {
	if (!tool.execute)
		return { status: "result", text: `${name} has no executor here: the model's provider runs it.` };
	try {
		const output = await tool.execute(input as never, { messages: [], abortSignal } as never);
		const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "(no output)");
		return { status: "result", text };
	} catch (error) {
		const message = `${name} failed: ${error instanceof Error ? error.message : String(error)}`;
		return failed({ type: "FAILED", message, retryable: false });
	}
}
