import { describe, expect, it } from "vitest";
import type { CommandSandbox, SandboxState } from "../../src/ports/sandbox.ts";
import type { ShownSandbox } from "../../src/rpc/protocol.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { shownSandbox, watchSandbox } from "../../src/wire/sandboxWatch.ts";

const CHECKING: SandboxState = {
	kind: "none",
	level: "checking",
	network: false,
	writable: true,
	required: false,
};

/** A sandbox whose self-test finds `found`, and a clock that a test moves on. */
function bench(found: Partial<SandboxState>, interactive = true) {
	let state = CHECKING;
	let checks = 0;
	const sandbox: CommandSandbox = {
		state: () => state,
		async check() {
			checks++;
			state = { ...state, ...found };
			return state;
		},
	};
	const waits: (() => void)[] = [];
	let tellFacts: (events: SessionEvent[]) => void = () => undefined;
	const told: ShownSandbox[] = [];
	const stop = watchSandbox({
		session: {
			subscribe(listener) {
				tellFacts = (events) => listener({ kind: "facts", seq: 1, at: "", events });
				return () => undefined;
			},
		},
		sandbox,
		interactive,
		clock: {
			now: () => 0,
			wait: (_, signal) =>
				new Promise((done, fail) => {
					waits.push(done);
					signal.addEventListener("abort", () => fail(signal.reason));
				}),
		},
		onChange: (shown) => told.push(shown),
	});
	const settle = () => new Promise(setImmediate);
	return {
		told,
		stop,
		checks: () => checks,
		change: (next: Partial<SandboxState>) => {
			state = { ...state, ...next };
			tellFacts([{ type: "mode/changed", mode: "bypassPermissions", by: "person" }]);
		},
		async passTime() {
			for (const done of waits.splice(0)) done();
			await settle();
		},
	};
}

describe("watchSandbox", () => {
	it("has the self-test run once the screen is quiet, and tells what it found", async () => {
		const watched = bench({ level: "full", kind: "bubblewrap" });
		expect(watched.checks()).toBe(0);
		await watched.passTime();
		expect(watched.told).toEqual([{ level: "full", network: false }]);
	});

	it("tries nothing where nobody looks, nor after its end", async () => {
		const headless = bench({ level: "full" }, false);
		const ended = bench({ level: "full" });
		ended.stop();
		await headless.passTime();
		await ended.passTime();
		expect([headless.checks(), ended.checks()]).toEqual([0, 0]);
	});

	it("tells when the mode switches the sandbox off, and nothing twice", async () => {
		const watched = bench({ level: "full" });
		await watched.passTime();
		watched.change({});
		watched.change({ level: "none" });
		expect(watched.told.slice(1)).toEqual([{ level: "none", network: true }]);
	});
});

describe("shownSandbox", () => {
	it("says that the network is on where nothing confines commands, and why that is", () => {
		const state: SandboxState = { ...CHECKING, level: "none", notice: "There is no bwrap." };
		expect(shownSandbox(state)).toEqual({ level: "none", network: true, notice: "There is no bwrap." });
	});
});
