// How each kind of command is started: which program with which arguments, and what has to be put in place for it.
// Commands stay argument lists; nothing is ever pasted into a shell text.

import { accessSync, constants, existsSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { CodeLanguage, ProcessRequest } from "../../ports/processes.ts";

/** A program to start. */
export interface LaunchPlan {
	file: string;
	args: string[];
	input?: string;
	/** A folder of its own that it reads from. */
	folder?: string;
	/** Takes away what was put in place. */
	cleanUp(): Promise<void>;
}

/** Makes the plan; `searchPath` is the PATH of the child. Rejects with a sentence where a program is missing. */
export async function planLaunch(
	command: ProcessRequest["command"],
	searchPath: string,
): Promise<LaunchPlan> {
	if ("code" in command) return planScript(command.code, command.language, searchPath);
	if ("file" in command) return { ...command, cleanUp: async () => {} };
	const shell = findProgram("bash", searchPath) ?? findProgram("sh", searchPath);
	if (shell === undefined) throw new Error("Neither bash nor sh was found on PATH; install one of them.");
	return { file: shell, args: ["-c", command.shell], cleanUp: async () => {} };
}

async function planScript(code: string, language: CodeLanguage, searchPath: string): Promise<LaunchPlan> {
	const interpreter = findInterpreter(language, searchPath);
	const folder = await mkdtemp(join(tmpdir(), "agi-code-"));
	const cleanUp = () => rm(folder, { recursive: true, force: true });
	const script = join(folder, `script.${{ javascript: "js", python: "py", typescript: "ts" }[language]}`);
	try {
		await writeFile(script, code, { mode: 0o600 });
	} catch (error) {
		await cleanUp();
		throw error;
	}
	return { file: interpreter.file, args: [...interpreter.args, script], folder, cleanUp };
}

function findInterpreter(language: CodeLanguage, searchPath: string): { file: string; args: string[] } {
	if (language === "python") {
		const python = findProgram("python3", searchPath) ?? findProgram("python", searchPath);
		if (python !== undefined) return { file: python, args: [] };
		throw new Error("python3 was not found on PATH; install it, or use language javascript or typescript.");
	}
	// The person's own node is what their code is made for; one that strips types is only certain to be agi's own.
	if (language === "javascript")
		return { file: findProgram("node", searchPath) ?? process.execPath, args: [] };
	const stripsTypes = Boolean(process.features.typescript);
	const args = ["--disable-warning=ExperimentalWarning"];
	return { file: process.execPath, args: stripsTypes ? args : ["--experimental-strip-types", ...args] };
}

const found = new Map<string, string>();

/** The first executable file `name` on `searchPath`; remembered while it exists. */
export function findProgram(name: string, searchPath: string): string | undefined {
	const key = `${name}\0${searchPath}`;
	const known = found.get(key);
	if (known !== undefined && existsSync(known)) return known;
	for (const folder of searchPath.split(delimiter)) {
		// A relative entry would let the workspace say which shell is started.
		if (!folder.startsWith("/")) continue;
		const path = join(folder, name);
		if (!isExecutable(path)) continue;
		found.set(key, path);
		return path;
	}
	return undefined;
}

function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
