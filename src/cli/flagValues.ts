// Reads the values of the flags that set something: each checked, a mistake told as a sentence. Pure.

import { BASE_URL_RULE, isBaseUrl } from "../settings/baseUrl.ts";
import { nearestWord } from "../settings/spelling.ts";
import { MODES, type Mode } from "../types.ts";

/** Flags that set something; `SettingsFlags` is a part of it. `timeout` in seconds, `maxCost` in US dollars. */
export interface ParsedFlags {
	model?: string;
	profile?: string;
	baseUrl?: string;
	permissionMode?: Mode;
	/** The person vouches that this machine is a sandbox as a whole. */
	sandbox?: "external";
	allowedTools?: string[];
	disallowedTools?: string[];
	appendSystemPrompt?: string;
	addDirs: string[];
	maxSteps?: number;
	maxTokens?: number;
	maxCost?: number;
	timeout?: number;
	trust: boolean;
	ephemeral: boolean;
	debug: boolean;
}

/** What is wrong with a command line, as a sentence for the person. */
export class Mistake extends Error {}

/** The values of each flag that was given, by its name. */
export type GivenFlags = ReadonlyMap<string, readonly string[]>;

/** The flags that set something. Throws `Mistake`. */
export function readFlags(given: GivenFlags): ParsedFlags {
	const last = (name: string): string | undefined => given.get(name)?.at(-1);
	const text = (name: string): string | undefined => {
		const value = last(name);
		if (value?.trim() === "") throw new Mistake(`--${name} needs a value that is not empty.`);
		return value;
	};
	const whole = (name: string): number | undefined => {
		const value = last(name);
		return value === undefined ? undefined : wholeNumber(`--${name}`, value);
	};
	const rules = (name: string): string[] | undefined => given.get(name)?.flatMap(splitRules);
	return {
		...defined("model", text("model")),
		...defined("profile", text("profile")),
		...defined("baseUrl", address(text("base-url"))),
		...defined("permissionMode", oneOf("permission-mode", given, MODES)),
		...defined("sandbox", oneOf("sandbox", given, ["external"] as const)),
		...defined("allowedTools", rules("allowed-tools")),
		...defined("disallowedTools", rules("disallowed-tools")),
		...defined("appendSystemPrompt", text("append-system-prompt")),
		addDirs: [...(given.get("add-dir") ?? [])],
		...defined("maxSteps", whole("max-steps")),
		...defined("maxTokens", whole("max-tokens")),
		...defined("maxCost", amount("max-cost", last("max-cost"), 0)),
		...defined("timeout", amount("timeout", last("timeout"), 0.001)),
		trust: given.has("trust"),
		ephemeral: given.has("ephemeral"),
		debug: given.has("debug"),
	};
}

/** An object with the key, or without where there is no value. */
export function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
	return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

/** Parts between commas, save for commas inside the brackets of a rule. */
function splitRules(list: string): string[] {
	return (list.match(/(?:\([^)]*\)|[^,])+/g) ?? []).map((rule) => rule.trim()).filter((rule) => rule !== "");
}

function address(url: string | undefined): string | undefined {
	if (url !== undefined && !isBaseUrl(url)) throw new Mistake(`--base-url ${BASE_URL_RULE}.`);
	return url;
}

/** The last value of a flag, one of `known`. Throws `Mistake` with the nearest. */
export function oneOf<T extends string>(name: string, given: GivenFlags, known: readonly T[]): T | undefined {
	const value = given.get(name)?.at(-1);
	if (value === undefined) return undefined;
	const found = known.find((word) => word === value);
	if (found !== undefined) return found;
	const near = nearestWord(value, known);
	const way = near === undefined ? "" : ` Did you mean ${near}?`;
	throw new Mistake(`--${name} must be one of ${known.join(", ")}, not "${value}".${way}`);
}

/** A whole number from 1. Throws `Mistake`. */
export function wholeNumber(name: string, written: string): number {
	const number = Number(written);
	if (/^\d+$/.test(written) && number >= 1 && Number.isSafeInteger(number)) return number;
	throw new Mistake(`${name} must be a whole number from 1, not "${written}".`);
}

function amount(name: string, written: string | undefined, least: number): number | undefined {
	if (written === undefined) return undefined;
	const number = Number(written);
	// Above this many seconds a timer of Node overflows and fires at once.
	const most = 2_000_000;
	if (/^\d*\.?\d+$/.test(written) && number >= least && number <= most) return number;
	throw new Mistake(`--${name} must be a number from ${least} to ${most}, not "${written}".`);
}
