import { describe, expect, it } from "vitest";
import { openHostBench } from "../support/hostBench.ts";

describe("the processes of a call", () => {
	it("bear the key of its recorded start, by which a restart finds what is left of them", async () => {
		const bench = await openHostBench(
			[
				{
					calls: [
						{ name: "runCommand", args: { command: "printenv AGI_CALL" } },
						{ name: "executeCode", args: { code: "console.log(process.env.AGI_CALL)" } },
					],
				},
				{ text: "done" },
			],
			{ mode: "bypassPermissions" },
		);
		await bench.say("run both");
		const facts = bench.facts();
		const keys = facts.flatMap((event) => (event.type === "tool/start" ? [event.idempotencyKey] : []));
		const told = facts.flatMap((event) => (event.type === "tool/result" ? [event.text.trim()] : []));
		expect(new Set(keys).size).toBe(2);
		expect(told.map((mark) => decodeURIComponent(mark.split(":")[1] ?? ""))).toEqual(keys);
	});
});
