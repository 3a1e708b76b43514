import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createTools, tools } from "../../../src/agent/tools/index.ts";
import { INPUT_SCHEMAS } from "../../../src/agent/tools/inputSchemas.ts";
import { inputSchemaOf, toolSchema, toolSchemas } from "../../../src/agent/tools/schemas.ts";
import type { AnyTool } from "../../../src/ports/tool.ts";

describe("INPUT_SCHEMAS", () => {
	it("are those of the tools (else run: node scripts/toolSchemas.mjs)", () => {
		const made = Object.values(tools).map((tool) => [tool.name, inputSchemaOf(tool.schema)]);
		expect(INPUT_SCHEMAS).toEqual(Object.fromEntries(made));
	});
});

describe("inputSchemaOf", () => {
	it("leaves out the bounds that every integer has and keeps those that were set", () => {
		const schema = z.strictObject({ any: z.int(), few: z.int().min(1).max(9) });
		expect(inputSchemaOf(schema)["properties"]).toEqual({
			any: { type: "integer" },
			few: { type: "integer", minimum: 1, maximum: 9 },
		});
	});
});

describe("toolSchema", () => {
	it("tells a program's tool by its own schema even under the name of one of agi's", () => {
		const own = {
			...tools["readFile"]!,
			schema: z.strictObject({ other: z.string() }),
		} as unknown as AnyTool;
		expect(toolSchema(own).inputSchema["properties"]).toEqual({ other: { type: "string" } });
	});
});

describe("toolSchemas", () => {
	it("gives the same array for a toolset every time, and all of them in 6,800 bytes", () => {
		const set = createTools({ canSearchWeb: true });
		expect(toolSchemas(set)).toBe(toolSchemas(set));
		expect(toolSchemas(set).map(({ name }) => name)).toEqual(set.names());
		expect(Buffer.byteLength(JSON.stringify(toolSchemas(set)))).toBeLessThan(6800);
	});
});
