// Notes every file call below one folder that changes what a power cut may leave there: writes, cuts, new and changed
// names, and from when to when each sync ran. Puts itself around Node's own calls, so it belongs in a process of its own.

import fs, { type MakeDirectoryOptions, type PathLike } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, relative } from "node:path";

/** One call, or a moment that a test has to know of. Paths are relative to the folder; a file is a number of its own. */
export type DiskOp =
	/** Everything before it was there at the start, and lasts. */
	| { op: "base" }
	| { op: "folder"; path: string }
	| { op: "file"; path: string; file: number }
	/** `bytes` in base64. */
	| { op: "write"; file: number; at: number; bytes: string }
	| { op: "truncate"; file: number; size: number }
	/** `file`: what has the new name, whether the old one reached the disk or not. */
	| { op: "rename"; from: string; to: string; file: number }
	| { op: "remove"; path: string }
	/** Of a file by its number, of a folder by its path. Covers what was noted before it began, once it has ended. */
	| { op: "syncBegins"; sync: number; of: number | string }
	| { op: "syncEnds"; sync: number }
	/** Facts were told as being on the disk. */
	| { op: "told"; events: string[] }
	/** Something happened outside of agi. */
	| { op: "effect"; line: string };

/** The lock dies with the process, and the journal is the world outside of this disk. */
const IGNORED = /^(?:lock\.(?:db|json)|journal)/;

/** Notes from now on; the list grows with every call. */
export async function recordCalls(root: string): Promise<DiskOp[]> {
	const ops: DiskOp[] = [];
	const book = createBook(fs.realpathSync(root), ops);
	noteWhatIsThere(book, root);
	book.note({ op: "base" });
	const probe = await openFile(root, "r");
	wrapHandles(Object.getPrototypeOf(probe), book);
	await probe.close();
	wrapSyncCalls(book);
	wrapPromises(book);
	syncBuiltinESMExports();
	return ops;
}

type Book = ReturnType<typeof createBook>;

/** Which files and folders there are, and what is noted of them. */
function createBook(root: string, ops: DiskOp[]) {
	const files = new Map<number, { file: number; size: number }>();
	let made = 0;
	let syncs = 0;
	/** The path inside of the folder, reached over an open folder or not; undefined for what is elsewhere. */
	const inside = (path: PathLike): string | undefined => {
		const given = String(path);
		try {
			const real = join(fs.realpathSync(dirname(given)), basename(given));
			const own = relative(root, real);
			return own.startsWith("..") || IGNORED.test(basename(own)) ? undefined : own;
		} catch {
			return undefined;
		}
	};
	return {
		inside,
		note: (op: DiskOp) => void ops.push(op),
		exists: (path: PathLike) => fs.existsSync(path),
		renamed(from: PathLike, to: PathLike) {
			const [old, now] = [inside(from), inside(to)];
			const known = files.get(fs.statSync(to).ino);
			if (old !== undefined && now !== undefined && known)
				ops.push({ op: "rename", from: old, to: now, file: known.file });
		},
		/** After an open: `isNew` where it made the file, `isEmptied` where it dropped what was in it. */
		opened(path: PathLike, fd: number, isNew: boolean, isEmptied: boolean) {
			const own = inside(path);
			const stats = fs.fstatSync(fd);
			if (own === undefined || !stats.isFile()) return;
			if (isNew) {
				files.set(stats.ino, { file: ++made, size: 0 });
				ops.push({ op: "file", path: own, file: made });
			} else if (isEmptied) this.truncated(fd, 0);
		},
		wrote(fd: number, bytes: Uint8Array, position?: number | null) {
			const known = files.get(fs.fstatSync(fd).ino);
			if (!known) return;
			const at = position ?? known.size;
			known.size = Math.max(known.size, at + bytes.length);
			ops.push({ op: "write", file: known.file, at, bytes: Buffer.from(bytes).toString("base64") });
		},
		truncated(fd: number, size: number) {
			const known = files.get(fs.fstatSync(fd).ino);
			if (!known) return;
			known.size = size;
			ops.push({ op: "truncate", file: known.file, size });
		},
		/** Returns what is to be called at the end of the sync. */
		syncBegan(fd: number): () => void {
			const stats = fs.fstatSync(fd);
			const of = stats.isDirectory() ? folderOf(fd) : files.get(stats.ino)?.file;
			if (of === undefined) return () => undefined;
			const sync = ++syncs;
			ops.push({ op: "syncBegins", sync, of });
			return () => void ops.push({ op: "syncEnds", sync });
		},
	};

	function folderOf(fd: number): string | undefined {
		const own = relative(root, fs.readlinkSync(`/proc/self/fd/${fd}`));
		return own.startsWith("..") ? undefined : own;
	}
}

