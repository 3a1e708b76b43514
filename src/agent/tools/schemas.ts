// The model's view of the tools: names, descriptions and JSON Schemas, without executors. Made once a session; the list
// stays the same from the first request to the last, because prompt caches depend on it.

import * as z from "zod";
import type { AnyTool } from "../../ports/tool.ts";
import type { ToolSchema } from "../../types.ts";
import type { Toolset } from "../turn.ts";
import { tools as ownTools } from "./index.ts";
import { INPUT_SCHEMAS } from "./inputSchemas.ts";

const made = new WeakMap<Toolset, ToolSchema[]>();

/** The schemas of a toolset, in its order; the same array on every call. */
export function toolSchemas(tools: Toolset): ToolSchema[] {
	const known = made.get(tools);
	if (known) return known;
	const schemas = tools.names().map((name) => toolSchema(tools.get(name)!));
	made.set(tools, schemas);
	return schemas;
}

/** What a model is told of one tool. */
export function toolSchema(tool: AnyTool): ToolSchema {
	const inputSchema = ownTools[tool.name] === tool ? INPUT_SCHEMAS[tool.name] : undefined;
	return {
		name: tool.name,
		description: tool.description,
		inputSchema: inputSchema ?? inputSchemaOf(tool.schema),
	};
}

/** The JSON Schema of a tool's arguments, without the bounds that zod gives every integer. */
export function inputSchemaOf(schema: z.ZodType): Record<string, unknown> {
	const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, {
		io: "input",
		override: ({ jsonSchema }) => {
			if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
			if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
		},
	});
	return inputSchema;
}
