// What the doctor says of programs that agi starts and does not bring: those of commands, and the person's own. Without one
// of them agi still works, with less.

import { clipboardProgram } from "../adapters/clipboardProgram.ts";
import { editorWords, missingEditor } from "../adapters/editorProgram.ts";
import { findProgram } from "../adapters/processes/launchPlan.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** A finding for each program. Never rejects. */
export async function checkPrograms(env: Surroundings["env"]): Promise<Finding[]> {
	return [...checkCommands(env["PATH"] ?? ""), await checkEditor(env), await checkClipboard(env)];
}

/** Looked up as commands are: an entry of PATH that is not absolute does not count. */
function checkCommands(searchPath: string): Finding[] {
	const wanted: [name: string, without: string][] = [
		["bash", "commands run in sh, and fail where they need bash"],
		["git", "the agent cannot look at history or make commits"],
	];
	return wanted.map(([name, without]): Finding => {
		const path = findProgram(name, searchPath);
		return path === undefined
			? { name, status: "warn", detail: `not on PATH: ${without}; install it` }
			: { name, status: "ok", detail: path };
	});
}

async function checkEditor(env: Surroundings["env"]): Promise<Finding> {
	const name = "editor";
	const words = editorWords(env);
	const missing = await missingEditor(words);
	if (missing === undefined) return { name, status: "ok", detail: words };
	const detail = `${missing} was not found: Ctrl+G cannot open it; install it, or set VISUAL or EDITOR`;
	return { name, status: "warn", detail };
}

async function checkClipboard(env: Surroundings["env"]): Promise<Finding> {
	const program = (await clipboardProgram(env, process.platform))?.[0];
	const detail = program ?? "no program found: /copy asks the terminal alone, which may refuse";
	return { name: "clipboard", status: "ok", detail };
}