function noteWhatIsThere(book: Book, root: string): void {
	for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		if (entry.isDirectory()) noteFolders(book, [path]);
		if (!entry.isFile()) continue;
		const fd = fs.openSync(path, "r");
		book.opened(path, fd, true, false);
		book.wrote(fd, fs.readFileSync(path));
		fs.closeSync(fd);
	}
}

/** The calls without a promise. Only what agi's session log and workspace use is wrapped. */
function wrapSyncCalls(book: Book): void {
	const real = { ...fs };
	fs.openSync = (path, flags, mode) => {
		const isThere = real.existsSync(path);
		const fd = real.openSync(path, flags, mode);
		book.opened(path, fd, !isThere, flags === "w");
		return fd;
	};
	fs.writeSync = ((fd: number, bytes: Uint8Array) => {
		const written = real.writeSync(fd, bytes);
		book.wrote(fd, bytes.subarray(0, written));
		return written;
	}) as typeof fs.writeSync;
	fs.ftruncateSync = (fd, size) => {
		real.ftruncateSync(fd, size);
		book.truncated(fd, size ?? 0);
	};
	fs.fsyncSync = (fd) => {
		const ended = book.syncBegan(fd);
		real.fsyncSync(fd);
		ended();
	};
	fs.fdatasync = ((fd: number, done: (error: Error | null) => void) => {
		const ended = book.syncBegan(fd);
		real.fdatasync(fd, (error) => {
			if (!error) ended();
			done(error);
		});
	}) as typeof fs.fdatasync;
	fs.renameSync = (from, to) => {
		real.renameSync(from, to);
		book.renamed(from, to);
	};
	fs.unlinkSync = (path) => {
		const own = book.inside(path);
		real.unlinkSync(path);
		if (own !== undefined) book.note({ op: "remove", path: own });
	};
	fs.mkdirSync = ((path: PathLike, options?: MakeDirectoryOptions) => {
		const missing = missingFolders(book, path);
		const made = real.mkdirSync(path, options);
		noteFolders(book, missing);
		return made;
	}) as typeof fs.mkdirSync;
}

function wrapPromises(book: Book): void {
	const promises = fs.promises;
	const real = { ...promises };
	promises.open = async (path, flags, mode) => {
		const isThere = book.exists(path);
		const handle = await real.open(path, flags, mode);
		book.opened(path, handle.fd, !isThere, flags === "w");
		return handle;
	};
	promises.rename = async (from, to) => {
		await real.rename(from, to);
		book.renamed(from, to);
	};
	promises.mkdir = (async (path: PathLike, options?: MakeDirectoryOptions) => {
		const missing = missingFolders(book, path);
		const made = await real.mkdir(path, options);
		noteFolders(book, missing);
		return made;
	}) as typeof promises.mkdir;
}

/** What the open files of `node:fs/promises` do. */
function wrapHandles(handles: fs.promises.FileHandle, book: Book): void {
	const { writeFile, truncate, sync } = handles;
	handles.writeFile = async function (content, options) {
		await writeFile.call(this, content, options);
		book.wrote(this.fd, Buffer.from(content as Uint8Array));
	};
	handles.truncate = async function (size) {
		await truncate.call(this, size);
		book.truncated(this.fd, size ?? 0);
	};
	handles.sync = async function () {
		const ended = book.syncBegan(this.fd);
		await sync.call(this);
		ended();
	};
}

/** The folders that a call is about to make, the outermost first. */
function missingFolders(book: Book, path: PathLike): string[] {
	const missing: string[] = [];
	for (let here = String(path); !book.exists(here); here = dirname(here)) missing.unshift(here);
	return missing;
}

function noteFolders(book: Book, made: readonly string[]): void {
	for (const path of made) {
		const own = book.inside(path);
		if (own !== undefined) book.note({ op: "folder", path: own });
	}
}
