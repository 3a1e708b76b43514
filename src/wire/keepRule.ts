// Writes rules into the person's own settings file and takes them out again. It changes nothing else there, and nothing
// at all where the file would be wrong.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../adapters/sessionLog/durable.ts";
import { EFFECTS, type Effect } from "../policy/effects.ts";
import {
	parseRule,
	type Rule,
	type RuleImport,
	type RuleObject,
	type RuleSource,
	ruleObject,
	shortForm,
	TOOL_NAMES,
} from "../policy/rules.ts";
import { importMark } from "../settings/importedRules.ts";
import { unknownTool } from "../settings/readRules.ts";
import { readSmallFile } from "../settings/smallFile.ts";
import type { Place } from "./place.ts";

/** Done, or a sentence that says why not. */
export type RuleChange = { ok: true; path: string; changed: boolean } | { ok: false; message: string };

/** Adds a rule to the file in `configFolder`; `changed` is false where it stands there. */
export async function addUserRule(
	configFolder: string,
	effect: Effect,
	rule: RuleSource,
): Promise<RuleChange> {
	const parsed = parseRule(rule, { effect, layer: "user", origin: configFolder });
	if (!parsed.ok) return { ok: false, message: `The rule ${JSON.stringify(rule)} ${parsed.problem}.` };
	// A file may name tools that are not there yet; who types a rule now would believe that it holds.
	const unknown = unknownTool(parsed.rule.tool, TOOL_NAMES);
	if (unknown !== undefined) return { ok: false, message: `The rule ${JSON.stringify(rule)} ${unknown}` };
	return changeRules(configFolder, (rules) => {
		const list = rules[effect] ?? [];
		return list.some((one) => textOf(one) === parsed.rule.text)
			? rules
			: { ...rules, [effect]: [...list, rule] };
	});
}

/** Takes every rule out that is written so, or whose short form it is; of one effect, or of all. */
export function removeUserRule(configFolder: string, rule: string, effect?: Effect): Promise<RuleChange> {
	const wanted = textOf(rule);
	return changeRules(configFolder, (rules) => {
		let changed = false;
		const kept = { ...rules };
		for (const one of effect === undefined ? EFFECTS : [effect]) {
			const list = rules[one];
			const left = list?.filter((source) => textOf(source) !== wanted);
			if (!left || left.length === list?.length) continue;
			changed = true;
			kept[one] = left;
		}
		return changed ? kept : rules;
	});
}

/** Stores a project's suggested rules, bound to that project and to its settings file as it is now. */
export async function takeOverRules(place: Place, suggested: readonly Rule[]): Promise<RuleChange> {
	const mark = place.agentFolder === undefined ? undefined : await importMark(place.agentFolder);
	if (mark && suggested.length > 0)
		return importUserRules(place.folders.config, mark, suggested.map(ruleObject));
	return { ok: false, message: "This project suggests no rules, or is not trusted; nothing was taken over." };
}

/** Puts `rules` in the place of whatever was taken over from that project before. */
function importUserRules(
	configFolder: string,
	from: RuleImport,
	rules: readonly RuleObject[],
): Promise<RuleChange> {
	return changeRules(configFolder, (held) => {
		const others = (held.allow ?? []).filter(
			(source) => typeof source === "string" || source.from?.project !== from.project,
		);
		const standing = new Set(
			others.filter((source) => typeof source === "string" || !source.from).map(textOf),
		);
		const taken = rules.filter((rule) => !standing.has(shortForm(rule))).map((rule) => ({ ...rule, from }));
		return { ...held, allow: [...others, ...taken] };
	});
}

type Permissions = Partial<Record<Effect, RuleSource[]>>;

async function changeRules(
	configFolder: string,
	change: (rules: Permissions) => Permissions,
): Promise<RuleChange> {
	const path = join(configFolder, "settings.json");
	const file = await readSmallFile(path);
	if (file.state === "unreadable")
		return {
			ok: false,
			message: `The settings file ${path} cannot be read: ${file.reason}. Nothing was changed.`,
		};
	const text = file.state === "text" ? file.text : "{}";
	// Few change a rule, and the schema with its vendor takes long to load.
	const { checkSettings } = await import("../settings/settingsFile.ts");
	const before = checkSettings(path, text).problem;
	if (before !== undefined)
		return { ok: false, message: `${before} Mend that by hand first; nothing was changed.` };
	const settings = JSON.parse(text.replace(/^\uFEFF/, "")) as { permissions?: Permissions };
	const rules = settings.permissions ?? {};
	const changed = change(rules);
	if (changed === rules) return { ok: true, path, changed: false };
	const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "\t";
	try {
		await mkdir(configFolder, { recursive: true, mode: 0o700 });
		const target = await realpath(path).catch(() => path);
		await replaceFile(target, `${JSON.stringify({ ...settings, permissions: changed }, null, indent)}\n`, {
			sync: true,
		});
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return { ok: false, message: `The settings file ${path} cannot be written: ${reason}` };
	}
	return { ok: true, path, changed: true };
}

/** The short form of a rule, however it is written. */
function textOf(source: RuleSource): string {
	if (typeof source !== "string") return shortForm(source);
	const parsed = parseRule(source, { effect: "deny", layer: "user", origin: "" });
	return parsed.ok ? parsed.rule.text : source.trim();
}
