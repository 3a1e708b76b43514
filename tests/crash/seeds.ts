// Lives of seeded sessions, several deaths each, for as long as there is time. Run as `node seeds.mjs FOLDER FIRST STEP LAST
// UNTIL`, `UNTIL` in epoch milliseconds; tells each seed that it has done and each fault.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { SEMANTICS } from "./effects.ts";
import { seeded } from "./killing.ts";
import { live } from "./life.ts";
import { createMortal } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";

/** Deaths of one session at most. */
const MOST_DEATHS = 4;
/** A session that does all its work passes about so many boundaries. */
const BOUNDARIES = 40;

const [, , folder = "", first, step, last, until] = process.argv;

/** Deaths at boundaries that the seed chooses; gives what is wrong. A seed that fails can become a test. */
async function faultsOfSeed(seed: number): Promise<string[]> {
	const random = seeded(seed);
	const place = join(folder, `seed-${seed}`);
	const told = [];
	const faults: string[] = [];
	for (let death = 0; death < MOST_DEATHS; death++) {
		const mortal = createMortal(1 + Math.floor(random() * BOUNDARIES), random());
		const end = await live({ folder: place, calls: SEMANTICS, mortal });
		told.push(...end.acknowledged);
		faults.push(...end.broken);
	}
	const end = await live({ folder: place, calls: SEMANTICS, mortal: createMortal(0) });
	faults.push(...end.broken, ...(await faultsOf(place, SEMANTICS, [...told, ...end.acknowledged])));
	rmSync(place, { recursive: true, force: true });
	return faults;
}

for (let seed = Number(first); seed <= Number(last) && Date.now() < Number(until); seed += Number(step))
	process.stdout.write(`${JSON.stringify({ seed, faults: await faultsOfSeed(seed) })}\n`);
