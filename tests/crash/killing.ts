// Kills real processes at random moments, twice in a row, tears the log that was being written, and lets another life finish
// the work. Gives what is wrong afterwards.

import { spawn } from "node:child_process";
import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import type { SessionEvent } from "../../src/session/events.ts";
import { SEMANTICS } from "./effects.ts";
import { live, sessionsIn } from "./life.ts";
import { createRealLife } from "./mortal.ts";
import { faultsOf } from "./oracle.ts";

/** The longest life of a victim after its first word, in milliseconds. */
const NEWLINE = 10;
const LONGEST_LIFE_MS = 40;

/** Builds `NAME.ts` beside this file as one file, so that it starts fast; returns its path. */
export function buildProgram(name: "victim" | "recorded" | "seeds", folder: string): string {
	const outfile = join(folder, `${name}.mjs`);
	buildSync({
		entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
		bundle: true,
		platform: "node",
		format: "esm",
		outfile,
		banner: {
			js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
		},
		logLevel: "error",
	});
	return outfile;
}

/** Two kills in one folder, the second one while the first is recovered from; [] where nothing is wrong. */
export async function killTwice(victim: string, random: () => number): Promise<string[]> {
	const folder = mkdtempSync(join(tmpdir(), "agi-kill-"));
	try {
		const acknowledged = new Map<string, SessionEvent[]>();
		for (let kill = 0; kill < 2; kill++) {
			gather(acknowledged, await killOnce(victim, folder, random() * LONGEST_LIFE_MS));
			if (random() < 0.5) tear(folder, random);
		}
		const faults: string[] = [];
		for (const job of readdirSync(folder)) {
			const place = join(folder, job);
			const end = await live({ folder: place, calls: SEMANTICS, mortal: createRealLife() });
			const told = [...(acknowledged.get(job) ?? []), ...end.acknowledged];
			faults.push(...end.broken, ...(await faultsOf(place, SEMANTICS, told)));
		}
		return faults;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Starts a victim and kills it so long after its first word; resolves with what it said. */
function killOnce(victim: string, folder: string, afterMs: number): Promise<string> {
	mkdirSync(folder, { recursive: true });
	const child = spawn(process.execPath, [victim, folder], { stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	let complaint = "";
	child.stderr.on("data", (part) => (complaint += part));
	child.stdout.setEncoding("utf8").on("data", (part: string) => {
		if (said === "") setTimeout(() => child.kill("SIGKILL"), afterMs);
		said += part;
	});
	return new Promise((resolve, reject) => {
		child.on("close", (code, signal) => {
			if (signal === "SIGKILL") resolve(said);
			else reject(new Error(`the victim ended by itself (${code}): ${complaint}`));
		});
	});
}

/** Takes what was told as saved, by job; a last line that the kill cut off was not told. */
function gather(acknowledged: Map<string, SessionEvent[]>, said: string): void {
	for (const line of said.split("\n").slice(1, -1)) {
		const at = line.indexOf(" ");
		const job = line.slice(0, at);
		const event = JSON.parse(line.slice(at + 1)) as SessionEvent;
		acknowledged.set(job, [...(acknowledged.get(job) ?? []), event]);
	}
}

/** Leaves a part of a line at the end of the log that was written last, as a power cut would. */
function tear(folder: string, random: () => number): void {
	const job = Math.max(...readdirSync(folder).map(Number), -1);
	const log = join(sessionsIn(join(folder, String(job))), "s", "log.jsonl");
	// Whoever writes has cut the last torn line off before.
	if (existsSync(log) && !isTorn(readFileSync(log)))
		appendFileSync(log, '{"v":1,"seq":'.slice(0, 1 + Math.floor(random() * 12)));
}

/** Numbers in [0, 1) that are the same for the same seed. */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

function isTorn(log: Buffer): boolean {
	return log.length > 0 && log.at(-1) !== NEWLINE;
}
