// The only test of the syncs themselves: a real session's file calls are recorded, and each state that a power cut may
// leave of them is recovered. What was told as saved is there, and nothing happens twice.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionEvent } from "../../src/session/events.ts";
import { SEMANTICS } from "./effects.ts";
import { buildProgram } from "./killing.ts";
import { live, sessionsIn } from "./life.ts";
import { createMortal } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";
import { layDown, type Wreck, wrecksOf } from "./powerCut.ts";
import type { DiskOp } from "./recordedCalls.ts";

const folder = mkdtempSync(join(tmpdir(), "agi-power-"));
let program = "";
beforeAll(() => {
	program = buildProgram("recorded", folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lives once in `place`, in a process of its own, and gives its file calls. */
function record(place: string, calls: readonly string[]): DiskOp[] {
	const trace = join(folder, "trace");
	mkdirSync(join(place, "workspace"), { recursive: true });
	execFileSync(process.execPath, [program, place, calls.join(","), trace], { stdio: "pipe" });
	return JSON.parse(readFileSync(trace, "utf8")) as DiskOp[];
}

/** Recovers what the power cut left in `place` and lives on to the end; [] where that is as it must be. */
async function faultsAfter(wreck: Wreck, place: string, calls: readonly string[]): Promise<string[]> {
	rmSync(place, { recursive: true });
	try {
		layDown(wreck, place);
		const end = await live({ folder: place, calls, mortal: createMortal(0) });
		const told = wreck.told.map((event) => JSON.parse(event) as SessionEvent);
		return [...end.broken, ...(await faultsOf(place, calls, [...told, ...end.acknowledged]))];
	} catch (error) {
		return [String(error)];
	}
}

/** A life in `place` recovers from a power cut at each of its moments; at the same path, which the log names. */
async function expectAllRecover(
	place: string,
	ops: readonly DiskOp[],
	calls: readonly string[],
): Promise<void> {
	const wrecks = [...wrecksOf(ops)];
	expect(wrecks.length).toBeGreaterThan(25);
	for (const wreck of wrecks) {
		const faults = await faultsAfter(wreck, place, calls);
		expect({ after: wreck.name, faults }).toEqual({ after: wreck.name, faults: [] });
	}
}

describe("a session whose machine loses its power", { timeout: 120_000 }, () => {
	it.each(SEMANTICS.map((one) => [one]))(
		"keeps what it told and does nothing twice, whatever of its file calls was lost, with %s",
		async (...calls) => {
			const place = join(folder, `first-${calls}`);
			await expectAllRecover(place, record(place, calls), calls);
		},
	);

	it("does so in the start after a torn line, too", async () => {
		const calls = ["manual"];
		const place = join(folder, "torn");
		const whole = join(folder, "whole");
		await live({ folder: whole, calls, mortal: createMortal(0) });
		const log = readFileSync(join(sessionsIn(whole), "s", "log.jsonl"));
		const [first = 0, second = 0] = [...log.keys()].filter((at) => log[at] === 0x0a);
		mkdirSync(join(sessionsIn(place), "s"), { recursive: true });
		writeFileSync(join(sessionsIn(place), "s", "log.jsonl"), log.subarray(0, (first + second) >> 1));
		const ops = record(place, calls);
		expect(ops.some(({ op }) => op === "truncate")).toBe(true);
		await expectAllRecover(place, ops, calls);
	});
});
