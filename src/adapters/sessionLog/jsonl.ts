// Sessions on disk: a folder each with `log.jsonl`, `blobs/`, `partial.json` and `lock.db`; folders 0700, files 0600.
// Owns opening, finding and listing. A log that is damaged before its tail is never touched.

import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { open as openFile, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LogMark, LogOpening, SessionLog, SessionStore } from "../../ports/sessionLog.ts";
import { encodeLine } from "../../session/line.ts";
import { type LogReading, parseLog } from "../../session/parseLog.ts";
import { AgiError } from "../../types.ts";
import { type Digest, getBlob, putBlob } from "./blobs.ts";
import { crc32 } from "./crc32.ts";
import { errorCode } from "./durable.ts";
import {
	badNewId,
	beginningLost,
	closed,
	damaged,
	folderFailed,
	folderReadOnly,
	notFound,
	openFailed,
	removeFailed,
	writeFailed,
	wrongSeq,
} from "./failures.ts";
import { freeBytes } from "./freeBytes.ts";
import { readFirstCommit, readMarks } from "./glance.ts";
import { commitsWithMarks } from "./largeTexts.ts";
import { takeLock } from "./lock.ts";
import { type Disk, type LogFile, openLogFile, realDisk } from "./logFile.ts";
import { createPartialWriter, readPartial } from "./partial.ts";

/** Where sessions live and what they need of the world. */
export interface JsonlStoreOptions {
	/** `<data>/projects/<project id>/sessions`; made with the first session. */
	folder: string;
	/** `<data>/projects`: where sessions of all projects are listed and found. */
	projectsFolder?: string;
	/** SHA-256 in hex. */
	digest: Digest;
	/** For crash tests. */
	disk?: Disk;
}

/** What belongs to one session on disk. */
interface SessionPlace {
	sessionId: string;
	folder: string;
}

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;

/** A store of sessions in files. Touches nothing before it is used. */
export function createJsonlStore(options: JsonlStoreOptions): SessionStore {
	const { folder, projectsFolder, digest } = options;
	const disk = options.disk ?? realDisk;

	/** Also finds the sessions of other projects, which a list of all projects names. */
	async function locate(sessionId: string): Promise<SessionPlace> {
		const folders = SESSION_ID.test(sessionId) ? [folder, ...(await otherProjects())] : [];
		for (const candidate of folders) {
			const place = { sessionId, folder: join(candidate, sessionId) };
			if (await stat(logPath(place)).catch(() => undefined)) return place;
		}
		throw notFound(sessionId);
	}

	async function otherProjects(): Promise<string[]> {
		if (projectsFolder === undefined) return [];
		const names = await readdir(projectsFolder).catch(() => []);
		return names.map((name) => join(projectsFolder, name, "sessions")).filter((path) => path !== folder);
	}

	async function create(sessionId: string): Promise<SessionLog> {
		if (!SESSION_ID.test(sessionId)) throw badNewId(sessionId, "an id has letters, digits, - and _ only");
		const place = { sessionId, folder: join(folder, sessionId) };
		const parents = makeFolder(place);
		const unlock = await takeLock(place.folder, sessionId);
		try {
			const folders = [place.folder, ...parents];
			const file = openLogFile({ sessionId, path: logPath(place), exclusive: true, folders, disk });
			return openedLog(place, { file, unlock, lastSeq: 0, digest });
		} catch (error) {
			unlock();
			throw errorCode(error) === "EEXIST"
				? badNewId(sessionId, "there is one already")
				: openError(place, error);
		}
	}

	async function open(sessionId: string): ReturnType<SessionStore["open"]> {
		const place = await locate(sessionId);
		const unlock = await takeLock(place.folder, sessionId);
		try {
			const reading = await readReading(place);
			const { damage, commits } = reading;
			if (damage && commits[0]?.seq === 1) throw damaged(sessionId, damage.message);
			if (damage) throw beginningLost(sessionId, damage.message);
			if (reading.tornBytes > 0) await cutTail(logPath(place), reading.wholeBytes);
			const folders = [place.folder, dirname(place.folder)];
			const file = openLogFile({ sessionId, path: logPath(place), exclusive: false, folders, disk });
			const log = openedLog(place, { file, unlock, lastSeq: reading.commits.length, digest });
			const partial = await readPartial(join(place.folder, "partial.json"));
			return { log, opening: toOpening(reading), ...(partial && { partial }) };
		} catch (error) {
			unlock();
			throw openError(place, error);
		}
	}

	async function read(sessionId: string): ReturnType<SessionStore["read"]> {
		const place = await locate(sessionId);
		const blobs = { sessionId, path: join(place.folder, "blobs"), digest };
		return { ...toOpening(await readReading(place)), getBlob: (name) => getBlob(blobs, name) };
	}

	async function list({ allProjects = false } = {}): Promise<string[]> {
		const folders = allProjects ? [folder, ...(await otherProjects())] : [folder];
		const found = (await Promise.all(folders.map(listFolder))).flat();
		found.sort((a, b) => Number(b.written - a.written) || (a.id < b.id ? 1 : -1));
		return found.map((session) => session.id);
	}

	async function marks(): Promise<LogMark[]> {
		const folders = [folder, ...(await otherProjects())];
		return folders.flatMap((path) => readMarks(path, basename(dirname(path))));
	}

	async function remove(sessionId: string): Promise<void> {
		const place = await locate(sessionId);
		const unlock = await takeLock(place.folder, sessionId);
		try {
			// The log first: without it there is no session, however far the rest gets.
			await rm(logPath(place));
			await rm(place.folder, { recursive: true, force: true });
		} catch (cause) {
			throw removeFailed(sessionId, cause);
		} finally {
			unlock();
		}
	}

	return {
		create,
		open,
		read,
		list,
		first: async (sessionId) => readFirstCommit(logPath(await locate(sessionId))),
		marks,
		remove,
	};
}

