// A folder as a value, for comparing byte for byte and mode for mode: what a test changed, and whether it is back.

import {
	lstatSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	realpathSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Every path below `root` but `.git`, with kind, mode and content as text. */
export function treeOf(root: string): Record<string, string> {
	const found: Record<string, string> = {};
	for (const path of readdirSync(root, { recursive: true, encoding: "utf8" }).sort()) {
		if (path === ".git" || path.startsWith(".git/")) continue;
		const absolute = join(root, path);
		const stats = lstatSync(absolute);
		const mode = (stats.mode & 0o7777).toString(8);
		if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(absolute)}`;
		else if (stats.isDirectory()) found[path] = `folder ${mode}`;
		else found[path] = `file ${mode} ${readFileSync(absolute).toString("hex")}`;
	}
	return found;
}

/** An empty folder by its real path, removed after the test. */
export function temporaryFolder(): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "agi-tree-")));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
