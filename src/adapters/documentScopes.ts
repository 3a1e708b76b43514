// Which folders of a repository a session came to, so that their AGENTS.md counts. Folders of dependencies and of other
// repositories are never entered: what stands there speaks for somebody else's work. Reads no file.

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Folders whose content comes from elsewhere, by name. */
const FOREIGN = new Set([
	".git",
	".venv",
	"bower_components",
	"node_modules",
	"site-packages",
	"third_party",
	"vendor",
	"venv",
]);

export interface Scopes {
	/** Takes in the folders down to a file, an absolute path; those outside of the repository are left out. */
	enter(path: string): void;
	/** Each folder once, an outer one before those in it. */
	folders(): readonly string[];
}

/** The scopes of a repository; `known` are the folders from its root to the workspace, which count anyway. */
export function createScopes(known: readonly string[]): Scopes {
	const open = new Set(known);
	const closed = new Set<string>();
	const entered: string[] = [];
	const look = (folder: string): boolean => {
		if (open.has(folder)) return true;
		const above = dirname(folder);
		if (closed.has(folder) || above === folder) return false;
		const isOpen = look(above) && !isForeign(folder);
		(isOpen ? open : closed).add(folder);
		if (isOpen) entered.push(folder);
		return isOpen;
	};
	return {
		enter: (path) => void look(dirname(path)),
		folders: () => entered,
	};
}

function isForeign(folder: string): boolean {
	return FOREIGN.has(basename(folder)) || existsSync(join(folder, ".git"));
}
