// Look-ups of programs and plain file work by shelljs, which knows each platform's rules. For commands that a person waits
// for, never for a start, a tool call or a turn: it is loaded with the first use, and works without letting go. It never
// runs a program.

import { AgiError } from "../types.ts";

/** Absolute path of the first program of that name on this process's PATH; undefined where there is none. */
export async function programOnPath(name: string): Promise<string | undefined> {
	const shell = await loadShell();
	return shell.which(name)?.toString();
}

/** Makes a folder and those above it; one that is there stays. Rejects with `AgiError` `NOT_MADE`. */
export async function makeFolder(path: string): Promise<void> {
	const shell = await loadShell();
	const why = failureOf(() => shell.mkdir("-p", path));
	if (why === undefined) return;
	const message = `The folder ${path} could not be made (${why}). Make it yourself, or free its place, then try again.`;
	throw new AgiError("NOT_MADE", message, { exitCode: 42 });
}

/** Removes a file, a link or a folder with all that is in it; nothing is fine. Rejects with `AgiError` `NOT_REMOVED`. */
export async function removeAll(path: string): Promise<void> {
	const shell = await loadShell();
	const why = failureOf(() => shell.rm("-rf", path));
	if (why === undefined) return;
	const message = `${path} could not be removed (${why}). Remove it yourself, then try again.`;
	throw new AgiError("NOT_REMOVED", message, { exitCode: 42 });
}

/** Paths are taken as they are, and failures come back instead of being printed. */
async function loadShell() {
	const { default: shell } = await import("shelljs");
	Object.assign(shell.config, { silent: true, noglob: true, fatal: false });
	return shell;
}

/** Why it failed; undefined where it did not. Some failures are returned, others thrown. */
function failureOf(act: () => { code: number; stderr: string }): string | undefined {
	try {
		const { code, stderr } = act();
		return code === 0 ? undefined : stderr.replaceAll("\n", "; ");
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
