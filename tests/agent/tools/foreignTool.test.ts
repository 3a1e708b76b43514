import { jsonSchema, tool } from "ai";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { adoptTool, adoptTools } from "../../../src/agent/tools/foreignTool.ts";
import { readFile } from "../../../src/agent/tools/readFile.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import type { AnyTool } from "../../../src/ports/tool.ts";
import { createToolBench } from "../../support/toolContext.ts";

async function run(adopted: AnyTool, args: unknown) {
	const bench = await createToolBench();
	try {
		return await bench.call(adopted as never, args);
	} finally {
		await bench.remove();
	}
}

describe("adoptTool", () => {
	it.each([
		["a text as it is", "hello", "hello"],
		["anything else as JSON", { sum: 3 }, '{"sum":3}'],
		["nothing by a text that says so", undefined, "(no output)"],
	])("tells %s", async (_, output, text) => {
		const adopted = adoptTool("t", { inputSchema: z.object({}), execute: () => output });
		expect(await run(adopted, {})).toEqual({ status: "result", text });
	});

	it("gives the tool its arguments and the signal of the call", async () => {
		let options: unknown;
		const adopted = adoptTool("t", {
			inputSchema: z.object({ a: z.number().default(7) }),
			execute: (input: { a: number }, given: unknown) => {
				options = given;
				return `${input.a}`;
			},
		});
		expect(await run(adopted, {})).toMatchObject({ text: "7" });
		expect(options).toMatchObject({ abortSignal: expect.any(AbortSignal) });
	});

	it("makes what the tool throws the tool's own failure", async () => {
		const execute = () => Promise.reject(new Error("no network"));
		expect(await run(adoptTool("t", { execute }), {})).toMatchObject({
			status: "error",
			error: { type: "FAILED", message: "t failed: no network" },
		});
	});

	it("shows the model the schema, whichever way it was given", () => {
		const properties = { q: { type: "string" } } as const;
		const given = jsonSchema({ type: "object", properties, required: ["q"] });
		const ofJson = toolSchema(adoptTool("t", tool({ inputSchema: given, execute: () => "" })));
		const ofZod = toolSchema(adoptTool("t", { inputSchema: z.object({ q: z.string() }) }));
		for (const { inputSchema } of [ofJson, ofZod])
			expect(inputSchema).toMatchObject({ type: "object", properties, required: ["q"] });
		expect(toolSchema(adoptTool("t", {})).inputSchema).toMatchObject({ type: "object" });
	});

	it("has effects only where the tool says that it needs approval", () => {
		expect(adoptTool("t", {})).toMatchObject({ effects: "none", recovery: "none" });
		expect(adoptTool("t", { needsApproval: true })).toMatchObject({
			effects: "possible",
			recovery: "manual",
		});
	});
});

describe("adoptTools", () => {
	it("leaves agi's own tools as they are", () => {
		const own = readFile as unknown as AnyTool;
		const set = adoptTools({ readFile: own, add: { description: "adds" } });
		expect(set.names()).toEqual(["readFile", "add"]);
		expect(set.get("readFile")).toBe(own);
		expect(set.get("add")?.description).toBe("adds");
	});
});
