// What the files look like that this session's tools changed: git's difference for those that were there before, the
// whole text for new ones. Reads only, and runs nothing that a repository's configuration names.

import { previewDiff } from "../agent/tools/diffPreview.ts";
import type { ProcessEnd, Processes } from "../ports/processes.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { Commit } from "../session/events.ts";

export interface ChangesOptions {
	processes: Processes;
	workspace: Workspace;
	redact(text: string): string;
	signal: AbortSignal;
}

/** A file that a tool wrote or removed; `isNew`: it was not there before the session's first write. */
interface TouchedFile {
	path: string;
	isNew: boolean;
}

const GIT_TIMEOUT_MS = 20_000;

/** The unified diff, and sentences about what it leaves out or adds. Never rejects for what git does. */
export async function changesReport(
	commits: readonly Commit[],
	options: ChangesOptions,
): Promise<{ diff: string; notes: string[] }> {
	const touched = touchedFiles(commits);
	if (touched.length === 0)
		return {
			diff: "",
			notes: ["No file tool has changed a file in this session. What commands did is not looked at."],
		};
	const created = await Promise.all(
		touched.filter((file) => file.isNew).map((file) => wholeFile(file, options)),
	);
	const old = touched.filter((file) => !file.isNew).map((file) => file.path);
	const known = old.length === 0 ? { diff: "", notes: [] } : await gitDiff(old, options);
	const parts = [known.diff, ...created].filter((part) => part !== "");
	return { diff: options.redact(parts.join("\n")), notes: known.notes };
}

function touchedFiles(commits: readonly Commit[]): TouchedFile[] {
	const touched = new Map<string, TouchedFile>();
	for (const event of commits.flatMap((commit) => commit.events)) {
		if (event.type !== "tool/start") continue;
		for (const { path } of event.after ?? []) {
			if (touched.has(path)) continue;
			const before = event.before?.find((stamp) => stamp.path === path);
			touched.set(path, { path, isNew: before?.digest === null });
		}
	}
	return [...touched.values()];
}

async function wholeFile({ path }: TouchedFile, { workspace }: ChangesOptions): Promise<string> {
	const resolved = await workspace.resolve(path);
	if (!resolved.ok) return "";
	const content = await workspace.read(resolved.value);
	if (!content.ok) return "";
	return content.value.text === undefined
		? `Binary file ${resolved.value.shown} was added.`
		: previewDiff(resolved.value.shown, undefined, content.value.text.replace(/\r\n?/g, "\n"));
}

async function gitDiff(paths: string[], options: ChangesOptions): Promise<{ diff: string; notes: string[] }> {
	const top = await git(["rev-parse", "--show-toplevel"], options);
	if (top.exitCode !== 0) return { diff: "", notes: [noGit(paths, top)] };
	const root = top.output.trim();
	const inside = paths.filter((path) => path.startsWith(`${root}/`));
	const outside = paths.filter((path) => !inside.includes(path));
	const notes =
		outside.length === 0 ? [] : [`Changed outside of the git project, not shown: ${outside.join(", ")}`];
	if (inside.length === 0) return { diff: "", notes };
	const hasCommit = (await git(["rev-parse", "--verify", "--quiet", "HEAD"], options)).exitCode === 0;
	const filters = await configuredFilters(options);
	const flags = ["--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=all"];
	const shown = await git(
		["diff", ...flags, ...(hasCommit ? ["HEAD"] : []), "--", ...inside],
		options,
		filters,
	);
	if (shown.exitCode !== 0)
		return { diff: "", notes: [...notes, `git could not compare: ${reasonOf(shown)}`] };
	notes.push("Changes of your own to these files that are not committed are part of the difference.");
	return { diff: shown.output.trimEnd(), notes };
}

function noGit(paths: string[], end: ProcessEnd): string {
	const why = end.startError === undefined ? "This folder is in no git project" : "git could not be started";
	return `${why}, so these changed files cannot be compared: ${paths.join(", ")}`;
}

/** Filters run programs that a repository's own configuration may name; an empty name runs none. */
async function configuredFilters(options: ChangesOptions): Promise<[key: string, value: string][]> {
	const listed = await git(["config", "--name-only", "--get-regexp", "^filter\\."], options);
	const names = new Set(
		listed.output.split("\n").flatMap((key) => /^(filter\..+)\.[a-z]+$/i.exec(key.trim())?.[1] ?? []),
	);
	return [...names].flatMap((name): [string, string][] => [
		[`${name}.clean`, ""],
		[`${name}.smudge`, ""],
		[`${name}.process`, ""],
		[`${name}.required`, "false"],
	]);
}

function git(args: string[], options: ChangesOptions, config: [string, string][] = []): Promise<ProcessEnd> {
	const settings: [string, string][] = [
		["core.fsmonitor", "false"],
		["core.hooksPath", "/dev/null"],
		...config,
	];
	const env: Record<string, string> = {
		GIT_OPTIONAL_LOCKS: "0",
		GIT_LITERAL_PATHSPECS: "1",
		GIT_TERMINAL_PROMPT: "0",
		// Missing objects of a partial clone are fetched by programs that its configuration names.
		GIT_NO_LAZY_FETCH: "1",
		GIT_ALLOW_PROTOCOL: "none",
		GIT_CONFIG_COUNT: String(settings.length),
	};
	for (const [index, [key, value]] of settings.entries()) {
		env[`GIT_CONFIG_KEY_${index}`] = key;
		env[`GIT_CONFIG_VALUE_${index}`] = value;
	}
	return options.processes.run({
		command: { file: "git", args: ["--no-pager", ...args] },
		cwd: options.workspace.root,
		timeoutMs: GIT_TIMEOUT_MS,
		signal: options.signal,
		env,
	});
}

function reasonOf(end: ProcessEnd): string {
	return (
		end.startError ??
		(end.timedOut ? "it took too long" : end.output.trim().split("\n")[0] || "no reason told")
	);
}
