// Starts the built program as a user does: bin/agi, system Node first on PATH, in a temporary git project, with a home
// of its own and without keys. Waits for conditions, never for a time. Removes what it made when the test file ends,
// and not with each test, so that tests may run side by side.

import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, vi } from "vitest";
import type { Commit, SessionEvent } from "../../src/session/events.ts";
import { type CaseOptions, type CaseServer, type Script, startCaseServer } from "./caseServer.ts";

/** The launcher under test. */
export const AGI = fileURLToPath(new URL("../../bin/agi", import.meta.url));

/** What ends with the test file, newest first. */
const leftovers: (() => unknown)[] = [];
afterAll(async () => {
	for (const clear of leftovers.reverse()) await clear();
});

/** Has `clear` called when the test file ends. */
export function atFileEnd(clear: () => unknown): void {
	leftovers.push(clear);
}

/** A git project and a home for agi beside it; real absolute paths. */
export interface Project {
	/** The folder that holds everything; for things beside the project. */
	outer: string;
	root: string;
	/** `AGI_HOME`. */
	home: string;
	path(...names: string[]): string;
	/** Writes a file below the project, with its folders. */
	write(name: string, content: string | Uint8Array): void;
	read(name: string): string;
}

/** How a run ended. */
export interface Ended {
	/** Exit code; 128 + signal where a signal ended it. */
	code: number;
	stdout: string;
	stderr: string;
	/** Milliseconds from start to end. */
	ms: number;
}

export interface RunOptions {
	env?: Record<string, string>;
	/** What stdin holds; absent: nothing (`/dev/null`). `open`: a pipe that stays open and silent. */
	stdin?: string | { open: true };
	cwd?: string;
	/** Another user to run as; only root may say so. */
	uid?: number;
}

/** A run that goes on. */
export interface Running {
	pid: number;
	stdout(): string;
	stderr(): string;
	kill(signal: NodeJS.Signals): void;
	ended: Promise<Ended>;
}

/** Makes a project with these files. It is a git repository without commits. */
export function createProject(files: Record<string, string | Uint8Array> = {}, name = "app"): Project {
	const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-program-")));
	atFileEnd(() => rmSync(outer, { recursive: true, force: true }));
	const root = join(outer, name);
	mkdirSync(root);
	git(root, "init", "-q");
	const project: Project = {
		outer,
		root,
		home: join(outer, "home"),
		path: (...names) => join(root, ...names),
		write(file, content) {
			mkdirSync(dirname(join(root, file)), { recursive: true });
			writeFileSync(join(root, file), content);
		},
		read: (file) => readFileSync(join(root, file), "utf8"),
	};
	for (const [file, content] of Object.entries(files)) project.write(file, content);
	return project;
}

/** Runs git without the user's own settings. */
export function git(cwd: string, ...args: string[]): string {
	const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
	const author = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
	return execFileSync("git", [...author, ...args], { cwd, env, encoding: "utf8", stdio: "pipe" });
}

/** The environment of a run: no key, no setting of the person who runs the tests. */
export function cleanEnvironment(
	project: Project,
	extra: Record<string, string> = {},
): Record<string, string> {
	const { LANG = "C.UTF-8", TMPDIR } = process.env;
	// Test runners put the project's own Node first; a user has the system's.
	const PATH = (process.env["PATH"] ?? "")
		.split(":")
		.filter((folder) => !folder.includes("node_modules"))
		.join(":");
	return { PATH, LANG, HOME: project.outer, AGI_HOME: project.home, ...(TMPDIR ? { TMPDIR } : {}), ...extra };
}

/** Starts agi. A run that a test leaves behind is killed with the file. */
export function startAgi(project: Project, args: readonly string[], options: RunOptions = {}): Running {
	return start(AGI, args, project, options);
}

/** Runs agi to its end. */
export function runAgi(project: Project, args: readonly string[], options?: RunOptions): Promise<Ended> {
	return startAgi(project, args, options).ended;
}

/** Runs a shell line; `"$AGI"` is the launcher. */
export function runShell(project: Project, line: string, options: RunOptions = {}): Promise<Ended> {
	return start("/bin/sh", ["-c", line], project, { ...options, env: { AGI, ...options.env } }).ended;
}

