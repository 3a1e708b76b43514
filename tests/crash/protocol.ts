// The long part of the crash protocol, outside of `npm test`: many real kills, disks that fail at every write and sync,
// and seeded lives with several deaths each. `npm run test:crash -- --minutes 10`; ends with 1 where anything is wrong.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SEMANTICS } from "./effects.ts";
import { failureAt } from "./failingDisk.ts";
import { buildVictim, killTwice, seeded } from "./killing.ts";
import { live } from "./life.ts";
import { createMortal } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";

const KILLS = 1_000;
const SEEDS = 10_000;
/** Deaths of one seeded session at most. */
const MOST_DEATHS = 4;
/** A session that does all its work passes about so many boundaries. */
const BOUNDARIES = 40;

const minutes = Number(process.argv[process.argv.indexOf("--minutes") + 1]) || 30;
const stopAt = performance.now() + minutes * 60_000;
const folder = mkdtempSync(join(tmpdir(), "agi-protocol-"));
let failures = 0;

function tell(what: string, done: number, wanted: number, faults: string[]): void {
	failures += faults.length;
	for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
	console.log(`${what}: ${done} of ${wanted} within the time, ${faults.length} faults`);
}

/** Two kills at a time, the second while the first is recovered from. */
async function realKills(until: number): Promise<void> {
	const victim = buildVictim(folder);
	const random = seeded(2);
	const faults: string[] = [];
	let kills = 0;
	for (; kills < KILLS && performance.now() < until; kills += 2)
		faults.push(...(await killTwice(victim, random)));
	tell("real kills", kills, KILLS, faults);
}

/** Each kind of error at the n-th write and sync, until a whole life meets none. */
async function failingDisks(until: number): Promise<void> {
	const faults: string[] = [];
	let done = 0;
	for (const code of ["ENOSPC", "EFBIG", "EIO"])
		for (const call of ["write", "sync"] as const)
			for (let at = 1, met = true; met && performance.now() < until; at++, done++) {
				const found = await failureAt(join(folder, `${code}-${call}-${at}`), code, call, at);
				met = found.met;
				faults.push(...found.faults.map((fault) => `${code} at ${call} ${at}: ${fault}`));
			}
	tell("failing disks", done, done, faults);
}

/** Deaths at boundaries that a seed chooses; a seed that fails is named, so that it can become a test. */
async function seededLives(until: number): Promise<void> {
	const faults: string[] = [];
	let seed = 1;
	for (; seed <= SEEDS && performance.now() < until; seed++) {
		const random = seeded(seed);
		const place = join(folder, `seed-${seed}`);
		const told = [];
		for (let death = 0; death < MOST_DEATHS; death++) {
			const mortal = createMortal(1 + Math.floor(random() * BOUNDARIES), random());
			const end = await live({ folder: place, calls: SEMANTICS, mortal });
			told.push(...end.acknowledged);
			faults.push(...end.broken.map((rule) => `seed ${seed}: ${rule}`));
		}
		const end = await live({ folder: place, calls: SEMANTICS, mortal: createMortal(0) });
		const wrong = await faultsOf(place, SEMANTICS, [...told, ...end.acknowledged]);
		faults.push(...wrong.map((fault) => `seed ${seed}: ${fault}`));
		rmSync(place, { recursive: true, force: true });
	}
	tell("seeded lives", seed - 1, SEEDS, faults);
}

try {
	const part = (stopAt - performance.now()) / 3;
	await failingDisks(performance.now() + part);
	await realKills(performance.now() + part);
	await seededLives(stopAt);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
