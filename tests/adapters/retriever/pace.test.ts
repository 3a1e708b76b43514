import { describe, expect, it } from "vitest";
import { createPace } from "../../../src/adapters/retriever/pace.ts";

/** Keeps the processor busy until this process has used so many milliseconds of it. */
function work(ms: number): void {
	const began = process.cpuUsage();
	for (let used = 0; used < ms * 1000; ) {
		const { user, system } = process.cpuUsage(began);
		used = user + system;
	}
}

describe("createPace", () => {
	it("rests for as long as the share asks for", async () => {
		const rest = createPace(0.25, new AbortController().signal);
		work(20);
		const began = performance.now();
		await rest();
		expect(performance.now() - began).toBeGreaterThanOrEqual(58);
	});

	it("rejects at an abort instead of resting on", async () => {
		const controller = new AbortController();
		const rest = createPace(0.0001, controller.signal);
		work(5);
		const resting = rest();
		controller.abort();
		await expect(resting).rejects.toMatchObject({ name: "AbortError" });
	});
});
