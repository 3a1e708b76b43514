// Where skills may stand: the folders of a workspace up to its repository's root, and those of the person.

import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** A folder that holds skills. No link may lead out of `within`. */
export interface SkillPlace {
	folder: string;
	scope: "user" | "project";
	within: string;
}

/** Folders of a person or project that hold skills, as several programs agree on. */
const NAMES = [".agent/skills", ".agents/skills", ".claude/skills"];

/**
 * The places of skills, the nearest first: the workspace's, then outwards to the repository's root, then the person's.
 * A project's only where `trusted`. `cwd` and `home` are real paths, `config` is agi's folder of settings; without
 * `home` it alone is the person's.
 */
export function skillPlaces(
	cwd: string,
	{ home, config, trusted }: { home?: string | undefined; config: string; trusted: boolean },
): SkillPlace[] {
	const folders = foldersUp(cwd);
	const root = folders.at(-1) ?? cwd;
	const project = folders.flatMap((folder) =>
		NAMES.map((name): SkillPlace => ({ folder: join(folder, name), scope: "project", within: root })),
	);
	const isAtHome = home !== undefined && isBelow(config, home);
	const user: SkillPlace[] = [
		{ folder: join(config, "skills"), scope: "user", within: isAtHome ? home : config },
	];
	if (home !== undefined)
		for (const name of NAMES.slice(1)) user.push({ folder: join(home, name), scope: "user", within: home });
	return [...(trusted ? project : []), ...user];
}

/** From `cwd` up to the repository's root; `cwd` alone outside of a repository. */
export function foldersUp(cwd: string): string[] {
	const folders: string[] = [];
	for (let here = cwd; ; here = dirname(here)) {
		folders.push(here);
		if (existsSync(join(here, ".git"))) return folders;
		if (dirname(here) === here) return [cwd];
	}
}

function isBelow(path: string, folder: string): boolean {
	return path.startsWith(folder === sep ? sep : folder + sep);
}