function start(program: string, args: readonly string[], project: Project, options: RunOptions): Running {
	const startedAt = performance.now();
	const child = spawn(program, args, {
		cwd: options.cwd ?? project.root,
		env: cleanEnvironment(project, options.env),
		...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
		stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
	}) as ChildProcessWithoutNullStreams;
	if (typeof options.stdin === "string") child.stdin.end(options.stdin);
	let stdout = "";
	let stderr = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
	child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
	const ended = new Promise<Ended>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) =>
			resolve({
				code: code ?? 128 + (signal ? constants.signals[signal] : 0),
				stdout,
				stderr,
				ms: performance.now() - startedAt,
			}),
		);
	});
	atFileEnd(() => child.kill("SIGKILL"));
	return {
		pid: child.pid ?? 0,
		stdout: () => stdout,
		stderr: () => stderr,
		kill: (s) => child.kill(s),
		ended,
	};
}

/** Resolves once `check` gives something true; fails with `what` after 25 s. */
export function until<T>(what: string, check: () => T): Promise<NonNullable<T>> {
	return vi.waitFor(
		() => {
			const value = check();
			if (!value) throw new Error(`never came: ${what}`);
			return value;
		},
		{ timeout: 25_000, interval: 10 },
	);
}

/** A case server that ends with the test file. */
export async function scripted(script: Script, options?: CaseOptions): Promise<CaseServer> {
	const server = await startCaseServer(script, options);
	atFileEnd(() => server.close());
	return server;
}

/** Flags that point a run at the server. */
export function at(server: { baseUrl: string }): string[] {
	return ["--base-url", server.baseUrl, "-m", "case-model"];
}

/** Flags of a run in which nobody is asked and everything but the hard denials may run. */
export const BYPASS = ["--permission-mode", "bypassPermissions"] as const;

/** One prompt to a scripted model with every question answered yes; stream-json, read. */
export async function ask(
	project: Project,
	server: CaseServer,
	options: { prompt?: string; flags?: readonly string[] } & RunOptions = {},
): Promise<Ended & { lines: OutputLine[]; result: OutputLine }> {
	const { prompt = "go", flags = BYPASS, ...run } = options;
	const args = ["-p", prompt, ...at(server), "--output-format", "stream-json", ...flags];
	const ended = await runAgi(project, args, run);
	const lines = jsonLines(ended.stdout);
	return { ...ended, lines, result: lines.at(-1) ?? { type: "nothing" } };
}

/** A line of `--output-format stream-json`, as far as tests look into it. */
export interface OutputLine {
	type: string;
	subtype?: string;
	is_error?: boolean;
	result?: string;
	error?: string;
	session_id?: string;
	num_steps?: number;
	message?: { role: string; content: OutputContent[] };
	event?: { type: string; text: string };
	usage?: Record<string, number>;
	permission_denials?: { tool_name: string; tool_use_id: string; reason: string }[];
	[key: string]: unknown;
}

export interface OutputContent {
	type: "text" | "tool_use" | "tool_result";
	text?: string;
	id?: string;
	name?: string;
	input?: unknown;
	tool_use_id?: string;
	content?: string;
	is_error?: boolean;
	status?: string;
}

/** Reads JSON lines; fails on a line that is none. */
export function jsonLines(text: string): OutputLine[] {
	return text
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as OutputLine);
}

/** How each call of a run ended: status and text, in order. */
export function outcomes(lines: readonly OutputLine[]): { status: string; text: string }[] {
	return lines
		.filter((line) => line.type === "user")
		.flatMap((line) => line.message?.content ?? [])
		.map(({ status = "", content = "" }) => ({ status, text: content }));
}

/** The folders of the sessions that are stored in this home, oldest first; children of subagents included. */
export function sessionFolders(project: Project): string[] {
	const projects = join(project.home, "data", "projects");
	return names(projects)
		.flatMap((id) =>
			names(join(projects, id, "sessions")).map((name) => join(projects, id, "sessions", name)),
		)
		.sort();
}

/** The commits of a session's log; fails on a line that is no JSON. */
export function commitsOf(sessionFolder: string): Commit[] {
	return readFileSync(join(sessionFolder, "log.jsonl"), "utf8")
		.split("\n")
		.filter((line) => line !== "")
		.map((line) => JSON.parse(line) as Commit);
}

/** The events of the only session of a project. */
export function eventsOf(project: Project): SessionEvent[] {
	const [folder = "", ...others] = sessionFolders(project);
	if (folder === "" || others.length > 0)
		throw new Error(`${others.length + 1} sessions where one was expected`);
	return commitsOf(folder).flatMap((commit) => commit.events);
}

/** Every file that agi wrote for a project, as one text: sessions, diagnostics, settings. */
export function everythingWritten(project: Project): string {
	return [project.home, project.path(".agent")]
		.flatMap((folder) => files(folder))
		.map((path) => readFileSync(path, "latin1"))
		.join("\n");
}

function files(folder: string): string[] {
	try {
		return readdirSync(folder, { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map((entry) => join(entry.parentPath, entry.name));
	} catch {
		return [];
	}
}

function names(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
