// Reads AGENTS.md (or CLAUDE.md) of the user's folder, from the repository's root down to the workspace, and of folders
// that a session came to later. Whatever stands there instead of a text only leads to a warning. Never opens what could
// block, never follows a link out of the repository, never reads more than the bound.

import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { withoutHidden } from "../policy/hiddenCharacters.ts";
import type { Documents, DocumentsFound, FoundDocument } from "../ports/documents.ts";
import { createScopes } from "./documentScopes.ts";
import { markOf } from "./fileMark.ts";
import { readTextFile } from "./textFile.ts";

/** Bytes that are read of one file, and of all together. */
export const MAX_DOCUMENT_BYTES = 32 * 1024;

/** The first that stands in a folder is read. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];

interface Place {
	folder: string;
	names: readonly string[];
	scope: FoundDocument["scope"];
	/** Entered later; speaks for its own files alone. */
	isEntered?: true;
}

/** The documents of a workspace folder (a real path) and of the user's folder `configFolder`. */
export function createDocuments(cwd: string, configFolder: string): Documents {
	const above = foldersAbove(cwd);
	const root = above[0] ?? cwd;
	const places: Place[] = [
		{ folder: configFolder, names: NAMES.slice(0, 1), scope: "user" },
		...above.map((folder): Place => ({ folder, names: NAMES, scope: "project" })),
	];
	const scopes = createScopes(above);
	/** Files of that name which tools touched: one may be new in a folder that had none. */
	const touched = new Set<string>();
	let telling: Place[] = [];
	return {
		enter(path) {
			const absolute = resolve(cwd, path);
			scopes.enter(absolute);
			if (NAMES.includes(basename(absolute))) touched.add(absolute);
		},
		read() {
			const entered = scopes
				.folders()
				.map((folder): Place => ({ folder, names: NAMES, scope: "project", isEntered: true }));
			telling = entered.filter(({ folder }) => NAMES.some((name) => markOf(join(folder, name)) !== ""));
			return readPlaces(places, telling, cwd, root);
		},
		// Of all folders that were entered only those with a document are looked at, for there may be hundreds.
		mark() {
			const marks = [...places, ...telling].flatMap(({ folder, names }) =>
				names.map((name) => markOf(join(folder, name))),
			);
			return [scopes.folders().length, touched.size, ...marks].join();
		},
	};
}

/** From the repository's root down to `cwd`; `cwd` alone outside of a repository. */
function foldersAbove(cwd: string): string[] {
	const folders: string[] = [];
	for (let here = cwd; ; here = dirname(here)) {
		folders.unshift(here);
		if (existsSync(join(here, ".git"))) return folders;
		if (dirname(here) === here) return [cwd];
	}
}

function readPlaces(
	places: readonly Place[],
	entered: readonly Place[],
	cwd: string,
	root: string,
): DocumentsFound {
	const found: FoundDocument[] = [];
	const warnings: string[] = [];
	let left = MAX_DOCUMENT_BYTES;
	// The user's own and then the nearest get their room first. What was told already must not shrink because another
	// folder was entered, so that gets what is left.
	const byRank = [...places.slice(0, 1), ...places.slice(1).toReversed(), ...entered];
	for (const place of byRank) {
		const document = readPlace(place, left, cwd, root, warnings);
		if (!document) continue;
		left -= new TextEncoder().encode(document.text).length;
		found.push(document);
	}
	const user = found.filter(({ scope }) => scope === "user");
	const project = found.filter(({ scope, below }) => scope === "project" && below === undefined);
	const later = found.filter(({ below }) => below !== undefined);
	return { documents: [...user, ...project.toReversed(), ...later], warnings };
}

function readPlace(
	{ folder, names, scope, isEntered }: Place,
	room: number,
	cwd: string,
	root: string,
	warnings: string[],
): FoundDocument | undefined {
	for (const name of names) {
		const absolute = join(folder, name);
		const within = scope === "project" ? { within: root } : {};
		const reading = readTextFile(absolute, { maxBytes: room, ...within });
		if (reading.state === "absent") continue;
		const path = scope === "user" ? absolute : shownPath(cwd, absolute);
		if (reading.state === "unusable") {
			warnings.push(`${path} was not read: ${reading.why}.`);
			return undefined;
		}
		const { text, removed } = withoutHidden(reading.text);
		if (removed > 0)
			warnings.push(
				`${path} holds ${removed} hidden ${removed === 1 ? "character" : "characters"}; the model gets it without them.`,
			);
		if (reading.cut)
			warnings.push(
				`${path} has ${reading.bytes} bytes, but such files get ${MAX_DOCUMENT_BYTES} together; the rest of it is left out.`,
			);
		if (text.trim() === "") return undefined;
		const below = isEntered ? { below: shownPath(cwd, folder) } : {};
		return { path, scope, text, bytes: reading.bytes, cut: reading.cut, ...below };
	}
	return undefined;
}

/** Relative to the workspace, with `/` on every system. */
function shownPath(cwd: string, absolute: string): string {
	return relative(cwd, absolute).split(sep).join("/");
}