/** A log that is open for writing: the file, its blobs and sidecar, and the lock as one thing with one end. */
function openedLog(
	place: SessionPlace,
	opened: { file: LogFile; unlock: () => void; lastSeq: number; digest: Digest },
): SessionLog {
	const { sessionId, folder } = place;
	const { file, unlock, digest } = opened;
	const blobs = { sessionId, path: join(folder, "blobs"), digest };
	const sidecar = createPartialWriter(join(folder, "partial.json"));
	let lastSeq = opened.lastSeq;
	let lastBlob: Promise<unknown> = Promise.resolve();
	let closing: Promise<void> | undefined;

	function assertUsable(): void {
		if (closing) throw closed(sessionId);
		file.assertSound();
	}

	async function close(): Promise<void> {
		try {
			await Promise.all([sidecar.stop(), lastBlob]);
			await file.sync();
		} finally {
			await file.close();
			unlock();
		}
	}

	return {
		sessionId,
		append(commit) {
			assertUsable();
			if (commit.seq !== lastSeq + 1) throw wrongSeq(sessionId, commit.seq, lastSeq + 1);
			file.append(encodeLine(commit, crc32));
			lastSeq = commit.seq;
		},
		async sync() {
			assertUsable();
			await file.sync();
		},
		async putBlob(bytes) {
			assertUsable();
			// One after the other: two of the same content would write the same draft.
			const stored = lastBlob.then(() => putBlob(blobs, bytes));
			lastBlob = stored.catch(() => {});
			try {
				return await stored;
			} catch (cause) {
				if ((cause as NodeJS.ErrnoException).syscall === "fsync") throw file.condemn(cause);
				throw writeFailed(sessionId, cause);
			}
		},
		getBlob: (name) => getBlob(blobs, name),
		writePartial(partial) {
			if (!closing) sidecar.write(partial);
		},
		freeBytes: () => freeBytes(folder),
		close() {
			closing ??= close();
			return closing;
		},
	};
}

/** Makes the session's folder and returns those above it whose entries are new and want a sync. */
function makeFolder(place: SessionPlace): string[] {
	const above: string[] = [];
	try {
		const first = mkdirSync(place.folder, { recursive: true, mode: 0o700 }) ?? place.folder;
		for (let path = place.folder; path.length >= first.length; path = dirname(path))
			above.push(dirname(path));
	} catch (cause) {
		throw folderFailed(place.folder, whyNotMade(place.folder, cause));
	}
	return above;
}

/** A disk that is read-only answers that the new folder is not there; the lowest one that is tells the cause. */
function whyNotMade(folder: string, cause: unknown): unknown {
	if (errorCode(cause) !== "ENOENT") return cause;
	let lowest = folder;
	while (lowest !== dirname(lowest) && !existsSync(lowest)) lowest = dirname(lowest);
	try {
		accessSync(lowest, constants.W_OK);
		return cause;
	} catch (error) {
		return error;
	}
}

async function readReading(place: SessionPlace): Promise<LogReading & Pick<LogOpening, "marked">> {
	let bytes: Buffer;
	try {
		bytes = await readFile(logPath(place));
	} catch (cause) {
		throw openFailed(place.sessionId, cause);
	}
	const marked = commitsWithMarks(bytes);
	const zlib = await import("node:zlib");
	return { ...parseLog(bytes, zlib.crc32), ...(marked && { marked }) };
}

/** Cuts a log back to its last good newline, on the disk when it resolves. */
async function cutTail(path: string, size: number): Promise<void> {
	const file = await openFile(path, "r+");
	try {
		await file.truncate(size);
		await file.sync();
	} finally {
		await file.close();
	}
}

function toOpening({ wholeBytes: _, ...opening }: LogReading & LogOpening): LogOpening {
	return opening;
}

/** Sessions of one folder with the time of their last write; a folder without a commit is no session yet. */
async function listFolder(folder: string): Promise<{ id: string; written: bigint }[]> {
	const names = await readdir(folder).catch(() => []);
	const sessions = names.map(async (id) => {
		const log = await stat(logPath({ sessionId: id, folder: join(folder, id) }), { bigint: true }).catch(
			() => undefined,
		);
		return log && log.size > 0n ? [{ id, written: log.mtimeNs }] : [];
	});
	return (await Promise.all(sessions)).flat();
}

function logPath(place: SessionPlace): string {
	return join(place.folder, "log.jsonl");
}

function openError(place: SessionPlace, error: unknown): AgiError {
	if (error instanceof AgiError) return error;
	return errorCode(error) === "EROFS"
		? folderReadOnly(place.sessionId, place.folder, error)
		: openFailed(place.sessionId, error);
}
