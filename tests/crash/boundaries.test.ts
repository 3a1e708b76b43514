// Death at every boundary of a session's work, and a second one while the next start recovers: nothing that was told as
// saved is lost, nothing happens twice, every request is valid, and the work is done in the end.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SEMANTICS } from "./effects.ts";
import { type LifeEnd, live, sessionsIn } from "./life.ts";
import { createMortal } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
	const folder = mkdtempSync(join(tmpdir(), "agi-crash-"));
	try {
		return await use(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Boundaries of a life without a death. */
function boundaries(calls: readonly string[]): Promise<number> {
	return inFolder(async (folder) => {
		const mortal = createMortal(0);
		await live({ folder, calls, mortal });
		return mortal.passed;
	});
}

/** Dies where told, one death a life, then lives to the end; gives what is wrong with what that left. */
function afterDeaths(calls: readonly string[], deaths: { at: number; torn?: number }[]): Promise<string[]> {
	return inFolder(async (folder) => {
		const lives: LifeEnd[] = [];
		for (const { at, torn } of [...deaths, { at: 0 }])
			lives.push(await live({ folder, calls, mortal: createMortal(at, torn) }));
		const before = readFileSync(join(sessionsIn(folder), "s", "log.jsonl"));
		await live({ folder, calls, mortal: createMortal(0) });
		const isSame = readFileSync(join(sessionsIn(folder), "s", "log.jsonl")).equals(before);
		return [
			...lives.flatMap((life) => life.broken),
			...(await faultsOf(
				folder,
				calls,
				lives.flatMap((life) => life.acknowledged),
			)),
			...(isSame ? [] : ["a start of the finished session changed it"]),
		];
	});
}

describe.each([...SEMANTICS.map((one) => [one]), [...SEMANTICS]])(
	"a session killed while it works on %s",
	(...calls) => {
		it("loses nothing and does nothing twice, whatever the boundary", async () => {
			const last = await boundaries(calls);
			expect(last).toBeGreaterThan(12);
			for (let at = 1; at <= last; at++)
				expect({ at, faults: await afterDeaths(calls, [{ at, torn: (at % 5) / 5 }]) }).toEqual({
					at,
					faults: [],
				});
		});

		it("survives a second death in each recovery", async () => {
			const last = await boundaries(calls);
			for (let at = 1; at <= last; at++) {
				const deaths = [{ at }, { at: 1 + ((at * 7) % 12), torn: 0.5 }];
				expect({ deaths, faults: await afterDeaths(calls, deaths) }).toEqual({ deaths, faults: [] });
			}
		});
	},
);
