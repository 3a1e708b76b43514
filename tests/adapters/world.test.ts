import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWorld, formatSessionId } from "../../src/adapters/world.ts";

describe("formatSessionId", () => {
	it("begins with the time in UTC and ends with six base-36 digits", () => {
		expect(formatSessionId(Date.parse("2026-11-29T17:20:31.120Z"), 35)).toBe("20261129-172031-3c000z");
	});

	it("sorts by time to the millisecond, whatever the chance", () => {
		const moment = fc.integer({ min: 0, max: 4e12 });
		const chance = fc.integer({ min: 0, max: 36 ** 4 - 1 });
		fc.assert(
			fc.property(moment, fc.integer({ min: 1, max: 1e9 }), chance, chance, (at, later, a, b) => {
				expect(formatSessionId(at, a) < formatSessionId(at + later, b)).toBe(true);
			}),
			{ seed: 17 },
		);
	});
});

describe("createWorld", () => {
	it("makes session ids that are safe as file names and differ", () => {
		const world = createWorld();
		const ids = Array.from({ length: 50 }, () => world.sessionId());
		for (const id of ids) expect(id).toMatch(/^\d{8}-\d{6}-[0-9a-z]{6}$/);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it("digests text and bytes to the same SHA-256 in hex", () => {
		const world = createWorld();
		const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
		expect(world.digest("")).toBe(empty);
		expect(world.digest(new Uint8Array())).toBe(empty);
		expect(world.digest("é")).toBe(world.digest(Buffer.from("é")));
	});

	it("waits until the time is over, or rejects with the reason of an abort before or during it", async () => {
		const { clock } = createWorld();
		await expect(clock.wait(0, new AbortController().signal)).resolves.toBeUndefined();
		const reason = new Error("stop");
		await expect(clock.wait(1e9, AbortSignal.abort(reason))).rejects.toBe(reason);
		const controller = new AbortController();
		const waiting = clock.wait(1e12, controller.signal);
		controller.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});
});
