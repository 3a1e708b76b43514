// The long part of the crash protocol, outside of `npm test`: many real kills, disks that fail at every write and sync,
// and seeded lives with several deaths each. `npm run test:crash -- --minutes 10`; ends with 1 where anything is wrong.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { failureAt } from "./failingDisk.ts";
import { buildProgram, killTwice, seeded } from "./killing.ts";

const KILLS = 1_000;
const SEEDS = 10_000;
/** Kills mostly wait for processes to start. */
const KILLS_SIDE_BY_SIDE = 2 * availableParallelism();

const minutes = Number(process.argv[process.argv.indexOf("--minutes") + 1]) || 30;
const stopAt = Date.now() + minutes * 60_000;
const folder = mkdtempSync(join(tmpdir(), "agi-protocol-"));
let failures = 0;

function tell(what: string, done: number, wanted: number, faults: string[]): void {
	failures += faults.length;
	for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
	console.log(`${what}: ${done} of ${wanted} within the time, ${faults.length} faults`);
}

/** Each kind of error at the n-th write and sync, until a whole life meets none. */
async function failingDisks(until: number): Promise<void> {
	const faults: string[] = [];
	let done = 0;
	for (const code of ["ENOSPC", "EFBIG", "EIO"])
		for (const call of ["write", "sync"] as const)
			for (let at = 1, met = true; met && Date.now() < until; at++, done++) {
				const found = await failureAt(join(folder, `${code}-${call}-${at}`), code, call, at);
				met = found.met;
				faults.push(...found.faults.map((fault) => `${code} at ${call} ${at}: ${fault}`));
			}
	tell("failing disks", done, done, faults);
}

/** Two kills a session, the second while the first is recovered from. */
async function realKills(until: number): Promise<void> {
	const victim = buildProgram("victim", folder);
	const random = seeded(2);
	const faults: string[] = [];
	let begun = 0;
	let done = 0;
	const work = async () => {
		while (begun < KILLS && Date.now() < until) {
			begun += 2;
			faults.push(...(await killTwice(victim, random)));
			done += 2;
		}
	};
	await Promise.all(Array.from({ length: KILLS_SIDE_BY_SIDE }, work));
	tell("real kills", done, KILLS, faults);
}

/** Spread over processes, because they have no time to wait. */
async function seededLives(until: number): Promise<void> {
	const program = buildProgram("seeds", folder);
	const step = availableParallelism();
	const parts = await Promise.all(
		Array.from({ length: step }, (_, i) => seedsOf(program, [1 + i, step, SEEDS, until])),
	);
	const lives = parts.flat();
	const faults = lives.flatMap((life) => life.faults.map((fault) => `seed ${life.seed}: ${fault}`));
	tell("seeded lives", lives.length, SEEDS, faults);
}

interface SeededLife {
	seed: number;
	faults: string[];
}

function seedsOf(program: string, args: readonly number[]): Promise<SeededLife[]> {
	const child = spawn(process.execPath, [program, folder, ...args.map(String)], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let said = "";
	child.stdout.setEncoding("utf8").on("data", (part: string) => (said += part));
	return new Promise((resolve, reject) => {
		child.on("close", (code) => {
			const lives = said.trim() === "" ? [] : said.trim().split("\n");
			if (code === 0) resolve(lives.map((line) => JSON.parse(line) as SeededLife));
			else
				reject(new Error(`a process of seeded lives ended with ${code} after ${lives.at(-1) ?? "nothing"}`));
		});
	});
}

try {
	const half = () => Date.now() + (stopAt - Date.now()) / 2;
	await failingDisks(half());
	await realKills(half());
	await seededLives(stopAt);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures > 0 ? 1 : 0;
