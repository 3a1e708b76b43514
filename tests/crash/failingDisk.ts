// A disk that fails once: the session says so in a sentence, nothing that was saved is harmed, and after the fault is
// gone another start does the work.

import { type Disk, realDisk } from "../../src/adapters/sessionLog/logFile.ts";
import { AgiError } from "../../src/types.ts";
import { SEMANTICS } from "./effects.ts";
import { type LifeEnd, live } from "./life.ts";
import { createRealLife, type Mortal } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";

const SENTENCE = /could not be saved|did not confirm/;

/** One life with the `at`-th call failing with `code`, and one without. `met`: the first life came as far as that. */
export async function failureAt(
	folder: string,
	code: string,
	call: "write" | "sync",
	at: number,
): Promise<{ met: boolean; faults: string[] }> {
	let passed = 0;
	const fail = (which: "write" | "sync"): void => {
		if (which === call && ++passed === at) throw Object.assign(new Error(code), { code });
	};
	const disk: Disk = {
		...realDisk,
		write(fd, bytes) {
			fail("write");
			return realDisk.write(fd, bytes);
		},
		async sync(fd) {
			fail("sync");
			await realDisk.sync(fd);
		},
	};
	const faults: string[] = [];
	const told: LifeEnd["acknowledged"] = [];
	const lives: Mortal[] = [{ ...createRealLife(), disk }, createRealLife()];
	for (const mortal of lives) {
		try {
			const onAcknowledged = (events: readonly LifeEnd["acknowledged"][number][]) =>
				void told.push(...events);
			const end = await live({ folder, calls: SEMANTICS, mortal, onAcknowledged });
			faults.push(...end.broken);
		} catch (error) {
			if (!(error instanceof AgiError) || !SENTENCE.test(error.message)) throw error;
		}
	}
	return { met: passed >= at, faults: [...faults, ...(await faultsOf(folder, SEMANTICS, told))] };
}
