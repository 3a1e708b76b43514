// `agi config`: reads the settings that hold for this folder, and changes the user's own file. Secrets are no settings:
// a key is shown only as being set.

import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../adapters/sessionLog/durable.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { checkSettings, rightKey, valueProblem } from "../settings/settingsFile.ts";
import { isSection, SETTING_KEYS } from "../settings/settingsSchema.ts";
import { readSmallFile } from "../settings/smallFile.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { locate, type Place } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { commandSettings } from "./commandSettings.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";

/**
 * Runs `agi config ...`. Exit 2 for an unknown key or a wrong value, 52 for a settings file that is wrong, 1 for a key
 * that is not set and has no default.
 */
export async function configCommand(
	parsed: CommandLine<"config">,
	around: Surroundings = ownSurroundings(),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const path = join(place.folders.config, "settings.json");
	switch (parsed.action) {
		case "path":
			around.out(parsed.json ? `${JSON.stringify({ path })}\n` : `${path}\n`);
			return 0;
		case "list":
			return list(await commandSettings(place, parsed.flags, around), parsed.json, around);
		case "get":
			return get(await commandSettings(place, parsed.flags, around), parsed, around);
		case "set":
			return set(place, path, parsed, around);
		default: {
			const unknown: never = parsed;
			throw new AgiError("BUG", `no action ${JSON.stringify(unknown)}`);
		}
	}
}

function list(settings: LoadedSettings, json: boolean, around: Surroundings): ExitCode {
	const entries = Object.keys(settings.sources)
		.sort()
		.map((key) => ({ key, value: settingValue(settings, key), source: settings.sources[key] ?? "" }));
	if (json) {
		around.out(`${JSON.stringify(entries)}\n`);
		return 0;
	}
	const rows = entries.map(({ key, value, source }) => [`${key} = ${textOf(value)}`, source] as const);
	const width = Math.min(Math.max(...rows.map(([left]) => left.length)), 60);
	around.out(visibleText(rows.map(([left, source]) => `${left.padEnd(width)}  (${source})\n`).join("")));
	return 0;
}

function get(
	settings: LoadedSettings,
	{ key, json }: CommandLine<"config"> & { action: "get" },
	around: Surroundings,
): ExitCode {
	if (!isSection(key)) assertKnown(key);
	const value = settingValue(settings, key);
	const isSet = value !== undefined;
	if (json)
		around.out(`${JSON.stringify({ key, value: value ?? null, source: settings.sources[key] ?? null })}\n`);
	else if (isSet) around.out(visibleText(`${textOf(value)}\n`));
	else around.err(`${key} is not set.`);
	if (!json && settings.sources[key] === "default") around.err(`${key} is not set; this is the default.`);
	return isSet ? 0 : 1;
}

/** The value of a dotted key; a key of a server is told as being set, never as what it is. */
function settingValue(settings: LoadedSettings, key: string): unknown {
	if (key === "apiKey") return "(set, not shown)";
	const [section = key, inner] = key.split(".");
	const value: unknown = Object.entries(settings).find(([name]) => name === section)?.[1];
	if (inner === undefined) return value;
	return value instanceof Object ? Object.entries(value).find(([name]) => name === inner)?.[1] : undefined;
}

function textOf(value: unknown): string {
	return typeof value === "string" ? value : JSON.stringify(value);
}

async function set(
	place: Place,
	path: string,
	parsed: CommandLine<"config"> & { action: "set" },
	around: Surroundings,
): Promise<ExitCode> {
	const { key } = parsed;
	assertKnown(key);
	const value = readValue(key, parsed.value);
	const text = withValue(path, await currentText(path), key, value);
	await mkdir(place.folders.config, { recursive: true, mode: 0o700 });
	// A link stays a link: many keep their settings in a repository of their own.
	await replaceFile(await realpath(path).catch(() => path), text, { sync: true });
	around.out(
		parsed.json
			? `${JSON.stringify({ key, value, path })}\n`
			: visibleText(`${key} = ${textOf(value)} in ${path}\n`),
	);
	const { sources } = await commandSettings(place, parsed.flags, around);
	const source = sources[key];
	if (source !== undefined && !source.split(", ").includes(path))
		around.err(`${source} sets ${key} too, and holds as long as it does.`);
	return 0;
}

function assertKnown(key: string): void {
	if (SETTING_KEYS.includes(key)) return;
	const right = isSection(key)
		? SETTING_KEYS.filter((known) => known.startsWith(`${key}.`)).join(", ")
		: rightKey(key);
	const way = right === undefined ? `Keys are ${SETTING_KEYS.join(", ")}.` : `Did you mean ${right}?`;
	throw new AgiError("UNKNOWN_KEY", `There is no setting ${key}. ${way}`, { exitCode: 2 });
}

/** What the words mean for that key: JSON where the key takes it, else the text itself, else a list of that one text. */
function readValue(key: string, written: string): unknown {
	const readings: unknown[] = [written, [written]];
	try {
		readings.unshift(JSON.parse(written));
	} catch {
		// No JSON: the text itself is meant.
	}
	const fitting = readings.find((reading) => valueProblem(key, reading) === undefined);
	if (fitting !== undefined) return fitting;
	throw new AgiError("WRONG_VALUE", `${valueProblem(key, readings[0])}, not ${written}.`, { exitCode: 2 });
}

async function currentText(path: string): Promise<string> {
	const file = await readSmallFile(path);
	if (file.state === "text") return file.text;
	if (file.state === "absent") return "{}";
	throw new AgiError(
		"SETTINGS_UNREADABLE",
		`The settings file ${path} cannot be read: ${file.reason}. Mend that by hand first; nothing was changed.`,
		{
			exitCode: 52,
		},
	);
}

/** The file's text with the key set, everything else in its place. Throws where the file would still be wrong. */
function withValue(path: string, text: string, key: string, value: unknown): string {
	const before = checkSettings(path, text);
	const settings = parseObject(text);
	if (settings === undefined) throw wrongFile(before.problem ?? `The settings file ${path} holds no object.`);
	const [section = key, inner] = key.split(".");
	const held = settings[section];
	settings[section] =
		inner === undefined ? value : { ...(held instanceof Object ? held : {}), [inner]: value };
	const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? "\t";
	const changed = `${JSON.stringify(settings, null, indent)}\n`;
	const { problem } = checkSettings(path, changed);
	if (problem !== undefined) throw wrongFile(problem);
	return changed;
}

function parseObject(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return value instanceof Object && !Array.isArray(value) ? { ...value } : undefined;
	} catch {
		return undefined;
	}
}

function wrongFile(problem: string): AgiError {
	return new AgiError("SETTINGS_INVALID", `${problem} Mend that by hand first; nothing was changed.`, {
		exitCode: 52,
	});
}
