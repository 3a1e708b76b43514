// The search port by means of ripgrep: lines that match, files by glob. What git ignores is left out; a glob only
// narrows and never brings back what is ignored. Secret files are left out by the same rule that guards them elsewhere.

import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isProcessSecret } from "../../policy/hardDenies.ts";
import { isSecretPath } from "../../policy/secretNames.ts";
import type {
	FileSearchEnd,
	FoundLine,
	LineSearch,
	LineSearchEnd,
	Search,
	SearchResult,
	SearchScope,
} from "../../ports/search.ts";
import { type GlobPattern, parseGlob } from "./globPattern.ts";
import { type RipgrepEnd, runRipgrep } from "./runRipgrep.ts";

/** A longer line is shown as a piece of this length around its hit. */
const MAX_LINE_LENGTH = 300;

/** Text as ripgrep tells it: bytes that are no UTF-8 come in base64. */
type Told = { text: string } | { bytes: string };

/** The records of `--json` that matter here. */
type ToldRecord =
	| { type: "begin"; data: { path: Told } }
	| {
			type: "match" | "context";
			data: { lines: Told; line_number: number; submatches: { start: number }[] };
	  };

/** A search through ripgrep. Nothing is loaded or started before the first call. */
export function createRipgrepSearch(): Search {
	return { lines: searchLines, files: searchFiles };
}

async function searchLines(request: LineSearch): Promise<SearchResult<LineSearchEnd>> {
	const place = placeOf(request.path);
	if (place === undefined) return gone(request.path);
	const glob = request.glob === undefined ? undefined : parseGlob(request.glob);
	const leftOut = (path: string) =>
		reasonToLeaveOut(path, join(place.folder, path), request.includeSecrets, glob);
	const collected: LineSearchEnd = { lines: [], hits: 0, cut: false, timedOut: false, secretFiles: 0 };
	const end = await runRipgrep({
		args: [
			"--json",
			"--engine=auto",
			"--crlf",
			`--context=${request.context}`,
			...(request.ignoreCase ? ["--ignore-case"] : []),
			...narrowByName(glob),
			`--regexp=${request.pattern}`,
			"--",
			place.target,
		],
		cwd: place.folder,
		separator: "\n",
		signal: request.signal,
		onRecord: collectLines(request, leftOut, collected),
	});
	return finish(request, end, { ...collected, timedOut: end.timedOut }, collected.lines.length > 0);
}

async function searchFiles(request: SearchScope & { glob: string }): Promise<SearchResult<FileSearchEnd>> {
	if (placeOf(request.path) === undefined) return gone(request.path);
	const glob = parseGlob(request.glob);
	const collected: FileSearchEnd = { paths: [], total: 0, timedOut: false };
	const end = await runRipgrep({
		args: ["--files", "--null", "--", "./"],
		cwd: request.path,
		separator: "\0",
		signal: request.signal,
		onRecord: (record) => {
			const path = record?.replace(/^\.[\\/]/, "").replaceAll("\\", "/");
			if (path === undefined || !glob.matches(path)) return "go";
			collected.total += 1;
			if (collected.paths.length < request.limit) collected.paths.push(path);
			return "go";
		},
	});
	return finish(request, end, { ...collected, timedOut: end.timedOut }, collected.total > 0);
}

/** Why hits in a file are not told. */
type LeftOut = "no" | "glob" | "secret";

