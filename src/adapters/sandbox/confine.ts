// Confines one command: looks at what stands in the workspace, lets the policy make the profile, has the sandbox wrap the
// launch, and afterwards takes away what the command made that would steer programs.

import { cpSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { type HiddenPath, hiddenCandidates, sandboxProfile } from "../../policy/sandboxProfile.ts";
import type { Confine, Sandbox } from "../../ports/sandbox.ts";
import { createProtectedFinder, newEntries, type ProtectedEntry } from "./protectedPaths.ts";

/** Where commands run and what they must not see; real absolute paths. */
export interface ConfineOptions {
	sandbox: Sandbox;
	/** The workspace folder first, then the added ones. */
	roots: readonly string[];
	/** Whether the person trusts them: else commands may only read. */
	writable: boolean;
	/** The person's home folders, by every name they have. */
	homes: readonly string[];
	/** agi's own folders. */
	agiFolders: readonly string[];
	/** Folders outside the roots that commands may read though they lie in hidden ones: the person's own skills. */
	readable?(): readonly string[];
	/** Where files that a command should not have made are kept. Made when needed. */
	quarantine: string;
}

/** The way of every command of a session into its sandbox. */
export function createConfine(options: ConfineOptions): Confine {
	const { sandbox, roots, writable } = options;
	const find = createProtectedFinder();
	return async (launch, wish) => {
		const before = find(roots);
		const candidates = hiddenCandidates(options.homes, options.agiFolders, roots);
		const shown = [...wish.shown, ...existing(options.readable?.() ?? []).map(({ path }) => path)];
		const profile = sandboxProfile(
			{ roots, protectedPaths: before.targets, hidden: existing(candidates), shown },
			{ writable, network: wish.network },
		);
		return {
			launch: sandbox.prepare(launch, profile),
			async finish() {
				if (!writable) return [];
				const made = newEntries(before.entries, find(roots).entries);
				return made.map((entry) => takeAway(entry, options));
			},
		};
	};
}

function existing(candidates: readonly string[]): HiddenPath[] {
	const found: HiddenPath[] = [];
	for (const candidate of candidates) {
		try {
			if (lstatSync(candidate, { throwIfNoEntry: false }) === undefined) continue;
			// A mount needs the real path.
			const path = realpathSync(candidate);
			found.push({ path, kind: lstatSync(path).isDirectory() ? "folder" : "file" });
		} catch {
			// What this user cannot reach needs no hiding, nor does a link that leads nowhere.
		}
	}
	return found;
}

function takeAway({ path }: ProtectedEntry, { quarantine, roots }: ConfineOptions): string {
	const folder = join(quarantine, `${new Date().toISOString().replaceAll(":", "")}-${process.pid}`);
	const root = roots.find((candidate) => path.startsWith(`${candidate}/`)) ?? roots[0]!;
	const shown = relative(root, path);
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const kept = freeName(folder, basename(path));
		move(path, kept);
		return `It made ${shown}, which steers programs on this machine, so that was moved to ${kept}.`;
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return `It made ${shown}, which steers programs on this machine and could not be moved away: ${why}. Remove it.`;
	}
}

function freeName(folder: string, name: string): string {
	for (let number = 1; ; number++) {
		const path = join(folder, `${number}-${name}`);
		if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
	}
}

function move(from: string, to: string): void {
	try {
		renameSync(from, to);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
		cpSync(from, to, { recursive: true, verbatimSymlinks: true });
		rmSync(from, { recursive: true, force: true });
	}
}
