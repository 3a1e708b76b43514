// Where agi keeps things: the user's three folders, the project's `.agent/` and the id that ties sessions to a project.
// Synchronous inside: a dozen small calls at start, quicker than the thread pool. Never fails for a folder that cannot
// be written, and never writes through a link that a repository brought along.

import { hash, randomUUID } from "node:crypto";
import { linkSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { AgiError } from "../types.ts";
import { isInsideProc } from "./insideProc.ts";

/** Absolute paths of the user's folders; none of them is made here. */
export interface DataFolders {
	config: string;
	data: string;
	cache: string;
}

/** Which project a folder belongs to. */
export interface ProjectIdentity {
	/** A UUID, or `path-` and 32 hex digits where the project's folder cannot keep one. Safe as a file name. */
	projectId: string;
	/** Absolute path of `.agent`, whether it exists or not; absent where there must be none (home, `/`). */
	agentFolder?: string;
	/** A sentence for the person: the project's folder should keep the id, and what it keeps is none. */
	idFault?: string;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The user's folders: under `AGI_HOME` where it is set, else by the XDG Base Directory Specification. Relative values are
 * ignored, as that specification has it: they would name another folder in each project.
 */
export function dataFolders(env: Record<string, string | undefined>): DataFolders {
	const root = env["AGI_HOME"];
	if (root && isAbsolute(root))
		return { config: join(root, "config"), data: join(root, "data"), cache: join(root, "cache") };
	const home = env["HOME"] || homedir();
	const place = (value: string | undefined, standard: string) =>
		join(value && isAbsolute(value) ? value : join(home, standard), "agi");
	return {
		config: place(env["XDG_CONFIG_HOME"], ".config"),
		data: place(env["XDG_DATA_HOME"], join(".local", "share")),
		cache: place(env["XDG_CACHE_HOME"], ".cache"),
	};
}

/** Throws `AgiError` (exit 42) where one of the user's folders would be below `/proc`, where none can be made. */
export function refuseProc(folders: DataFolders): void {
	for (const folder of Object.values(folders)) {
		if (!isInsideProc(folder)) continue;
		throw new AgiError(
			"HOME_UNUSABLE",
			`No folder can be made below /proc, so agi can keep nothing in ${folder}. Set HOME or AGI_HOME to a folder of your own.`,
			{ exitCode: 42 },
		);
	}
}

/**
 * The project of a folder. With `create` (the default) the first call makes `.agent/project.json` and
 * `.agent/.gitignore`; without it nothing is written. Never rejects for what a file system can do.
 */
export async function projectIdentity(
	cwd: string,
	options: { home?: string; create?: boolean } = {},
): Promise<ProjectIdentity> {
	const folder = realPath(cwd);
	const root = projectRoot(folder, realPath(options.home ?? homedir()));
	if (root === undefined) return { projectId: pathId(folder) };
	const agentFolder = join(root, ".agent");
	const stored =
		readProjectId(agentFolder) ?? ((options.create ?? true) ? makeProjectId(agentFolder) : undefined);
	if (stored !== undefined) return { projectId: stored, agentFolder };
	const path = idPath(agentFolder);
	return { projectId: pathId(root), agentFolder, ...(exists(path) ? { idFault: idFault(path) } : {}) };
}

function idPath(agentFolder: string): string {
	return join(agentFolder, "project.json");
}

function idFault(path: string): string {
	return (
		`${path} holds no id of a project, so this folder's sessions are kept under its path. ` +
		"Restore that file, or remove it to get a new id; earlier sessions: agi sessions list --all"
	);
}

/** The folder whose `.agent` counts: the nearest with one up to the git root, else the git root, else `folder`. */
function projectRoot(folder: string, home: string): string | undefined {
	const isShared = (path: string) => path === home || path === dirname(path);
	if (isShared(folder)) return undefined;
	const above = [folder];
	// A home that is itself a repository (dotfiles) is no project of the folders in it.
	for (let path = dirname(folder); !isShared(path); path = dirname(path)) above.push(path);
	const gitDepth = above.findIndex((path) => exists(join(path, ".git")));
	const candidates = above.slice(0, Math.max(gitDepth, 0) + 1);
	return candidates.find((path) => exists(join(path, ".agent"))) ?? candidates.at(-1);
}

function readProjectId(agentFolder: string): string | undefined {
	try {
		const { id } = JSON.parse(readFileSync(idPath(agentFolder), "utf8")) as { id?: unknown };
		return typeof id === "string" && UUID.test(id) ? id : undefined;
	} catch {
		return undefined;
	}
}

/** Writes a new id, or gives back the one that another process wrote meanwhile; undefined where neither can be. */
function makeProjectId(agentFolder: string): string | undefined {
	const path = idPath(agentFolder);
	const draft = `${path}.${randomUUID()}`;
	try {
		if (!exists(agentFolder)) mkdirSync(agentFolder);
		if (!lstatSync(agentFolder).isDirectory()) return undefined;
		writeFileSync(draft, `${JSON.stringify({ id: randomUUID() })}\n`, { flag: "wx" });
		// A link appears with its whole content and never replaces a file, so of two processes one wins for both.
		linkSync(draft, path);
		writeFileSync(join(agentFolder, ".gitignore"), "project.json\nlogs/\n", { flag: "wx" });
	} catch {
		// What is there counts, whoever wrote it.
	}
	try {
		rmSync(draft, { force: true });
	} catch {
		// `.agent` is no folder: there is no draft either.
	}
	return readProjectId(agentFolder);
}

function pathId(folder: string): string {
	return `path-${hash("sha256", folder, "hex").slice(0, 32)}`;
}

/** Links followed; a folder that is gone stays as it is written. */
function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return resolve(path);
	}
}

/** False also where the folder above may not be entered. */
function exists(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
	} catch {
		return false;
	}
}
