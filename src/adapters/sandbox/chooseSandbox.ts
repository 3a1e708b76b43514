// Finds out what can confine commands on this machine and how well. Whatever it takes is looked for outside of the
// workspace, which must not bring its own walls.

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, realpathSync } from "node:fs";
import { release } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { isInside, type SandboxLevel } from "../../policy/sandboxProfile.ts";
import type { Sandbox, SandboxKind } from "../../ports/sandbox.ts";
import { findProgram } from "../processes/launchPlan.ts";
import { type Bubblewrap, createBubblewrap, TEMP_FOLDERS } from "./bubblewrap.ts";
import { createDocker, DEFAULT_IMAGE } from "./docker.ts";
import { explainNoSandbox, type NoSandboxReason } from "./none.ts";
import { createSeatbelt, SANDBOX_EXEC } from "./seatbelt.ts";
import { seccompFilter } from "./seccomp.ts";
import { hasPassed, rememberPass, runSelfTest } from "./selfTest.ts";

/** What is wished for, and where. */
export interface SandboxWish {
	mode: "auto" | SandboxKind;
	env: Readonly<Record<string, string | undefined>>;
	/** Real paths, the workspace folder first. */
	roots: readonly string[];
	cacheFolder: string;
	/** Container image of docker. */
	image?: string;
	/** Trusts no earlier test. */
	anew?: boolean;
	platform?: NodeJS.Platform;
	arch?: string;
}

/** What confines commands; `sandbox` is absent where the level is `none`. */
export interface ChosenSandbox {
	sandbox?: Sandbox;
	kind: SandboxKind;
	level: Exclude<SandboxLevel, "checking">;
	/** Where the level is not `full`: why, and what to do. */
	notice?: string;
}

const run = promisify(execFile);
const PATIENCE_MS = 10_000;

/** Chooses and tests. Never rejects. */
export async function chooseSandbox(wish: SandboxWish): Promise<ChosenSandbox> {
	const platform = wish.platform ?? process.platform;
	const root = wish.roots.find(holdsTheSystem);
	if (root !== undefined && wish.mode !== "none") return none({ kind: "workspace", root });
	switch (wish.mode) {
		case "none":
		case "external":
			return none({ kind: "switched-off" });
		case "docker":
			return chooseDocker(wish);
		case "bubblewrap":
			return platform === "linux" ? chooseBubblewrap(wish) : none({ kind: "platform", platform });
		case "seatbelt":
			return platform === "darwin" ? chooseSeatbelt(wish) : none({ kind: "platform", platform });
		case "auto":
			if (platform === "linux") return chooseBubblewrap(wish);
			return platform === "darwin" ? chooseSeatbelt(wish) : none({ kind: "platform", platform });
		default: {
			const unknown: never = wish.mode;
			return unknown;
		}
	}
}

async function chooseBubblewrap(wish: SandboxWish): Promise<ChosenSandbox> {
	const arch = wish.arch ?? process.arch;
	const filter = seccompFilter(arch);
	if (filter === undefined) return none({ kind: "arch", arch });
	const file = findOutside("bwrap", wish);
	if (file === undefined) return none({ kind: "missing", program: "bwrap" });
	let version: number[];
	try {
		version = versionOf((await run(file, ["--version"], { timeout: PATIENCE_MS })).stdout);
	} catch (error) {
		return none({ kind: "failed", program: "bwrap", error: lastLine((error as Error).message) });
	}
	const sandbox = createBubblewrap({ file, version, filter, ...tempFolders(wish.env["PATH"] ?? "") });
	const key = [file, version.join("."), release(), process.getuid?.(), arch].join(" ");
	return tested(sandbox, "bwrap", key, wish);
}

async function chooseSeatbelt(wish: SandboxWish): Promise<ChosenSandbox> {
	if (!existsSync(SANDBOX_EXEC)) return none({ kind: "missing", program: "sandbox-exec" });
	const scratch = join(wish.cacheFolder, "scratch");
	try {
		mkdirSync(scratch, { recursive: true, mode: 0o700 });
	} catch (error) {
		return none({ kind: "failed", program: "sandbox-exec", error: (error as Error).message });
	}
	const sandbox = createSeatbelt(realpathSync(scratch));
	return tested(sandbox, "sandbox-exec", `seatbelt ${release()} ${process.getuid?.()}`, wish);
}

