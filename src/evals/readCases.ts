// Reads case files: arrays of cases, or an object with `cases` and `thresholds`. Whatever is wrong is told with file and
// line, all of it at once, before a model is asked anything.

import { readFileSync } from "node:fs";
import { relative } from "node:path";
import * as z from "zod";
import { tools } from "../agent/tools/index.ts";
import { readJson } from "../settings/jsonPositions.ts";
import { nearestWord } from "../settings/spelling.ts";
import { AgiError, MODES } from "../types.ts";
import type { LocatedCase, SuiteKind, Thresholds } from "./types.ts";

const filled = z.string().trim().min(1);
const names = z.array(filled);
const mode = z.enum(MODES as [string, ...string[]]).optional();
const messages = z.array(z.looseObject({ role: z.enum(["user", "assistant", "tool"]) })).optional();
const config = { model: filled.optional(), temperature: z.number().min(0).max(2).optional() };

const SINGLE = {
	data: z.strictObject({
		prompt: filled,
		systemPrompt: z.string().optional(),
		tools: names.optional(),
		skills: z.record(filled, filled).optional(),
		messages,
		mode,
		config: z.strictObject(config).optional(),
	}),
	target: z.strictObject({
		category: z.enum(["golden", "secondary", "negative"]),
		expectedTools: names.optional(),
		forbiddenTools: names.optional(),
	}),
};

const MULTI = {
	data: z.strictObject({
		prompt: filled.optional(),
		messages,
		systemPrompt: z.string().optional(),
		mode,
		mockTools: z.record(
			z.string(),
			z.strictObject({
				description: z.string().optional(),
				parameters: z.record(z.string(), z.string()).optional(),
				mockReturn: z.union([z.string(), z.array(z.string()).min(1)]),
			}),
		),
		config: z
			.strictObject({
				...config,
				maxSteps: z.int().min(1).optional(),
				approve: z.boolean().optional(),
			})
			.optional(),
	}),
	target: z.strictObject({
		category: z.enum(["task-completion", "conversation-continuation", "negative"]),
		originalTask: filled,
		expectedToolOrder: names.optional(),
		forbiddenTools: names.optional(),
		expectedText: names.optional(),
		rubric: filled.optional(),
		mockToolResults: z.record(z.string(), z.string()).optional(),
	}),
};

const WORKSPACE = {
	data: z.strictObject({
		prompt: filled,
		project: filled.optional(),
		verify: filled,
		needs: names.optional(),
	}),
	target: z.strictObject({
		category: z.literal("task-completion"),
		originalTask: filled,
		unchanged: names.optional(),
		expectedText: names.optional(),
		rubric: filled.optional(),
	}),
};

const SHAPES = { "single-turn": SINGLE, "multi-turn": MULTI, workspace: WORKSPACE };
const ENVELOPE = z.strictObject({
	id: filled,
	purpose: filled,
	data: z.unknown().optional(),
	target: z.unknown().optional(),
});

/** What a case file holds. All of its cases are of one kind. */
export interface CaseFile {
	kind: SuiteKind;
	cases: LocatedCase[];
	thresholds?: Thresholds;
}

/** Reads one file. Throws `AgiError` `BAD_CASES` (exit 42) whose message names file, line and each mistake. */
export function readCaseFile(path: string): CaseFile {
	const file = relative(process.cwd(), path) || path;
	let text: string;
	try {
		text = readFileSync(path, "utf8");
	} catch (cause) {
		throw badCases([`${file}: it cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`]);
	}
	return parseCases(text, file);
}

/** The cases of a file's text. Throws as `readCaseFile`. */
export function parseCases(text: string, file: string): CaseFile {
	const json = readJson(text);
	if (!json.ok) throw badCases([`${file}:${json.line}:${json.column}: ${json.message}`]);
	const isList = Array.isArray(json.value);
	const whole = isList ? { cases: json.value } : json.value;
	const form = z
		.strictObject({
			cases: z.array(z.unknown()).min(1, "there is no case"),
			thresholds: z.record(z.string(), z.number().min(0).max(1)).optional(),
		})
		.safeParse(whole);
	if (!form.success) throw badCases(form.error.issues.map((issue) => `${file}:1: ${issue.message}`));
	const at = (path: readonly PropertyKey[]): number =>
		json.lineOf(
			(isList ? path : ["cases", ...path]).map((key) => (typeof key === "number" ? key : String(key))),
		);
	const kind = kindOf(form.data.cases[0]);
	const mistakes: string[] = [];
	const seen = new Map<string, number>();
	const cases = form.data.cases.flatMap((entry, index): LocatedCase[] => {
		const found = readCase(entry, kind, (path, what) => {
			mistakes.push(`${file}:${at([index, ...path])}: ${what}`);
		});
		if (!found) return [];
		const before = seen.get(found.id);
		if (before !== undefined)
			mistakes.push(`${file}:${at([index, "id"])}: the id "${found.id}" stands already in line ${before}`);
		seen.set(found.id, at([index, "id"]));
		return [{ ...found, file, line: at([index]) }];
	});
	if (mistakes.length > 0) throw badCases(mistakes);
	return { kind, cases, ...(form.data.thresholds ? { thresholds: form.data.thresholds } : {}) };
}

