// Which folders the person trusts, kept in the data folder and bound to the very folder: to its real path and to its
// identity on the disk, so that another folder under the same name is not trusted. It asks nobody.

import { mkdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One trusted folder: real path, `dev:ino`, and when it was trusted (ISO). */
interface Entry {
	path: string;
	identity: string;
	since: string;
}

/** Whether trust in this folder was stored and it still is the same. A damaged store trusts nothing. */
export function isFolderTrusted(dataFolder: string, folder: string): boolean {
	const here = identityOf(folder);
	if (!here) return false;
	return readEntries(dataFolder).some(
		({ path, identity }) => path === here.path && identity === here.identity,
	);
}

/** Stores trust in a folder. Throws the file system's error where it cannot be stored. `now` is an ISO time. */
export function storeTrust(dataFolder: string, folder: string, now: string): void {
	const here = identityOf(folder);
	if (!here) throw new Error(`The folder ${folder} no longer exists.`);
	const others = readEntries(dataFolder).filter(({ path }) => path !== here.path);
	const store = { v: 1, folders: [...others, { ...here, since: now }] };
	mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
	const path = join(dataFolder, "trust.json");
	writeFileSync(`${path}.new`, `${JSON.stringify(store, null, "\t")}\n`, { mode: 0o600 });
	renameSync(`${path}.new`, path);
}

/** Whether trust in this folder can be stored: never in the home folder, `/` or the temp folder, which hold anybody's. */
export function canBeTrusted(folder: string, home: string): boolean {
	const never = ["/", "/tmp", "/var/tmp", home, tmpdir()].map(realPath);
	return !never.includes(realPath(folder));
}

function identityOf(folder: string): { path: string; identity: string } | undefined {
	try {
		const path = realpathSync.native(folder);
		const { dev, ino } = statSync(path, { bigint: true });
		return { path, identity: `${dev}:${ino}` };
	} catch {
		return undefined;
	}
}

function realPath(path: string): string {
	try {
		return realpathSync.native(path);
	} catch {
		return path;
	}
}

/** Read at every start, so without a vendor; whatever is not in order is left out. */
function readEntries(dataFolder: string): Entry[] {
	try {
		const store: unknown = JSON.parse(readFileSync(join(dataFolder, "trust.json"), "utf8"));
		const folders: unknown = store instanceof Object && "folders" in store ? store.folders : [];
		return Array.isArray(folders) ? folders.filter(isEntry) : [];
	} catch {
		return [];
	}
}

function isEntry(value: unknown): value is Entry {
	if (!(value instanceof Object) || !("path" in value) || !("identity" in value)) return false;
	return typeof value.path === "string" && typeof value.identity === "string";
}
