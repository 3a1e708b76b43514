// Which git branch is checked out, read out of git's own small files: git is not started, nothing of a repository's
// configuration is obeyed. Synchronous: three tiny reads, done at a start and after each turn.

import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { dirname, resolve } from "node:path";

const LONGEST_FILE = 4096;

/**
 * The branch of the repository that `folder` belongs to; where none is checked out, the first 7 letters of the commit; null
 * outside of git. Worktrees and submodules (a `.git` file) are followed. Never throws.
 */
export function readGitBranch(folder: string): string | null {
	for (let here = folder; ; here = dirname(here)) {
		const head = readSmall(resolve(here, ".git", "HEAD")) ?? headOfLinked(here);
		if (head !== undefined) return nameOf(head);
		if (dirname(here) === here) return null;
	}
}

/** `HEAD` of a folder whose `.git` is a file that says where the repository is (gitrepository-layout). */
function headOfLinked(folder: string): string | undefined {
	const pointer = /^gitdir: (.+)$/m.exec(readSmall(resolve(folder, ".git")) ?? "")?.[1];
	return pointer === undefined ? undefined : readSmall(resolve(folder, pointer.trim(), "HEAD"));
}

function nameOf(head: string): string | null {
	const branch = /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? /^ref: (.+)$/m.exec(head)?.[1];
	return branch?.trim() ?? /^[0-9a-f]{40,64}/.exec(head)?.[0].slice(0, 7) ?? null;
}

function readSmall(path: string): string | undefined {
	let fd: number | undefined;
	try {
		// Never waits for a pipe that stands there.
		fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		if (!fstatSync(fd).isFile()) return undefined;
		const bytes = Buffer.alloc(LONGEST_FILE);
		return bytes.toString("utf8", 0, readSync(fd, bytes, 0, LONGEST_FILE, 0));
	} catch {
		return undefined;
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
}
