import { describe, expect, it } from "vitest";
import type { CommandDesk } from "../../src/ui/commandDesk.ts";
import { runCommand } from "../../src/ui/commands.ts";
import { openHostBench } from "../support/hostBench.ts";

describe("/init", () => {
	it.each([
		["", /^Write AGENTS\.md for this repository[\s\S]*could not find out\.$/],
		["in German", /^Write AGENTS\.md[\s\S]*The user adds: in German$/],
	])("submits the task to draft AGENTS.md, with what the person adds: %j", async (wish, task) => {
		const bench = await openHostBench([{ text: "done" }]);
		const desk = { client: bench.client, show: () => undefined } as unknown as CommandDesk;
		await runCommand(desk, "init", wish);
		await bench.until(() => bench.model.requests.length === 1);
		expect(bench.model.requests[0]!.request.messages.at(-1)!.text).toMatch(task);
		await bench.close();
	});
});
