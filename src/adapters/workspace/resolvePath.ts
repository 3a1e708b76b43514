// Where a path really leads, and what may be said of it. Only looks: links are followed by the system's own realpath.
// Single metadata calls are made without leaving the thread; they take microseconds, and a hop to the pool costs more.

import { lstatSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isSecretPath } from "../../policy/secretNames.ts";
import type { ResolvedPath, WorkspaceResult } from "../../ports/workspace.ts";
import { errorCode, refuse, refuseFor } from "./fsErrors.ts";
import { isProtectedPath } from "./guardedNames.ts";

/** Links that dangle one behind the other; as many as the system itself follows. */
const MAX_DANGLING_LINKS = 40;

/** The folders that count as inside, by real path, and the person's home. */
export interface Roots {
	root: string;
	added: readonly string[];
	home: string;
}

/**
 * Resolves `given` against the workspace folder; `~` is the home folder. Fails where the path cannot name anything or
 * may not be looked at, and with `folder_gone` where the workspace itself has vanished.
 */
export function resolvePath(roots: Roots, given: string): WorkspaceResult<ResolvedPath> {
	if (given === "") return refuse("invalid_path", "The path is empty; name a file or a folder.");
	if (given.includes("\0"))
		return refuse("invalid_path", "The path holds a NUL character; no file can be named so.");
	const absolute = resolve(
		roots.root,
		given === "~" || given.startsWith("~/") ? roots.home + given.slice(1) : given,
	);
	try {
		const link = lookAt(absolute);
		const real = follow(absolute, 0);
		if (link === undefined && !exists(roots.root)) return folderGone(roots.root);
		const target = real === absolute ? link : real === undefined ? undefined : lookAt(real);
		const place = real ?? absolute;
		return {
			ok: true,
			value: {
				given,
				absolute,
				real: place,
				kind: real === undefined ? "other" : kindOf(target),
				isLink: link?.isSymbolicLink() ?? false,
				...judge(roots, absolute, place),
			},
		};
	} catch (error) {
		return refuseFor(error, `Looking at ${given}`);
	}
}

/** The error for a workspace folder that is no longer there. */
export function folderGone(root: string): ReturnType<typeof refuse> {
	return refuse("folder_gone", `The folder ${root} no longer exists. Start agi again in a folder that does.`);
}

/** True where something, even a dangling link, stands at this path. */
export function exists(path: string): boolean {
	return lookAt(path) !== undefined;
}

/** Real path, also of what does not exist yet; undefined where links lead in a circle. */
function follow(path: string, links: number): string | undefined {
	try {
		return realpathSync.native(path);
	} catch (error) {
		if (errorCode(error) === "ELOOP" || links > MAX_DANGLING_LINKS) return undefined;
		if (!isMissing(error)) throw error;
	}
	const parent = dirname(path);
	if (parent === path) return path;
	const realParent = follow(parent, links);
	if (realParent === undefined) return undefined;
	const here = join(realParent, basename(path));
	if (!lookAt(here)?.isSymbolicLink()) return here;
	return follow(resolve(realParent, readlinkSync(here)), links + 1);
}

function lookAt(path: string): Stats | undefined {
	try {
		return lstatSync(path);
	} catch (error) {
		if (isMissing(error) || errorCode(error) === "ELOOP") return undefined;
		throw error;
	}
}

function isMissing(error: unknown): boolean {
	const code = errorCode(error);
	return code === "ENOENT" || code === "ENOTDIR";
}

function kindOf(stats: Stats | undefined): ResolvedPath["kind"] {
	if (stats === undefined) return "missing";
	if (stats.isFile()) return "file";
	return stats.isDirectory() ? "folder" : "other";
}

/** Both the path as written and where it leads are judged: either may carry the name that matters. */
function judge(
	roots: Roots,
	absolute: string,
	real: string,
): Pick<ResolvedPath, "inside" | "shown" | "isProtected" | "isSecret"> {
	const paths = absolute === real ? [real] : [absolute, real];
	const names = paths.map((path) => namesBelow(roots, path));
	const home = [roots.root, ...roots.added].find((folder) => isWithin(folder, real));
	return {
		inside: home !== undefined,
		shown: home === roots.root ? relative(roots.root, real).split(sep).join("/") || "." : real,
		isProtected: names.some(isProtectedPath),
		isSecret: names.some(isSecretPath),
	};
}

/** The workspace may itself lie below a guarded name; only what lies below it counts. */
function namesBelow(roots: Roots, path: string): string[] {
	const base = [roots.root, ...roots.added].find((folder) => isWithin(folder, path));
	return (base === undefined ? path : relative(base, path)).split(sep).filter((name) => name !== "");
}

function isWithin(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
