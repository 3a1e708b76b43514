// The folders whose loss nobody could make good, and the arithmetic of paths that finds them behind every spelling.
// Works on text alone: links are the sandbox's and the workspace's business.

import { matchesName } from "./namePattern.ts";

/** Stands in an expanded word for a piece whose text only the shell will know; no real argument can hold it. */
export const UNKNOWN = "\u0000";

/** Where a command runs, as far as its judge must know. Paths are absolute. */
export interface CommandPlaces {
	/** The workspace folder first, then the added ones. */
	workspaceRoots: readonly string[];
	/** The person's home folder. */
	home: string;
	/** Folder the command starts in; the workspace where absent. */
	cwd?: string;
	/** The process id of agi itself. */
	agiPid?: number;
	/** agi's own folders: settings and credentials stand in `config`, sessions in `data`. */
	agiFolders?: { config: string; data: string };
	/** Real folders outside of the workspace that file tools may read like it: those of the person's own skills. */
	readable?: readonly string[];
}

/** A folder that must not go, told for the person; `contents` where only everything inside it was meant. */
export interface VitalFolder {
	label: string;
	kind: "root" | "system" | "home" | "workspace";
	contents: boolean;
}

const SYSTEM_FOLDERS =
	"/Applications /Library /System /Users /bin /boot /dev /etc /home /lib /lib32 /lib64 /proc /root /sbin /sys /usr /var".split(
		" ",
	);

/** `path` made absolute against `cwd`, with `.`, `..` and doubled slashes folded; undefined where `cwd` is needed but unknown. */
export function absolutePath(path: string, cwd: string | undefined): string | undefined {
	if (!path.startsWith("/") && cwd === undefined) return undefined;
	const parts: string[] = [];
	for (const part of (path.startsWith("/") ? path : `${cwd}/${path}`).split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return `/${parts.join("/")}`;
}

/** Of real paths outside of the workspace, those that may not be read like it. */
export function notReadable(
	paths: readonly string[] | undefined,
	{ readable = [] }: CommandPlaces,
): string[] {
	const isReadable = (path: string) =>
		readable.some((folder) => path === folder || path.startsWith(`${folder}/`));
	return (paths ?? []).filter((path) => !isReadable(path));
}

/** The folder, or everything in the folder, that an absolute path or glob would name; undefined for an ordinary one. */
export function vitalFolder(pattern: string, places: CommandPlaces): VitalFolder | undefined {
	const slash = pattern.lastIndexOf("/");
	if (isAllGlob(pattern.slice(slash + 1))) {
		const parent = matchVital(pattern.slice(0, slash) || "/", places);
		if (parent) return { ...parent, contents: true };
	}
	const exact = matchVital(pattern, places);
	return exact && { ...exact, contents: false };
}

function matchVital(pattern: string, places: CommandPlaces): Omit<VitalFolder, "contents"> | undefined {
	if (pattern === "/") return { label: "the root folder /", kind: "root" };
	const hit = (folder: string) => matchesPath(pattern, folder);
	for (const root of places.workspaceRoots) {
		if (hit(root)) return { label: `the workspace folder ${root}`, kind: "workspace" };
	}
	if (hit(places.home) || /^\/(home|Users)\/[^/*?[]+$/.test(pattern)) {
		return { label: `the home folder ${pattern}`, kind: "home" };
	}
	const system = SYSTEM_FOLDERS.find(hit);
	if (system) return { label: `the system folder ${system}`, kind: "system" };
	for (const folder of [...places.workspaceRoots, places.home]) {
		const parent = ancestors(folder).find(hit);
		if (parent) return { label: `${parent}, which holds ${folder}`, kind: "system" };
	}
	return undefined;
}

function ancestors(path: string): string[] {
	const parts = path.split("/").filter((part) => part !== "");
	return parts.slice(1).map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

/** A last component such as `*`, `.*`, `?*` or `.[!.]*`, which names everything there is. */
function isAllGlob(component: string): boolean {
	return component.includes("*") && /^[*?.!^[\]]+$/.test(component);
}

/** Component by component; a bracket counts as one letter of any kind. */
function matchesPath(pattern: string, path: string): boolean {
	if (!/[*?[]/.test(pattern)) return pattern === path;
	const [globs, names] = [pattern.replace(/\[[^\]/]*\]/g, "?").split("/"), path.split("/")];
	return globs.length === names.length && globs.every((glob, index) => matchesName(glob, names[index] ?? ""));
}
