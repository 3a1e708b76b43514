// The person's editor, the clipboard and files, for the screen.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { clipboardProgram } from "../adapters/clipboardProgram.ts";
import { editorWords, missingEditor } from "../adapters/editorProgram.ts";
import { AgiError } from "../types.ts";
import type { Outside } from "../ui/outside.ts";

/** The machine that agi runs on; `cwd` is where relative paths begin. */
export function openOutside(cwd: string, env: NodeJS.ProcessEnv): Outside {
	return {
		editText: (text, name) => editText(text, editorWords(env), fileName(name)),
		copyText: (text) => copyText(text, env),
		async saveText(path, text) {
			const whole = resolve(cwd, path);
			try {
				await writeFile(whole, text, { flag: "wx", mode: 0o600 });
			} catch (cause) {
				const why = (cause as NodeJS.ErrnoException).code === "EEXIST" ? "It exists already" : String(cause);
				throw new AgiError("NOT_WRITTEN", `${whole} was not written. ${why}; name another file.`, { cause });
			}
			return whole;
		},
	};
}

/** As git does it: the shell runs the person's own words, with the file behind them. */
async function editText(text: string, editor: string, name: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "agi-edit-"));
	const file = join(folder, name);
	try {
		await writeFile(file, text, { mode: 0o600 });
		const code = await ended(spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" }));
		if (code !== 0) throw await editorFailed(editor, code);
		return await readFile(file, "utf8");
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function editorFailed(editor: string, code: number): Promise<AgiError> {
	const missing = await missingEditor(editor);
	const what =
		missing === undefined ? `The editor "${editor}" ended with ${code}` : `${missing} was not found`;
	const message = `${what}; the text stays as it was. VISUAL or EDITOR names another one.`;
	return new AgiError("EDITOR_FAILED", message);
}

/** A plain name in a folder of its own, whatever a model called the file. */
function fileName(name = "message.md"): string {
	const last = basename(name).replace(/[^\w.-]/g, "_");
	return /^[\w-]/.test(last) ? last : `text${last}`;
}

async function copyText(text: string, env: NodeJS.ProcessEnv): Promise<boolean> {
	const [program, ...args] = (await clipboardProgram(env, process.platform)) ?? [];
	if (program === undefined) return false;
	const child = spawn(program, args, { stdio: ["pipe", "ignore", "ignore"] });
	child.stdin?.on("error", () => undefined);
	child.stdin?.end(text);
	return (await ended(child)) === 0;
}

/** The exit code; 127 where it could not be started. */
function ended(child: ChildProcess): Promise<number> {
	return new Promise((done) => {
		child.on("error", () => done(127));
		child.on("exit", (code) => done(code ?? 1));
	});
}
