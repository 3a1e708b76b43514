// Reads AGENTS.md (or CLAUDE.md) of the user's folder and from the repository's root down to the workspace. Whatever
// stands there instead of a text only leads to a warning. Never opens what could block, never follows a link out of the
// repository, never reads more than the bound.

import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { withoutHidden } from "../policy/hiddenCharacters.ts";
import type { Documents, DocumentsFound, FoundDocument } from "../ports/documents.ts";

/** Bytes that are read of one file, and of all together. */
export const MAX_DOCUMENT_BYTES = 32 * 1024;

/** The first that stands in a folder is read. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];

interface Place {
	folder: string;
	names: readonly string[];
	scope: FoundDocument["scope"];
}

/** What a path holds. */
type Reading =
	| { state: "absent" }
	| { state: "unusable"; why: string }
	| { state: "text"; text: string; bytes: number; cut: boolean };

/** The documents of a workspace folder (a real path) and of the user's folder `configFolder`. */
export function createDocuments(cwd: string, configFolder: string): Documents {
	const above = foldersAbove(cwd);
	const root = above[0] ?? cwd;
	const places: Place[] = [
		{ folder: configFolder, names: NAMES.slice(0, 1), scope: "user" },
		...above.map((folder): Place => ({ folder, names: NAMES, scope: "project" })),
	];
	return {
		read: () => readPlaces(places, cwd, root),
		mark: () => places.flatMap(({ folder, names }) => names.map((name) => markOf(join(folder, name)))).join(),
	};
}

/** From the repository's root down to `cwd`; `cwd` alone outside of a repository. */
function foldersAbove(cwd: string): string[] {
	const folders: string[] = [];
	for (let here = cwd; ; here = dirname(here)) {
		folders.unshift(here);
		if (statSync(join(here, ".git"), { throwIfNoEntry: false })) return folders;
		if (dirname(here) === here) return [cwd];
	}
}

function readPlaces(places: readonly Place[], cwd: string, root: string): DocumentsFound {
	const found: FoundDocument[] = [];
	const warnings: string[] = [];
	let left = MAX_DOCUMENT_BYTES;
	// The user's own and then the nearest get their room first.
	const byRank = [...places.slice(0, 1), ...places.slice(1).toReversed()];
	for (const place of byRank) {
		const document = readPlace(place, left, cwd, root, warnings);
		if (!document) continue;
		left -= new TextEncoder().encode(document.text).length;
		found.push(document);
	}
	const [user, project] = [found.filter((d) => d.scope === "user"), found.filter((d) => d.scope !== "user")];
	return { documents: [...user, ...project.toReversed()], warnings };
}

function readPlace(
	{ folder, names, scope }: Place,
	room: number,
	cwd: string,
	root: string,
	warnings: string[],
): FoundDocument | undefined {
	for (const name of names) {
		const absolute = join(folder, name);
		const reading = readText(absolute, room, scope === "project" ? root : undefined);
		if (reading.state === "absent") continue;
		const path = scope === "user" ? absolute : relative(cwd, absolute).split(sep).join("/");
		if (reading.state === "unusable") {
			warnings.push(`${path} was not read: ${reading.why}.`);
			return undefined;
		}
		const { text, removed } = withoutHidden(reading.text);
		if (removed > 0)
			warnings.push(`${path} holds ${removed} hidden characters; the model gets it without them.`);
		if (reading.cut)
			warnings.push(
				`${path} has ${reading.bytes} bytes, but such files get ${MAX_DOCUMENT_BYTES} together; the rest of it is left out.`,
			);
		return text.trim() === "" ? undefined : { path, scope, text, bytes: reading.bytes, cut: reading.cut };
	}
	return undefined;
}

function readText(path: string, room: number, root: string | undefined): Reading {
	let fd: number | undefined;
	try {
		const real = realpathSync(path);
		if (root !== undefined && real !== root && !real.startsWith(root.endsWith(sep) ? root : root + sep))
			return { state: "unusable", why: "it is a link that leads out of the repository" };
		// A pipe that stands there must not be waited for.
		fd = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stats = fstatSync(fd);
		if (stats.isDirectory()) return { state: "unusable", why: "it is a folder" };
		if (!stats.isFile()) return { state: "unusable", why: "it is not a file" };
		const bytes = Buffer.alloc(Math.min(stats.size, Math.max(0, room)));
		const length = readSync(fd, bytes, 0, bytes.length, 0);
		return decode(bytes.subarray(0, length), stats.size);
	} catch (error) {
		return reasonOf(error);
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

function decode(bytes: Uint8Array, size: number): Reading {
	// Streaming, so that a letter at the cut is left out and not taken for damage.
	const text = new TextDecoder("utf-8").decode(bytes, { stream: bytes.length < size });
	const damaged = text.match(/[\0\ufffd]/g)?.length ?? 0;
	if (damaged > text.length / 50) return { state: "unusable", why: "it is not a text in UTF-8" };
	return { state: "text", text, bytes: size, cut: bytes.length < size };
}

function reasonOf(error: unknown): Reading {
	const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
	switch (code) {
		case "ENOENT":
		case "ENOTDIR":
			return { state: "absent" };
		case "ELOOP":
			return { state: "unusable", why: "it is a link that leads in a circle" };
		case "EACCES":
		case "EPERM":
			return { state: "unusable", why: "its permissions forbid it" };
		default:
			return { state: "unusable", why: code };
	}
}

function markOf(path: string): string {
	try {
		const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
		return stats ? `${stats.ino}/${stats.size}/${stats.mtimeNs}` : "";
	} catch {
		return "?";
	}
}
