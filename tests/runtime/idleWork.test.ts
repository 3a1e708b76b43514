import { describe, expect, it, vi } from "vitest";
import type { Clock } from "../../src/ports/world.ts";
import { createIdleWork } from "../../src/runtime/idleWork.ts";
import type { Listener } from "../../src/runtime/publish.ts";
import type { SessionEvent } from "../../src/session/events.ts";

const STARTED: SessionEvent = { type: "turn/start", turnId: "t", source: { kind: "recovery" } };
const ENDED: SessionEvent = { type: "turn/end", turnId: "t", status: "completed" };

/** A session to tell events of, a clock that stands until it is moved, and work whose ends the test decides. */
function openBench() {
	let listener: Listener = () => undefined;
	let now = 0;
	const waits: { until: number; go(): void }[] = [];
	const clock: Clock = {
		now: () => now,
		wait: (ms, signal) =>
			new Promise((resolve, reject) => {
				waits.push({ until: now + ms, go: resolve });
				signal.addEventListener("abort", () => reject(signal.reason));
			}),
	};
	const began: { signal: AbortSignal; end(): void }[] = [];
	const session = {
		subscribe: (given: Listener) => {
			listener = given;
			return () => {
				listener = () => undefined;
			};
		},
	};
	const idle = createIdleWork(
		session,
		clock,
		(signal) =>
			new Promise((resolve, reject) => {
				began.push({ signal, end: resolve });
				signal.addEventListener("abort", () => reject(signal.reason));
			}),
	);
	return {
		idle,
		began,
		tell: (...events: SessionEvent[]) => listener({ kind: "facts", seq: 1, at: "", events }),
		pass(ms: number) {
			now += ms;
			for (const { until, go } of waits) if (until <= now) go();
		},
		/** Resolves once that many pieces of work have begun. */
		until: (count: number) => vi.waitFor(() => expect(began).toHaveLength(count), { interval: 1 }),
		settled: () => new Promise<void>((resolve) => setImmediate(resolve)),
	};
}

describe("createIdleWork", () => {
	it("begins a moment after a turn ended, and not before", async () => {
		const bench = openBench();
		bench.tell(ENDED);
		await bench.settled();
		bench.pass(1_000);
		await bench.settled();
		expect(bench.began).toHaveLength(0);
		bench.pass(1_000);
		await bench.until(1);
		const stopped = bench.idle.stop();
		expect(bench.began[0]?.signal.aborted).toBe(true);
		await stopped;
	});

	it("stops when a turn begins, and begins again after it", async () => {
		const bench = openBench();
		bench.tell(STARTED, ENDED);
		await bench.settled();
		bench.pass(2_000);
		await bench.until(1);
		bench.tell(STARTED);
		expect(bench.began[0]?.signal.aborted).toBe(true);
		bench.tell(ENDED);
		await bench.settled();
		bench.pass(2_000);
		await bench.until(2);
		await bench.idle.stop();
	});

	it("is not done again soon after it was finished", async () => {
		const bench = openBench();
		const turn = async () => {
			bench.tell(STARTED);
			bench.tell(ENDED);
			await bench.settled();
			bench.pass(2_000);
			await bench.settled();
		};
		await turn();
		bench.began[0]?.end();
		await bench.settled();
		await turn();
		expect(bench.began).toHaveLength(1);
		bench.pass(60_000);
		await turn();
		expect(bench.began).toHaveLength(2);
		await bench.idle.stop();
	});

	it("does nothing once it is stopped", async () => {
		const bench = openBench();
		await bench.idle.stop();
		bench.tell(ENDED);
		bench.pass(5_000);
		await bench.settled();
		expect(bench.began).toHaveLength(0);
	});
});