function collectLines(request: LineSearch, reasonFor: (path: string) => LeftOut, collected: LineSearchEnd) {
	let path = "";
	let leftOut: LeftOut = "no";
	const add = (line: FoundLine) => {
		if (line.isHit && collected.hits === request.limit) {
			collected.cut = true;
			return "stop";
		}
		collected.hits += line.isHit ? 1 : 0;
		collected.lines.push(line);
		return "go";
	};
	return (text: string | undefined): "go" | "stop" => {
		if (leftOut !== "no" && !text?.startsWith('{"type":"begin"')) return "go";
		if (text === undefined) {
			return add({ path, line: 0, text: "[a line of more than 4 million characters]", isHit: true });
		}
		const record = JSON.parse(text) as ToldRecord | { type: "end" | "summary" };
		if (record.type === "begin") {
			path = nameOf(record.data.path)
				.replace(/^\.[\\/]/, "")
				.replaceAll("\\", "/");
			leftOut = reasonFor(path);
			collected.secretFiles += leftOut === "secret" ? 1 : 0;
			return "go";
		}
		if (record.type !== "match" && record.type !== "context") return "go";
		const { lines, line_number: line, submatches } = record.data;
		return add({
			path,
			line,
			text: pieceOf(lines, submatches[0]?.start ?? 0),
			isHit: record.type === "match",
		});
	};
}

function reasonToLeaveOut(
	path: string,
	absolute: string,
	includeSecrets: boolean,
	glob: GlobPattern | undefined,
): LeftOut {
	if (glob !== undefined && !glob.matches(path)) return "glob";
	if (isProcessSecret(absolute)) return "secret";
	return !includeSecrets && isSecretPath(path.split("/")) ? "secret" : "no";
}

/** File types are the one filter of ripgrep that narrows without overruling what is ignored. */
function narrowByName(glob: GlobPattern | undefined): string[] {
	if (glob?.names === undefined) return [];
	return [...glob.names.map((name) => `--type-add=agi:${name}`), "--type=agi"];
}

/** Where ripgrep is started and on what; undefined where nothing stands. */
function placeOf(path: string): { folder: string; target: string } | undefined {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (stats?.isDirectory()) return { folder: path, target: "./" };
	return stats && { folder: dirname(path), target: `./${basename(path)}` };
}

function gone(path: string): SearchResult<never> {
	return { ok: false, error: { kind: "failed", message: `${path} no longer exists.` } };
}

/** A name that is no UTF-8 is spelled as Node spells it wherever else a folder is listed. */
function nameOf(told: Told): string {
	return "text" in told ? told.text : Buffer.from(told.bytes, "base64").toString("utf8");
}

function plain(told: Told): string {
	return "text" in told ? told.text : Buffer.from(told.bytes, "base64").toString("latin1");
}

/** The line, or of a long one the piece around the byte at which the hit starts. */
function pieceOf(told: Told, start: number): string {
	const line = plain(told).replace(/\r?\n?$/, "");
	if (line.length <= MAX_LINE_LENGTH) return line;
	const hit = "text" in told ? Buffer.from(line).subarray(0, start).toString().length : start;
	const from = Math.max(0, Math.min(hit - MAX_LINE_LENGTH / 3, line.length - MAX_LINE_LENGTH));
	const piece = line.slice(from, from + MAX_LINE_LENGTH).toWellFormed();
	const tail = from + MAX_LINE_LENGTH < line.length ? "…" : "";
	return `${from > 0 ? "…" : ""}${piece}${tail} [piece of a line of ${line.length} characters]`;
}

function finish<T>(request: SearchScope, end: RipgrepEnd, value: T, foundAny: boolean): SearchResult<T> {
	if (request.signal.aborted)
		return { ok: false, error: { kind: "cancelled", message: "The search was cancelled." } };
	if (end.startError !== undefined) {
		return {
			ok: false,
			error: { kind: "failed", message: `The search could not be started: ${end.startError}` },
		};
	}
	if (end.exitCode === 2 && !foundAny && end.stderr !== "") {
		return { ok: false, error: { kind: "invalid_pattern", message: sentenceOf(end.stderr) } };
	}
	return { ok: true, value };
}

function sentenceOf(stderr: string): string {
	const reason = /^error: (.+)$/m.exec(stderr)?.[1] ?? stderr.replace(/^rg: /, "").split("\n")[0] ?? "";
	return `ripgrep does not take the pattern: ${reason}`;
}
