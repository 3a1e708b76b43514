// What is found in real folders, and what counts as made by a command.

import {
	mkdirSync,
	mkdtempSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createProtectedFinder, newEntries } from "../../../src/adapters/sandbox/protectedPaths.ts";

let root: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "agi-protected-")));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, content = ""): void {
	mkdirSync(dirname(join(root, name)), { recursive: true });
	writeFileSync(join(root, name), content);
}

describe("createProtectedFinder", () => {
	const targets = () =>
		createProtectedFinder()([root])
			.targets.map((path) => path.slice(root.length + 1))
			.sort();

	it("finds what steers programs at the top, and git's folders three levels down", () => {
		for (const name of [
			".git/HEAD",
			".envrc",
			".Vscode/x",
			"a/.envrc",
			"a/b/c/.git/HEAD",
			"a/b/c/d/.git/HEAD",
			"src/x",
		])
			write(name);
		expect(targets()).toEqual([".Vscode", ".envrc", ".git", "a/b/c/.git"]);
	});

	it("passes over vendored trees", () => {
		write("node_modules/x/.git/HEAD");
		expect(targets()).toEqual([]);
	});

	it("follows a git file to its repository and to what that shares", () => {
		write("tree/.git", "gitdir: ../dirs/tree\n");
		write("dirs/tree/commondir", "../common\n");
		write("dirs/common/config");
		expect(targets()).toEqual(["dirs/common", "dirs/tree", "tree/.git"]);
	});

	it("follows no git file and no link out of the workspace", () => {
		write("a/.git", `gitdir: ${tmpdir()}\n`);
		symlinkSync(tmpdir(), join(root, ".vscode"));
		expect(targets()).toEqual(["a/.git"]);
	});

	it("sees a change in a folder that it has seen before", () => {
		const find = createProtectedFinder();
		write("a/x");
		expect(find([root]).entries).toEqual([]);
		write("a/.git/HEAD");
		expect(find([root]).entries.map(({ path }) => path)).toEqual([join(root, "a/.git")]);
	});

	it("finds nothing in a folder that is gone", () => {
		expect(createProtectedFinder()([join(root, "gone")])).toEqual({ entries: [], targets: [] });
	});
});

describe("newEntries", () => {
	const made = (change: () => void) => {
		const find = createProtectedFinder();
		const before = find([root]).entries;
		change();
		return newEntries(before, find([root]).entries).map(({ path }) => path.slice(root.length + 1));
	};

	it("tells what was not there before", () => {
		write(".git/HEAD");
		expect(made(() => write(".envrc"))).toEqual([".envrc"]);
	});

	it("tells a repository that took the place of one that was moved away", () => {
		write("a/.git/HEAD");
		const swap = () => {
			renameSync(join(root, "a"), join(root, "b"));
			write("a/.git/HEAD");
		};
		expect(made(swap)).toEqual(["a/.git"]);
	});

	it("does not tell a file at the top that an editor saved anew, nor a moved repository", () => {
		write(".envrc", "old");
		write("a/.git/HEAD");
		const save = () => {
			write("draft", "new");
			renameSync(join(root, "draft"), join(root, ".envrc"));
			renameSync(join(root, "a"), join(root, "b"));
		};
		expect(made(save)).toEqual([]);
	});

	it("tells a link at the top that was replaced", () => {
		write("real/x");
		symlinkSync("real", join(root, ".vscode"));
		const replace = () => {
			rmSync(join(root, ".vscode"));
			write(".vscode/tasks.json");
		};
		expect(made(replace)).toEqual([".vscode"]);
	});
});
