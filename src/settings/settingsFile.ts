// Checks what a settings file says and tells what is wrong with it: file, line, key, and the way out.
// Pure, and loaded only where there is such a file. It never decides whose word counts.

import type * as z from "zod";
import { EFFECTS, type Effect } from "../policy/effects.ts";
import { parseRule, type RuleSource } from "../policy/rules.ts";
import { readJson } from "./jsonPositions.ts";
import { isSection, SETTING_KEYS, type Settings, settingsSchema } from "./settingsSchema.ts";
import { nearestWord } from "./spelling.ts";

/**
 * What a settings file sets, by dotted key. With a `problem`, a sentence of everything that is wrong, only the ask and
 * deny rules that could still be read are left: leaving out a file must never widen what is allowed.
 */
export interface CheckedSettings {
	values: [key: string, value: unknown][];
	problem?: string;
}

/** Checks the text of the settings file at `path`. Never throws. */
export function checkSettings(path: string, text: string): CheckedSettings {
	const json = readJson(text);
	if (!json.ok) {
		const place = `line ${json.line}, column ${json.column}`;
		return { values: [], problem: `The settings file ${path} is no JSON: ${place}: ${json.message}.` };
	}
	const checked = settingsSchema.safeParse(json.value);
	const problems = checked.success
		? ruleProblems(checked.data.permissions ?? {})
		: checked.error.issues.flatMap(settingProblems);
	if (checked.success && problems.length === 0) return { values: flatten(checked.data) };
	const told = problems.map(({ path: key, text: what }) => `line ${json.lineOf(key)}: ${what}`).join("; ");
	return {
		values: flatten({ permissions: keptRules(json.value) }),
		problem: `The settings file ${path} has a mistake: ${told}${told.endsWith("?") ? "" : "."}`,
	};
}

/** What is wrong with a value for a dotted key, without the full stop; undefined where it fits. */
export function valueProblem(key: string, value: unknown): string | undefined {
	const [section = key, inner] = key.split(".");
	const checked = settingsSchema.safeParse({ [section]: inner === undefined ? value : { [inner]: value } });
	const problems = checked.success
		? ruleProblems(checked.data.permissions ?? {})
		: checked.error.issues.flatMap(settingProblems);
	return problems[0]?.text;
}

/** Rules whose text or whose own examples are wrong. */
function ruleProblems(permissions: NonNullable<Settings["permissions"]>): Problem[] {
	return EFFECTS.flatMap((effect) =>
		(permissions[effect] ?? []).flatMap((source, index): Problem[] => {
			const problem = ruleProblem(source, effect);
			const path = ["permissions", effect, index];
			return problem === undefined ? [] : [{ path, text: `"${path.join(".")}" ${problem}` }];
		}),
	);
}

function ruleProblem(source: RuleSource, effect: Effect): string | undefined {
	const parsed = parseRule(source, { effect, layer: "user", origin: "" });
	return parsed.ok ? undefined : parsed.problem;
}

function flatten(settings: Settings): [string, unknown][] {
	return Object.entries(settings).flatMap(([key, value]): [string, unknown][] => {
		if (key === "$schema") return [];
		if (!isSection(key) || !(value instanceof Object)) return [[key, value]];
		return Object.entries(value).map(([inner, set]) => [`${key}.${inner}`, set]);
	});
}

function keptRules(value: unknown): { ask?: RuleSource[]; deny?: RuleSource[] } {
	const permissions: unknown =
		value instanceof Object && "permissions" in value ? value.permissions : undefined;
	if (!(permissions instanceof Object)) return {};
	const readable = (effect: Effect, list: unknown): RuleSource[] =>
		Array.isArray(list) ? list.filter((rule) => isRule(rule) && ruleProblem(rule, effect) === undefined) : [];
	const ask = readable("ask", "ask" in permissions ? permissions.ask : undefined);
	const deny = readable("deny", "deny" in permissions ? permissions.deny : undefined);
	return { ...(ask.length > 0 ? { ask } : {}), ...(deny.length > 0 ? { deny } : {}) };
}

function isRule(value: unknown): value is RuleSource {
	return settingsSchema.safeParse({ permissions: { deny: [value] } }).success;
}

/** A mistake, where it stands and what it is. */
interface Problem {
	path: (string | number)[];
	text: string;
}

/** What an issue of the schema means for a person, one entry per key at fault. */
function settingProblems(issue: z.core.$ZodIssue): Problem[] {
	const path = issue.path.map((part) => (typeof part === "number" ? part : String(part)));
	if (issue.code === "unrecognized_keys") {
		return issue.keys.map((key) => ({ path: [...path, key], text: unknownKey([...path, key]) }));
	}
	const key = path.join(".");
	return [
		{ path, text: key === "" ? `the file must hold ${kindName("object")}` : `"${key}" ${ruleOf(issue)}` },
	];
}

function unknownKey(path: (string | number)[]): string {
	const key = path.join(".");
	const right = rightKey(key);
	return right === undefined ? `unknown key "${key}"` : `unknown key "${key}", did you mean "${right}"?`;
}

/** The key that `typed` most likely meant: near as a whole, or the same last word in another section. */
export function rightKey(typed: string): string | undefined {
	const lastWord = (key: string): string => key.slice(key.lastIndexOf(".") + 1);
	const tops = [...new Set(SETTING_KEYS.map((key) => key.split(".")[0]!))].filter(isSection);
	const whole = nearestWord(typed, [...SETTING_KEYS, ...tops]);
	if (whole !== undefined) return whole;
	const word = nearestWord(lastWord(typed), SETTING_KEYS.map(lastWord));
	return word === undefined ? undefined : SETTING_KEYS.find((key) => lastWord(key) === word);
}

function ruleOf(issue: z.core.$ZodIssue): string {
	switch (issue.code) {
		case "invalid_type":
			return `must be ${kindName(issue.expected)}`;
		case "invalid_value":
			return `must be one of ${issue.values.map(String).join(", ")}`;
		case "too_small":
			if (issue.origin === "string") return "must not be empty";
			return issue.inclusive === false
				? `must be more than ${issue.minimum}`
				: `must be at least ${issue.minimum}`;
		case "too_big":
			return `must be at most ${issue.maximum}`;
		case "invalid_format":
		case "custom":
			return issue.message;
		case "invalid_union":
			return "must be a rule: text such as runCommand(npm test), or an object with tool, argv, path, domain, why, match, notMatch, from";
		default:
			return "has a value of the wrong kind";
	}
}

function kindName(expected: string): string {
	switch (expected) {
		case "string":
			return "text in double quotes";
		case "int":
			return "a whole number";
		case "number":
			return "a number";
		case "boolean":
			return "true or false";
		case "array":
			return "a list in [ ]";
		default:
			return "an object in { }";
	}
}
