// Appends diagnostic lines to `.agent/logs/agent.jsonl`: gathered, in order, unsynced, never in anybody's way.
// The folder may come from a stranger's repository: nothing is written through a link it planted.

import { constants } from "node:fs";
import { lstat, mkdir, open, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectIdentity } from "./projectFolder.ts";

/** An open diagnostic log. */
export interface DiagnosticsFile {
	/** Takes a line without its end; it is in the file at most 100 ms later. Never throws, never waits. */
	write(line: string): void;
	/** Resolves when everything taken so far was written or given up. Never rejects. */
	flush(): Promise<void>;
	/** `flush`, and no line is taken any more. Safe to call twice. */
	close(): Promise<void>;
}

/** How a diagnostic log behaves. */
export interface DiagnosticsOptions {
	/** Told once, in a sentence, when lines cannot be written. */
	onFailure?: (message: string) => void;
	/** Bytes after which the file becomes `agent.1.jsonl` and a new one begins. */
	maxBytes?: number;
}

const GATHER_MS = 100;
const MAX_BYTES = 10 * 1024 * 1024;
const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_WRONLY } = constants;
const APPEND = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

/** The diagnostic log of the project that this process stands in; undefined where the project has no folder. */
export async function openOwnDiagnosticsFile(): Promise<DiagnosticsFile | undefined> {
	const { agentFolder } = await projectIdentity(process.cwd(), { create: false });
	return agentFolder === undefined ? undefined : openDiagnosticsFile(agentFolder);
}

/** A diagnostic log in a project's `.agent` folder. Nothing is made on the disk before the first line. */
export function openDiagnosticsFile(agentFolder: string, options: DiagnosticsOptions = {}): DiagnosticsFile {
	const logs = join(agentFolder, "logs");
	let gathered = "";
	let timer: NodeJS.Timeout | undefined;
	let writing: Promise<void> = Promise.resolve();
	let prepared: Promise<void> | undefined;
	let state: "open" | "failed" | "closed" = "open";

	const writeGathered = async (): Promise<void> => {
		if (gathered === "") return;
		const text = gathered;
		gathered = "";
		try {
			prepared ??= prepareFolders(agentFolder, logs);
			await prepared;
			await append(logs, text, options.maxBytes ?? MAX_BYTES);
		} catch (error) {
			if (state === "failed") return;
			state = "failed";
			const reason = error instanceof Error ? error.message : String(error);
			options.onFailure?.(
				`The diagnostic log in ${logs} cannot be written: ${reason}. The session itself is kept.`,
			);
		}
	};
	const flush = (): Promise<void> => {
		clearTimeout(timer);
		timer = undefined;
		writing = writing.then(writeGathered);
		return writing;
	};
	// The timer keeps no program alive; one that ends without closing gets its last lines written here.
	const writeLast = (): void => void (gathered === "" || flush());
	process.on("beforeExit", writeLast);

	return {
		write(line) {
			if (state !== "open") return;
			gathered += `${line}\n`;
			timer ??= setTimeout(flush, GATHER_MS).unref();
		},
		flush,
		async close() {
			const written = flush();
			if (state === "open") state = "closed";
			process.off("beforeExit", writeLast);
			await written;
		},
	};
}

async function prepareFolders(agentFolder: string, logs: string): Promise<void> {
	// Not with its parents: a project that was deleted under a run must not come back as an empty folder.
	await mkdir(agentFolder).catch(unlessItStands);
	await mustBeFolder(agentFolder);
	await mkdir(logs, { mode: 0o700 }).catch(unlessItStands);
	await mustBeFolder(logs);
	await writeFile(join(agentFolder, ".gitignore"), "project.json\nlogs/\n", { flag: "wx" }).catch(
		unlessItStands,
	);
}

function unlessItStands(error: NodeJS.ErrnoException): void {
	if (error.code !== "EEXIST") throw error;
}

async function mustBeFolder(path: string): Promise<void> {
	if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
}

/** Opened anew each time: another agi may have rotated the file, and a person may have removed it. */
async function append(logs: string, text: string, maxBytes: number): Promise<void> {
	const path = join(logs, "agent.jsonl");
	let file = await open(path, APPEND, 0o600);
	try {
		const before = await file.stat();
		if (!before.isFile()) throw new Error(`${path} is not a file`);
		if (before.size > 0 && before.size + Buffer.byteLength(text) > maxBytes) {
			await file.close();
			await rename(path, join(logs, "agent.1.jsonl"));
			file = await open(path, APPEND, 0o600);
		}
		await file.appendFile(text);
	} finally {
		await file.close();
	}
}
