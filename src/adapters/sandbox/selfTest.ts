// Tries the sandbox on this machine with the flags that commands get: five acts that must fail, each judged by what
// happened outside. A machine that passed is remembered in the cache folder, one that did not is tried again.

import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxProfile } from "../../policy/sandboxProfile.ts";
import type { ConfinedLaunch, Sandbox } from "../../ports/sandbox.ts";
import { openFds } from "./openFds.ts";

/** What must be impossible in a sandbox. */
export const FORBIDDEN_ACTS = [
	"write outside of the workspace",
	"remount the disk writable",
	"reach a port of this machine",
	"reach a unix socket of this machine",
	"change settings of the kernel",
] as const;

/** How the test ended; `succeeded` names the acts that were not stopped. */
export type SelfTestEnd =
	| { ran: true; succeeded: string[] }
	/** `error` is what the wrapper said. */
	| { ran: false; error: string };

const PATIENCE_MS = 15_000;

/** Run in the sandbox by Node; prints which acts it took for done. */
const PROBE = `
const fs = require("node:fs"), net = require("node:net"), { spawnSync } = require("node:child_process");
const [outside, port, socket] = process.argv.slice(1);
const done = (act) => { try { act(); return true; } catch { return false; } };
const reaches = (where) => new Promise((tell) => {
	const end = (yes) => () => { link.destroy(); tell(yes); };
	const link = net.connect(where).once("connect", end(true)).once("error", end(false));
});
(async () => {
	const acts = [
		done(() => fs.writeFileSync(outside, "1")),
		spawnSync("mount", ["-o", "remount,rw,bind", "/"]).status === 0,
		await reaches({ host: "127.0.0.1", port: Number(port) }),
		await reaches({ path: socket }),
		done(() => fs.closeSync(fs.openSync("/proc/sys/kernel/core_pattern", "r+"))),
	];
	done(() => fs.writeFileSync(outside, "1"));
	fs.writeFileSync("inside", "1");
	process.stdout.write(JSON.stringify(acts));
})();
`;

/** Runs the test in a fresh folder below `folder`, or in the temp folder where that cannot be made. Never rejects. */
export async function runSelfTest(sandbox: Sandbox, folder: string): Promise<SelfTestEnd> {
	const made: string[] = [];
	const servers: Server[] = [];
	try {
		const place = await makePlace(folder);
		made.push(place);
		const workspace = join(place, "workspace");
		const outside = join(place, "outside");
		await mkdir(workspace);
		const meeting = isShort(workspace) ? workspace : await makeTemporary();
		made.push(meeting);
		const socket = join(meeting, "s");
		servers.push(await listen({ host: "127.0.0.1", port: 0 }), await listen({ path: socket }));
		const { port } = servers[0]!.address() as AddressInfo;
		const args = ["-e", PROBE, outside, String(port), socket];
		const launch = {
			file: process.execPath,
			args,
			cwd: workspace,
			env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
		};
		const profile = sandboxProfile(
			{ roots: [workspace, meeting], protectedPaths: [], hidden: [], shown: [] },
			{ writable: true, network: false },
		);
		const { output, errors } = await runProbe(sandbox.prepare(launch, profile), workspace);
		// Without its last words it did not come to its end; a full disk is no fault of the sandbox.
		if (!existsSync(join(workspace, "inside")) || output === "")
			return { ran: false, error: noSpace(errors, place) ?? firstLine(errors) };
		const told = JSON.parse(output) as boolean[];
		// A write into the sandbox's own temp folder is none.
		told[0] = existsSync(outside);
		return { ran: true, succeeded: FORBIDDEN_ACTS.filter((_, index) => told[index] !== false) };
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { ran: false, error: noSpace(message, made[0] ?? folder) ?? message };
	} finally {
		for (const server of servers) server.close();
		for (const path of made) await rm(path, { recursive: true, force: true }).catch(() => {});
	}
}

/** Whether a machine that is known by `key` has passed before. */
export async function hasPassed(cacheFolder: string, key: string): Promise<boolean> {
	const stored = await readFile(join(cacheFolder, CACHE_FILE), "utf8").catch(() => "");
	return stored === cacheText(key);
}

/** Remembers that it passed; a cache that cannot be written is none. */
export async function rememberPass(cacheFolder: string, key: string): Promise<void> {
	const draft = join(cacheFolder, `${CACHE_FILE}.${process.pid}`);
	try {
		await mkdir(cacheFolder, { recursive: true, mode: 0o700 });
		await writeFile(draft, cacheText(key), { mode: 0o600 });
		await rename(draft, join(cacheFolder, CACHE_FILE));
	} catch {
		await rm(draft, { force: true }).catch(() => {});
	}
}

const CACHE_FILE = "sandbox.json";

function cacheText(key: string): string {
	return `${JSON.stringify({ passed: key })}\n`;
}

async function makePlace(folder: string): Promise<string> {
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		return await realpath(await mkdtemp(join(folder, "test-")));
	} catch {
		return makeTemporary();
	}
}

async function makeTemporary(): Promise<string> {
	return realpath(await mkdtemp(join(tmpdir(), "agi-sandbox-")));
}

/** Whether a unix socket can stand in the folder: the system takes no more than about 100 bytes for its path. */
function isShort(folder: string): boolean {
	return Buffer.byteLength(folder) < 90;
}

function listen(where: { host: string; port: number } | { path: string }): Promise<Server> {
	return new Promise((resolve, reject) => {
		const server = createServer((link) => link.destroy()).unref();
		server.once("error", reject).listen(where, () => resolve(server));
	});
}

function runProbe(launch: ConfinedLaunch, cwd: string): Promise<{ output: string; errors: string }> {
	const fds = openFds(launch.fds);
	return new Promise((resolve, reject) => {
		const child = spawn(launch.file, launch.args, {
			cwd,
			env: launch.env,
			detached: true,
			timeout: PATIENCE_MS,
			killSignal: "SIGKILL",
			stdio: ["ignore", "pipe", "pipe", ...fds.stdio],
		});
		fds.close();
		let output = "";
		let errors = "";
		child.stdout!.setEncoding("utf8").on("data", (part: string) => {
			output += part;
		});
		child.stderr!.setEncoding("utf8").on("data", (part: string) => {
			errors += part;
		});
		child.once("error", reject);
		child.once("close", () => resolve({ output, errors }));
		void fds.feed(child);
	});
}

/** The sentence part for a test that found no room for its files; undefined where `errors` tell of something else. */
function noSpace(errors: string, place: string): string | undefined {
	// As Node says it of a file; bwrap names the same code where a limit of namespaces is reached.
	const full = /\b(ENOSPC|EDQUOT): /.exec(errors);
	return full ? `its test could not be written to ${place}: the disk is full (${full[1]})` : undefined;
}

function firstLine(text: string): string {
	return text.trim().split("\n", 1)[0] || "it ended without a word";
}
