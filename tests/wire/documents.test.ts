import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHostBench } from "../support/hostBench.ts";

describe("a session in a folder with AGENTS.md", () => {
	it("keeps the same instructions after a restart, and tells what changed meanwhile", async () => {
		const bench = await openHostBench(
			Array.from({ length: 4 }, () => ({ text: "ok" })),
			{
				trusted: true,
				prepare(root) {
					mkdirSync(join(root, ".git"), { recursive: true });
					writeFileSync(join(root, "AGENTS.md"), "Use tabs.");
				},
			},
		);
		await bench.say("one");
		const { sessionId } = bench.client.greeting;
		await bench.ok({ do: "newSession" });
		bench.write("AGENTS.md", "Use spaces.");
		await bench.ok({ do: "resumeSession", id: sessionId });
		await bench.say("two");
		const [first, second] = bench.model.requests.map(({ request }) => request);
		expect(first!.system).toContain("Use tabs.");
		expect(second!.system).toBe(first!.system);
		expect(second!.messages.slice(0, 2)).toEqual([
			...first!.messages,
			{ role: "assistant", text: "ok", calls: [] },
		]);
		expect(second!.messages[2]!.text).toContain("Use spaces.");
		await bench.close();
	});
});
