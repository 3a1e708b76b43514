// A job in a copy of a project: the built program works there as a user would start it, then the project's own check
// decides. The original is never touched, and protected files are put back before the check, so that a test which was
// weakened or deleted gains nothing.

import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { makeFolder, programOnPath, removeAll } from "../adapters/shellFiles.ts";
import { AgiError, type Usage } from "../types.ts";
import { type EvalModel, ModelUnavailable } from "./evalModel.ts";
import { copyOwnPrompts, type PromptSource, TOLD_OF_AGENT_FOLDER } from "./promptCopy.ts";
import type { Execution, ToolUse, WorkspaceData, WorkspaceResult, WorkspaceTarget } from "./types.ts";

/** Never copied: large, or not the project's own. */
const NOT_COPIED = new Set(["node_modules", ".git", "dist"]);
/** Kept of what a check prints, in letters. */
const KEPT_OUTPUT = 4_000;
/** The way to the model; proxies count in either case. */
const NETWORK = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"];
/** All that agi and the check get of the environment: no key of the person's may reach what a model runs. */
const PASSED_ON = ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "NODE_EXTRA_CA_CERTS", ...NETWORK];

export interface WorkspaceOptions {
	model: EvalModel;
	/** How the program is started, and the repository that the case file stands in. */
	agi: readonly string[];
	repository: string;
	/** The case file, absolute. */
	file: string;
	/** The person whose prompts agi is told too; what agi reads of the copy is trusted as the original is. */
	prompts?: PromptSource | undefined;
	env: Readonly<Record<string, string | undefined>>;
	signal?: AbortSignal;
}

/**
 * Does the job and checks it. Rejects with `ModelUnavailable` where the way to the model failed, and with `AgiError`
 * `UNMET_NEED` where a program that the check needs is not installed.
 */
export async function runWorkspaceTask(
	data: WorkspaceData,
	target: WorkspaceTarget,
	options: WorkspaceOptions,
): Promise<Execution & { output: WorkspaceResult }> {
	const env = Object.fromEntries(PASSED_ON.map((name) => [name, options.env[name]]));
	for (const program of data.needs ?? [])
		if ((await programOnPath(program)) === undefined)
			throw new AgiError("UNMET_NEED", `${program} is not installed here.`);
	const outer = await mkdtemp(join(tmpdir(), "agi-eval-"));
	try {
		const copy = join(outer, "project");
		await copyProject(
			data.project === undefined ? options.repository : resolve(dirname(options.file), data.project),
			copy,
		);
		const home = join(outer, "home");
		if (options.prompts) await copyOwnPrompts(options.prompts.configFolder, home);
		const before = await readFiles(copy, target.unchanged ?? []);
		const answered = await askAgi(data.prompt, copy, { ...env, AGI_HOME: home }, options);
		const broken = await putBack(copy, before);
		const check = await run(["/bin/sh", "-c", data.verify], { cwd: copy, env, ...withSignal(options) });
		const checkOutput = (check.stdout + check.stderr).slice(-KEPT_OUTPUT);
		const { usage, costUsd, ...turn } = answered;
		return { output: { ...turn, verified: check.code === 0, checkOutput, broken }, usage, costUsd };
	} finally {
		await rm(outer, { recursive: true, force: true });
	}
}

/**
 * A copy without what is not the project's own; of `.agent` only what is told to the model. A relative link stays one:
 * made absolute, it would lead a job back to the original.
 */
export async function copyProject(from: string, to: string): Promise<void> {
	await cp(from, to, {
		recursive: true,
		verbatimSymlinks: true,
		filter(path) {
			if (path === from) return true;
			const isTold = basename(dirname(path)) !== ".agent" || TOLD_OF_AGENT_FOLDER.includes(basename(path));
			return isTold && !NOT_COPIED.has(basename(path));
		},
	});
}

interface Line {
	type: string;
	subtype?: string;
	result?: string;
	error?: string;
	message?: {
		content: {
			type: string;
			text?: string;
			name?: string;
			input?: unknown;
			content?: string;
			tool_use_id?: string;
			id?: string;
		}[];
	};
	usage?: {
		input_tokens: number;
		output_tokens: number;
		cached_input_tokens: number;
		reasoning_tokens: number;
	};
	total_cost_usd?: number | null;
}

