// A folder that another process swaps for a link to the outside, over and over, while the file tools work in it: nothing
// outside is ever read, made, changed or removed.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	watch,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspace } from "../../../src/adapters/workspace/nodeWorkspace.ts";
import type { Workspace } from "../../../src/ports/workspace.ts";

/** `npm run test:fuzz` sets 20,000. */
const TRIES = Number(process.env["RACE_TRIES"] ?? 2_000);

/** Exchanges `d` and a link to the outside for ever: at each moment one of them has the name (RENAME_EXCHANGE). */
const SWAP = `
import ctypes, os, sys
os.symlink(sys.argv[1], "link")
libc = ctypes.CDLL(None)
print("swapping", flush=True)
while libc.renameat2(-100, b"d", -100, b"link", 2) == 0:
	pass`;

const hasPython = spawnSync("python3", ["--version"]).status === 0;

let outer: string;
let swapper: ChildProcess;
let workspace: Workspace;
/** What happened in the folder outside. */
let touched: string[];
let stopWatching: () => void;

beforeEach(async () => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-race-")));
	const [root, outside] = [join(outer, "app"), join(outer, "outside")];
	mkdirSync(join(root, "d"), { recursive: true });
	mkdirSync(outside);
	for (const [folder, text] of [
		[join(root, "d"), "inside"],
		[outside, "OUTSIDE"],
	] as const)
		writeFileSync(join(folder, "f.txt"), text);
	touched = [];
	const watcher = watch(outside, (kind, name) => touched.push(`${kind} ${name}`));
	stopWatching = () => watcher.close();
	workspace = await createWorkspace({ root, home: join(outer, "home") });
	swapper = spawn("python3", ["-c", SWAP, outside], {
		cwd: root,
		stdio: ["ignore", "pipe", "inherit"],
	});
	await once(swapper.stdout!, "data");
});

afterEach(async () => {
	stopWatching();
	const stillSwaps = swapper.exitCode === null;
	const ended = stillSwaps ? once(swapper, "exit") : undefined;
	swapper.kill("SIGKILL");
	await ended;
	expect(stillSwaps).toBe(true);
	rmSync(outer, { recursive: true, force: true });
});

type Try = "done" | "stopped" | "escaped";

async function readOnce(): Promise<Try> {
	const resolved = await workspace.resolve("d/f.txt");
	if (!resolved.ok || !resolved.value.inside) return "stopped";
	const read = await workspace.read(resolved.value);
	if (!read.ok) return "stopped";
	return read.value.text === "OUTSIDE" ? "escaped" : "done";
}

async function writeOnce(name: string): Promise<Try> {
	const resolved = await workspace.resolve(`d/${name}`);
	if (!resolved.ok || !resolved.value.inside) return "stopped";
	const written = await workspace.write(resolved.value, Buffer.from("inside"), {});
	return written.ok ? "done" : "stopped";
}

async function removeOnce(): Promise<Try> {
	const resolved = await workspace.resolve("d/f.txt");
	if (!resolved.ok || !resolved.value.inside) return "stopped";
	const removed = await workspace.remove(resolved.value, {});
	return removed.ok ? "done" : "stopped";
}

const KINDS = [
	["reads", () => readOnce()],
	["writes", () => writeOnce("f.txt")],
	["writes with new folders", (at: number) => writeOnce(`new${at % 7}/deep/g.txt`)],
	["removals", async (at: number) => (at % 2 === 0 ? writeOnce("f.txt") : removeOnce())],
] as const;

describe.skipIf(process.platform !== "linux" || !hasPython)(
	`${TRIES} tries in a folder that is swapped for a link`,
	() => {
		it("meet what a check of the name alone would not have stopped", async () => {
			const file = join(outer, "app", "d", "f.txt");
			const seemsInside = () => {
				try {
					return realpathSync(file).startsWith(join(outer, "app"));
				} catch {
					// Swapped between two looks of its own.
					return false;
				}
			};
			while (touched.length === 0) {
				if (seemsInside()) writeFileSync(file, "inside");
				await new Promise(setImmediate);
			}
			expect(readFileSync(join(outer, "outside", "f.txt"), "utf8")).not.toBe("OUTSIDE");
		});

		it.each(KINDS)("let no %s get outside", { timeout: 900_000 }, async (_, attempt) => {
			const counts = { done: 0, stopped: 0, escaped: 0 };
			// A run in which the swap never met a try would show nothing.
			for (let at = 0; at < TRIES / KINDS.length || counts.done === 0 || counts.stopped === 0; at++)
				counts[await attempt(at)]++;
			expect(counts.escaped).toBe(0);
			expect(touched).toEqual([]);
			const outside = join(outer, "outside");
			expect(readdirSync(outside)).toEqual(["f.txt"]);
			expect(readFileSync(join(outside, "f.txt"), "utf8")).toBe("OUTSIDE");
		});
	},
);
