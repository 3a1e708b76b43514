// The two files of memory on the disk. Written whole, one writer at a time, and only over what was read; never through a
// link that leads out of the project. Nothing here knows what their lines mean.

import { createHash } from "node:crypto";
import { closeSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import type { MemoryFiles, MemoryResult, MemoryText, MemoryWrite } from "../../ports/memory.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";
import type { MemoryScope } from "../../types.ts";
import { markOf } from "../fileMark.ts";
import { errorCode } from "../workspace/fsErrors.ts";
import { openRegular } from "../workspace/openFile.ts";
import { replaceFile } from "../workspace/replaceFile.ts";
import { resolvePath } from "../workspace/resolvePath.ts";
import { takeFileLock } from "./fileLock.ts";

/** A longer file is not read: what it says would never fit a request. */
const MAX_BYTES = 256 * 1024;

/** How often a change is worked out anew because somebody else wrote. */
const TRIES = 5;

/** Where the files are; all paths absolute. */
export interface MemoryPlaces {
	/** The workspace: what shown paths are told from. */
	cwd: string;
	/** `.agent`; absent where the folder is no project. */
	agentFolder?: string;
	/** The user's folder of settings. */
	configFolder: string;
	/** Where locks are kept. */
	lockFolder: string;
}

interface Place {
	scope: MemoryScope;
	/** The folder that no link may lead out of. */
	root: string;
	file: string;
}

/** The memory of a project and its user. */
export function createMemoryFiles(places: MemoryPlaces): MemoryFiles {
	return {
		read(scope) {
			const place = placeOf(places, scope);
			// Most have none, and every start reads both.
			if (place.ok && isAbsent(place.value.file)) {
				const { file } = place.value;
				return {
					ok: true,
					value: { scope, path: shownPath(places.cwd, file), real: file, text: "", digest: null },
				};
			}
			const resolved = place.ok ? resolve(places, place.value) : place;
			return resolved.ok ? readText(scope, resolved.value) : resolved;
		},
		change: (scope, edit) => changeFile(places, scope, edit),
		mark: () =>
			(["user", "project"] as const)
				.map((scope) => {
					const place = placeOf(places, scope);
					return place.ok ? markOf(place.value.file) : "";
				})
				.join(),
	};
}

function placeOf({ agentFolder, configFolder }: MemoryPlaces, scope: MemoryScope): MemoryResult<Place> {
	if (scope === "user")
		return { ok: true, value: { scope, root: configFolder, file: join(configFolder, "USER.md") } };
	if (agentFolder === undefined)
		return { ok: false, kind: "none", message: "This folder is no project of its own, so it has no memory." };
	const root = dirname(agentFolder);
	return { ok: true, value: { scope, root, file: join(agentFolder, "MEMORY.md") } };
}

/** Where the file really stands. What the user linked in a folder of his own is his business. */
function resolve({ cwd }: MemoryPlaces, { scope, root, file }: Place): MemoryResult<ResolvedPath> {
	const everywhere = { root: sep, added: [], home: homedir() };
	const [folder, resolved] = [resolvePath(everywhere, root), resolvePath(everywhere, file)];
	if (!folder.ok) return { ok: false, kind: "failed", message: folder.error.message };
	if (!resolved.ok) return { ok: false, kind: "failed", message: resolved.error.message };
	const { real } = resolved.value;
	if (scope === "project" && !real.startsWith(`${folder.value.real}${sep}`))
		return {
			ok: false,
			kind: "refused",
			message: `${file} is a link that leads out of the project; agi neither reads nor writes memory through it.`,
		};
	return { ok: true, value: { ...resolved.value, shown: shownPath(cwd, real) } };
}

/** Whether nothing stands at the path, not even a link; false where that cannot be seen. */
function isAbsent(path: string): boolean {
	try {
		return lstatSync(path, { throwIfNoEntry: false }) === undefined;
	} catch {
		return false;
	}
}

function shownPath(cwd: string, real: string): string {
	const way = relative(cwd, real);
	return way.startsWith("..") ? real : way.split(sep).join("/");
}

function readText(scope: MemoryScope, path: ResolvedPath): MemoryResult<MemoryText> {
	const found = { scope, path: path.shown, real: path.real };
	let fd: number | undefined;
	try {
		const opened = openRegular(path.real, path.shown);
		if (!opened.ok) return { ok: false, kind: "failed", message: opened.error.message };
		fd = opened.value.fd;
		if (opened.value.stats.size > MAX_BYTES) return tooLarge(path);
		const bytes = readFileSync(fd);
		const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
		return { ok: true, value: { ...found, text, digest: sha256(bytes) } };
	} catch (error) {
		if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? ""))
			return { ok: true, value: { ...found, text: "", digest: null } };
		const why = error instanceof TypeError ? "it is not a text in UTF-8" : String((error as Error).message);
		return { ok: false, kind: "failed", message: `${path.shown} cannot be read: ${why}.` };
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}

function tooLarge({ shown }: ResolvedPath): MemoryResult<never> {
	const message = `${shown} is larger than ${MAX_BYTES / 1024} KiB; shorten it, then agi uses it again.`;
	return { ok: false, kind: "refused", message };
}

async function changeFile(
	places: MemoryPlaces,
	scope: MemoryScope,
	edit: (now: MemoryText) => MemoryResult<string>,
): Promise<MemoryResult<MemoryWrite>> {
	const place = placeOf(places, scope);
	const resolved = place.ok ? resolve(places, place.value) : place;
	if (!resolved.ok) return resolved;
	let unlock: (() => void) | undefined;
	try {
		unlock = await takeFileLock(join(places.lockFolder, `${sha256(resolved.value.real).slice(0, 32)}.db`));
		if (!unlock)
			return {
				ok: false,
				kind: "conflict",
				message: `Another agi is writing ${resolved.value.shown}. Nothing was changed; try again.`,
			};
		return await writeOver(scope, resolved.value, edit);
	} catch (error) {
		const message = `${resolved.value.shown} was not changed: ${(error as Error).message}.`;
		return { ok: false, kind: "failed", message };
	} finally {
		unlock?.();
	}
}

/** Reads, edits and writes until nobody wrote in between. */
async function writeOver(
	scope: MemoryScope,
	path: ResolvedPath,
	edit: (now: MemoryText) => MemoryResult<string>,
): Promise<MemoryResult<MemoryWrite>> {
	for (let tries = 1; ; tries++) {
		const now = readText(scope, path);
		if (!now.ok) return now;
		const edited = edit(now.value);
		if (!edited.ok) return edited;
		const before = now.value;
		if (edited.value === before.text) return { ok: true, value: { before, after: before } };
		const bytes = new TextEncoder().encode(edited.value);
		if (bytes.length > MAX_BYTES) return tooLarge(path);
		if (scope === "user") mkdirSync(dirname(path.real), { recursive: true, mode: 0o700 });
		const digest = sha256(bytes);
		const written = await replaceFile(path, bytes, digest, {
			expectedDigest: before.digest,
			...(scope === "user" ? { mode: 0o600 } : {}),
		});
		if (written.ok) return { ok: true, value: { before, after: { ...before, text: edited.value, digest } } };
		if (written.error.kind !== "conflict" || tries === TRIES)
			return {
				ok: false,
				kind: written.error.kind === "conflict" ? "conflict" : "failed",
				message: written.error.message,
			};
	}
}

function sha256(content: string | Uint8Array): string {
	return createHash("sha256").update(content).digest("hex");
}