type Report = (path: readonly PropertyKey[], what: string) => void;

function readCase(
	entry: unknown,
	kind: SuiteKind,
	report: Report,
): Omit<LocatedCase, "file" | "line"> | undefined {
	const envelope = ENVELOPE.safeParse(entry);
	if (!envelope.success) {
		for (const { path, message } of envelope.error.issues)
			report(path, `${path.join(".") || "the case"}: ${message}`);
		return undefined;
	}
	const { id, purpose } = envelope.data;
	const own = kindOf(entry);
	if (own !== kind) {
		report([], `${id}: a ${own} case among ${kind} ones; put it into a file of its own`);
		return undefined;
	}
	const parts = (["data", "target"] as const).map((part) => {
		if (envelope.data[part] === undefined) {
			report([], `${id}: ${part} is missing`);
			return undefined;
		}
		const read = SHAPES[kind][part].safeParse(envelope.data[part]);
		if (read.success) return read.data as Record<string, unknown>;
		for (const issue of read.error.issues)
			report([part, ...issue.path], `${id}: ${[part, ...issue.path].join(".")}: ${issue.message}`);
		return undefined;
	});
	const [data, target] = parts;
	if (!data || !target) return undefined;
	for (const mistake of deeperMistakes(kind, data, target)) report(mistake.path, `${id}: ${mistake.what}`);
	return { id, purpose, data, target };
}

/** What the shapes alone cannot tell: tools that do not exist, expectations that cannot be met, missing targets. */
function deeperMistakes(
	kind: SuiteKind,
	data: Record<string, unknown>,
	target: Record<string, unknown>,
): { path: string[]; what: string }[] {
	const found: { path: string[]; what: string }[] = [];
	const list = (key: string) => (target[key] as string[] | undefined) ?? [];
	const named = ["expectedTools", "forbiddenTools", "expectedToolOrder"] as const;
	const offered =
		kind === "multi-turn"
			? Object.keys(data["mockTools"] as object)
			: ((data["tools"] as string[] | undefined) ?? Object.keys(tools));
	if (kind === "single-turn")
		for (const name of offered)
			if (!Object.hasOwn(tools, name))
				found.push({ path: ["data", "tools"], what: unknownTool(name, Object.keys(tools)) });
	for (const key of named)
		for (const name of list(key))
			if (!offered.includes(name) && !(key === "forbiddenTools" && Object.hasOwn(tools, name)))
				found.push({ path: ["target", key], what: unknownTool(name, offered) });
	const { category } = target;
	const lacks = (what: string) => found.push({ path: ["target"], what });
	if (kind === "single-turn" && category !== "negative" && list("expectedTools").length === 0)
		lacks(`a ${category} case needs target.expectedTools`);
	if (kind === "multi-turn") {
		if (category === "negative" && list("forbiddenTools").length === 0)
			lacks("a negative case needs target.forbiddenTools");
		else if (
			named.every((key) => list(key).length === 0) &&
			list("expectedText").length === 0 &&
			!target["rubric"]
		)
			lacks("nothing is expected: give expectedToolOrder, forbiddenTools, expectedText or a rubric");
		const said = data["messages"] as { role: string }[] | undefined;
		if (data["prompt"] === undefined && said?.at(-1)?.role !== "user")
			found.push({ path: ["data"], what: "give data.prompt, or data.messages that end with the user's" });
	}
	return found;
}

function kindOf(entry: unknown): SuiteKind {
	const data = (entry as { data?: { verify?: unknown; mockTools?: unknown } | null } | null)?.data;
	if (data?.verify !== undefined) return "workspace";
	return data?.mockTools === undefined ? "single-turn" : "multi-turn";
}

function unknownTool(name: string, known: readonly string[]): string {
	const near = nearestWord(name, known);
	return `no tool "${name}" is offered${near === undefined ? `; there are ${known.join(", ")}` : `. Did you mean ${near}?`}`;
}

function badCases(mistakes: readonly string[]): AgiError {
	const more = mistakes.length > 20 ? [`and ${mistakes.length - 20} more`] : [];
	const message = ["The cases cannot be run; nothing was spent.", ...mistakes.slice(0, 20), ...more].join(
		"\n",
	);
	return new AgiError("BAD_CASES", message, { exitCode: 42 });
}
