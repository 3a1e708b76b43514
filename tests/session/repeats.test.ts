import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countEnd, timesFailed } from "../../src/session/repeats.ts";
import type { OpenCall, RepeatedFailure } from "../../src/session/state.ts";
import type { ToolErrorType } from "../../src/types.ts";

const stamp = (path: string, digest: string | null) => ({ path, digest });

function call(name: string, more: Partial<OpenCall> = {}): OpenCall {
	return {
		callId: "c",
		providerId: "c",
		name,
		args: {},
		effects: "none",
		recovery: "none",
		toolVersion: 1,
		...more,
	};
}

const started = (more: Partial<NonNullable<OpenCall["started"]>> = {}): Partial<OpenCall> => ({
	effects: "possible",
	started: { idempotencyKey: "k", before: [], after: [], ...more },
});

const OK = { status: "result" } as const;
const failure = (type: ToolErrorType = "FAILED") =>
	({ status: "error", error: { type, message: "m", retryable: true } }) as const;

/** Failures that count after `call` failed twice and `between` ended well. */
function twiceThen(between: OpenCall, of = call("npmTest", { effects: "possible" })): RepeatedFailure[] {
	const twice = countEnd(countEnd([], of, failure(), "step-1"), of, failure(), "step-2");
	return countEnd(twice, between, OK, "step-3");
}

describe("countEnd", () => {
	it.each([
		["a read", call("readFile")],
		["a command that only reads", call("runCommand", started({ onlyReads: true }))],
		[
			"a write that left the file as it was",
			call("writeFile", started({ before: [stamp("/a", "1")], after: [stamp("/a", "1")] })),
		],
	])("goes on counting after %s", (_, between) => {
		expect(twiceThen(between).map(({ times }) => times)).toEqual([2]);
	});

	it.each([
		["a changed file", call("editFile", started({ before: [stamp("/a", "1")], after: [stamp("/a", "2")] }))],
		["a new file", call("writeFile", started({ before: [stamp("/a", null)], after: [stamp("/a", "2")] }))],
		[
			"a deleted file",
			call("deleteFile", started({ before: [stamp("/a", "1")], after: [stamp("/a", null)] })),
		],
		["a command that may have changed something", call("runCommand", started())],
	])("begins anew after %s", (_, between) => {
		expect(twiceThen(between)).toEqual([]);
	});

	it("takes arguments in another order for the same, and other arguments for another call", () => {
		const one = countEnd([], call("t", { args: { a: 1, b: { c: 2, d: 3 } } }), failure(), "step-1");
		const times = (again: OpenCall) => timesFailed(one, again, failure(), "step-2");
		expect(times(call("t", { args: { b: { d: 3, c: 2 }, a: 1 } }))).toBe(2);
		expect(times(call("t", { args: { a: 1 } }))).toBe(1);
		expect(times(call("t", { invalidArguments: "{" }))).toBe(1);
		expect(times(call("u", { args: { a: 1, b: { c: 2, d: 3 } } }))).toBe(1);
	});

	it("counts failures of one step once", () => {
		const failed = call("t");
		const once = countEnd(countEnd([], failed, failure(), "step-1"), failed, failure(), "step-1");
		expect(once.map(({ times }) => times)).toEqual([1]);
		expect(countEnd(once, failed, failure(), "step-2").map(({ times }) => times)).toEqual([2]);
	});

	it("counts failures since the call itself, or one that changed something, last succeeded", () => {
		const names = ["a", "b", "c"] as const;
		const types = ["FAILED", "TIMEOUT"] as const;
		const step = fc.oneof(
			fc.record({ name: fc.constantFrom(...names), type: fc.constantFrom(...types) }),
			fc.record({ name: fc.constantFrom(...names, "read", "write"), type: fc.constant(undefined) }),
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
				let failures: RepeatedFailure[] = [];
				for (const [at, { name, type }] of steps.entries())
					failures = countEnd(
						failures,
						call(name, name === "write" ? started() : {}),
						type === undefined ? OK : failure(type),
						`step-${at}`,
					);
				for (const name of names)
					for (const type of types) {
						const last = steps.findLastIndex(
							(one) => one.type === undefined && (one.name === name || one.name === "write"),
						);
						const since = steps.slice(last + 1).filter((one) => one.name === name && one.type === type);
						expect(timesFailed(failures, call(name), failure(type), "step-now")).toBe(since.length + 1);
					}
			}),
		);
	});
});