async function askAgi(
	prompt: string,
	cwd: string,
	bare: Record<string, string | undefined>,
	options: WorkspaceOptions,
) {
	const { model } = options;
	const { choice } = model;
	if (choice.kind === "given")
		throw new AgiError("BUG", "a workspace task needs a model that a program can be told");
	const named =
		choice.kind === "offline"
			? ["-m", "offline"]
			: ["-m", choice.model, "--base-url", choice.baseUrl, "--profile", choice.profile];
	const flags = ["--permission-mode", "acceptEdits", "--allowed-tools", "runCommand,executeCode,deleteFile"];
	const trust = options.prompts?.trusted ? ["--trust"] : [];
	const args = ["-p", ...named, ...flags, ...trust, "--output-format", "stream-json", "--", prompt];
	const key = choice.kind === "model" && choice.apiKey !== undefined ? { LLM_API_KEY: choice.apiKey } : {};
	const env = { ...bare, ...key };
	const ended = await run([...options.agi, ...args], { cwd, env, ...withSignal(options) });
	const lines = ended.stdout.split("\n").flatMap((line): Line[] => (line === "" ? [] : [JSON.parse(line)]));
	const result = lines.findLast((line) => line.type === "result");
	if (!result) throw new AgiError("AGI_FAILED", `agi -p gave no result: ${ended.stderr.trim().slice(-300)}`);
	const used = { usage: usageOf(result), costUsd: result.total_cost_usd ?? null };
	if (result.subtype === "error_model" || result.subtype === "error_auth") {
		const message = result.error ?? "no answer";
		throw new ModelUnavailable({ kind: "unknown", message, retryable: true }, used);
	}
	return { ...readLines(lines), ...used };
}

function readLines(lines: readonly Line[]) {
	const names = new Map<string, string>();
	const steps: WorkspaceResult["steps"] = [];
	for (const { type, message } of lines) {
		const content = message?.content ?? [];
		if (type === "assistant") {
			const text = content.map((part) => part.text ?? "").join("");
			const uses = content.filter((part) => part.type === "tool_use");
			for (const use of uses) names.set(use.id ?? "", use.name ?? "");
			const toolCalls: ToolUse[] = uses.map(({ name, input }) => ({ toolName: name ?? "", args: input }));
			steps.push({ ...(text === "" ? {} : { text }), ...(uses.length === 0 ? {} : { toolCalls }) });
		} else if (type === "user") {
			const toolResults = content.map((part) => ({
				toolName: names.get(part.tool_use_id ?? "") ?? "",
				result: part.content ?? "",
			}));
			const step = steps.at(-1);
			if (step) step.toolResults = [...(step.toolResults ?? []), ...toolResults];
		}
	}
	const toolCallOrder = steps.flatMap((step) => step.toolCalls ?? []).map(({ toolName }) => toolName);
	const text = lines.findLast((line) => line.type === "result")?.result ?? "";
	return { text, steps, toolsUsed: [...new Set(toolCallOrder)], toolCallOrder };
}

function usageOf({ usage }: Line): Usage {
	return {
		inputTokens: usage?.input_tokens ?? 0,
		outputTokens: usage?.output_tokens ?? 0,
		cachedInputTokens: usage?.cached_input_tokens ?? 0,
		reasoningTokens: usage?.reasoning_tokens ?? 0,
	};
}

/** The bytes of every file that a pattern names, by its path in the project. */
async function readFiles(root: string, patterns: readonly string[]): Promise<Map<string, Buffer>> {
	const kept = new Map<string, Buffer>();
	const entries = await readdir(root, { recursive: true, withFileTypes: true });
	for (const entry of entries) {
		if (!entry.isFile()) continue;
		const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join("/");
		const isKept = patterns.some((pattern) =>
			pattern.endsWith("/**") ? path.startsWith(pattern.slice(0, -2)) : path === pattern,
		);
		if (isKept) kept.set(path, await readFile(join(root, path)));
	}
	return kept;
}

/** Names the protected files that are not as they were, and makes them so. */
async function putBack(root: string, before: ReadonlyMap<string, Buffer>): Promise<string[]> {
	const broken: string[] = [];
	for (const [path, bytes] of before) {
		const now = await readFile(join(root, path)).catch(() => undefined);
		if (now?.equals(bytes)) continue;
		broken.push(path);
		await removeAll(join(root, path));
		await makeFolder(dirname(join(root, path)));
		await writeFile(join(root, path), bytes);
	}
	return broken;
}

function withSignal({ signal }: WorkspaceOptions): { signal?: AbortSignal } {
	return signal ? { signal } : {};
}

/** Time between a request to end and the kill, in milliseconds. */
const GRACE_MS = 4_000;

/** Runs a program in a process group of its own, which an abort ends as a whole. */
function run(
	[program = "", ...args]: readonly string[],
	options: { cwd: string; env: Readonly<Record<string, string | undefined>>; signal?: AbortSignal },
): Promise<{ code: number; stdout: string; stderr: string }> {
	return new Promise((resolveRun, reject) => {
		const { cwd, signal } = options;
		const env = { ...options.env };
		const child = spawn(program, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
		let stdout = "";
		let stderr = "";
		child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
		child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
		const end = (how: "SIGTERM" | "SIGKILL") => {
			try {
				if (child.pid) process.kill(-child.pid, how);
			} catch {
				// It has ended by itself.
			}
		};
		// agi itself ends the commands that it runs in groups of their own; who does not listen is killed.
		let last: NodeJS.Timeout | undefined;
		const kill = () => {
			end("SIGTERM");
			last = setTimeout(end, GRACE_MS, "SIGKILL");
		};
		signal?.addEventListener("abort", kill, { once: true });
		if (signal?.aborted) kill();
		child.on("error", reject);
		child.on("close", (code) => {
			signal?.removeEventListener("abort", kill);
			clearTimeout(last);
			resolveRun({ code: code ?? 1, stdout, stderr });
		});
	});
}
