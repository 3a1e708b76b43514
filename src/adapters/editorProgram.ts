// The person's own editor: what they call it, and whether it is there. The shell runs their words as they are, as git does.

import { programOnPath } from "./shellFiles.ts";

/** How the person's editor is started, in words for the shell. */
export function editorWords(env: Readonly<Record<string, string | undefined>>): string {
	return env["VISUAL"] || env["EDITOR"] || "vi";
}

/** The program of an editor that is certainly not on this machine; undefined where it is, or only the shell can tell. */
export async function missingEditor(words: string): Promise<string | undefined> {
	const program = /^[\w./+-]+(?=\s|$)/.exec(words.trim())?.[0];
	if (program === undefined) return undefined;
	return (await programOnPath(program)) === undefined ? program : undefined;
}