async function chooseDocker(wish: SandboxWish): Promise<ChosenSandbox> {
	const file = findOutside("docker", wish);
	if (file === undefined) return none({ kind: "missing", program: "docker" });
	const env = dockerEnvironment(wish.env);
	try {
		await run(file, ["version", "--format", "{{.Server.Version}}"], { timeout: PATIENCE_MS, env });
	} catch (error) {
		return none({ kind: "failed", program: "docker", error: lastLine((error as Error).message) });
	}
	const sandbox = createDocker({
		file,
		image: wish.image ?? DEFAULT_IMAGE,
		user: process.getuid ? `${process.getuid()}:${process.getgid?.()}` : undefined,
		workspace: wish.roots[0]!,
		name: () => `agi-${randomUUID()}`,
		env,
	});
	const notice = "Commands run in a container, whose walls agi cannot test, so each is asked about.";
	return { sandbox, kind: "docker", level: "partial", notice };
}

/** The level that the self-test finds; root or not, it alone decides. */
async function tested(
	sandbox: Sandbox,
	program: string,
	key: string,
	wish: SandboxWish,
): Promise<ChosenSandbox> {
	const { kind } = sandbox;
	if (!wish.anew && (await hasPassed(wish.cacheFolder, key))) return { sandbox, kind, level: "full" };
	const end = await runSelfTest(sandbox, join(wish.cacheFolder, "sandbox-test"));
	if (!end.ran) return none({ kind: "failed", program, error: end.error });
	const [worst] = end.succeeded;
	if (worst === undefined) {
		await rememberPass(wish.cacheFolder, key);
		return { sandbox, kind, level: "full" };
	}
	if (worst.startsWith("write") || worst.startsWith("remount")) return none({ kind: "escaped", program });
	const notice = `The sandbox has gaps here: a test command could ${end.succeeded.join(" and ")}. Commands run in it, and each is asked about.`;
	return { sandbox, kind, level: "partial", notice };
}

/** A mount of it would bring back what the sandbox has covered. */
function holdsTheSystem(root: string): boolean {
	return root === "/" || ["/dev", "/proc", "/sys"].some((folder) => isInside(root, folder));
}

function none(reason: NoSandboxReason): ChosenSandbox {
	return { kind: "none", level: "none", notice: explainNoSandbox(reason) };
}

/** A program on PATH that does not lie in the workspace, by whatever link. */
function findOutside(name: string, { env, roots }: SandboxWish): string | undefined {
	const isOutside = (path: string) => {
		try {
			const real = realpathSync(path);
			return !roots.some((root) => isInside(real, root));
		} catch {
			return false;
		}
	};
	for (const folder of (env["PATH"] ?? "").split(delimiter)) {
		const found = findProgram(name, folder);
		if (found !== undefined && isOutside(folder) && isOutside(found)) return found;
	}
	return undefined;
}

function versionOf(text: string): number[] {
	return (/\d+(\.\d+)*/.exec(text)?.[0] ?? "0").split(".").map(Number);
}

function tempFolders(searchPath: string): Pick<Bubblewrap, "tempFolders" | "resolver" | "programs"> {
	const folders = TEMP_FOLDERS.filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory());
	const isCovered = (path: string) => folders.some((folder) => isInside(path, folder));
	const programs = [dirname(process.execPath), ...searchPath.split(delimiter)].filter(
		(folder) => isCovered(folder) && !folders.some((temp) => temp === folder) && existsSync(folder),
	);
	return {
		tempFolders: folders,
		...(programs.length > 0 ? { programs: [...new Set(programs)] } : {}),
		...coveredResolver(isCovered),
	};
}

function coveredResolver(isCovered: (path: string) => boolean): Pick<Bubblewrap, "resolver"> {
	try {
		const resolver = realpathSync("/etc/resolv.conf");
		return isCovered(resolver) ? { resolver } : {};
	} catch {
		// Without it names cannot be found inside or outside.
		return {};
	}
}

function dockerEnvironment(env: SandboxWish["env"]): Record<string, string> {
	const kept = Object.entries(env).filter(([name]) => /^(PATH|HOME|DOCKER_.*|XDG_RUNTIME_DIR)$/.test(name));
	return Object.fromEntries(kept.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function lastLine(text: string): string {
	return text.trim().split("\n").at(-1) ?? "";
}
