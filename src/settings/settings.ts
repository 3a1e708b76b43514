// Joins what was set: a flag beats the environment, that beats the project's file, that beats the user's.
// A repository may narrow rights, never widen them, and never redirect the key; its `.env` is never read.
// The result is handed on in small pieces, never whole.

import { access, lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Rule, RuleSource } from "../policy/rules.ts";
import { AgiError, type Mode } from "../types.ts";
import type { ProviderProfile } from "./chooseModel.ts";
import { SETTING_DEFAULTS } from "./defaults.ts";
import {
	type Complain,
	type Entry,
	environmentEntries,
	environmentPieces,
	ignoredFolders,
	wantsContainer,
} from "./environment.ts";
import { environmentValue, findKey } from "./findKey.ts";
import { OLLAMA_HOST_RULE, OLLAMA_PROFILE, OLLAMA_VARIABLE, ollamaBaseUrl } from "./ollamaHost.ts";
import { readRules } from "./readRules.ts";
import type { Settings } from "./settingsSchema.ts";
import { readSmallFile } from "./smallFile.ts";

/** The flags that set something; the command line's parser gives them, already checked. Times in seconds. */
export interface SettingsFlags {
	model?: string;
	profile?: string;
	baseUrl?: string;
	permissionMode?: Mode;
	allowedTools?: string[];
	disallowedTools?: string[];
	maxSteps?: number;
	maxTokens?: number;
	maxCost?: number;
	timeout?: number;
}

/** Where settings come from. `agentFolder` is the project's `.agent`, where there is one. */
export interface SettingsOrigin {
	env: Readonly<Record<string, string | undefined>>;
	flags: SettingsFlags;
	/** The user's folder with `settings.json` and `credentials.json`. */
	configFolder: string;
	/** Rules of whoever keeps this machine; default `/etc/agi/settings.json`. */
	managedFile?: string;
	agentFolder?: string | undefined;
	/** Whether the person trusts this folder's configuration. */
	trusted: boolean;
	/** False where nobody is at the screen: then a mistake in a file ends the start. */
	interactive: boolean;
	profiles: readonly ProviderProfile[];
}

type Plain = Pick<
	Settings,
	| "model"
	| "profile"
	| "baseUrl"
	| "contextWindow"
	| "outputReserve"
	| "images"
	| "theme"
	| "language"
	| "keys"
>;

/** What always has a value. */
interface Defaulted {
	permissionMode: Mode;
	limits: NonNullable<Settings["limits"]> & {
		stepsPerTurn: number;
		toolCallsPerTurn: number;
		toolSeconds: number;
	};
	sandbox: NonNullable<Settings["sandbox"]> & {
		mode: NonNullable<NonNullable<Settings["sandbox"]>["mode"]>;
		required: boolean;
		network: boolean;
		image: string;
	};
	compaction: Required<NonNullable<Settings["compaction"]>>;
	memory: Required<NonNullable<Settings["memory"]>>;
}

/** What holds for this start, defaults filled in. A missing limit is none. */
export interface LoadedSettings extends Plain, Defaulted {
	permissions: { allow: RuleSource[]; ask: RuleSource[]; deny: RuleSource[] };
	/** The same, read, each with whose word it is; flags first. */
	rules: Rule[];
	/** Allow rules of the project, which hold only where the person takes them over. */
	suggestedRules: Rule[];
	apiKey?: string;
	/** The environment variable that the key came from, where it did. */
	keyVariable?: string;
	judgeModel?: string;
	exaApiKey?: string;
	laminarKey?: string;
	/** `SANDBOX_COMMANDS`: commands run in a container. */
	sandboxCommands: boolean;
	/** Sentences for the person: what was ignored, and why. */
	notices: string[];
	/** Who set each dotted key: a flag, a variable, a file or `default`. */
	sources: Record<string, string>;
}

const DEFAULTS: readonly Entry[] = Object.entries(SETTING_DEFAULTS).map(([key, value]) => ({
	key,
	value,
	source: "default",
}));

/** What a repository may not say; `sandbox` and `keys` with all below them. */
const NOT_FOR_PROJECTS = [
	"model",
	"profile",
	"baseUrl",
	"permissionMode",
	"permissions.allow",
	"sandbox",
	"keys",
];

/**
 * Reads both files and the environment and joins them with the flags.
 * Rejects with `AgiError` code `SETTINGS_INVALID` (exit 52) where a file or a variable is wrong and nobody is at the
 * screen; else that one is left out with a notice, save for its ask and deny rules.
 */
export async function loadSettings(origin: SettingsOrigin): Promise<LoadedSettings> {
	const notices = ignoredFolders(origin.env);
	const complain: Complain = (problem, consequence) => {
		if (!origin.interactive) throw new AgiError("SETTINGS_INVALID", problem, { exitCode: 52 });
		notices.push(`${problem} ${consequence}`);
	};
	const written = await userEntries(origin, complain);
	const user = await keepImports(written, origin, notices);
	const managed = await managedEntries(origin, notices, complain);
	const below = [...DEFAULTS, ...managed, ...user];
	const wanted = await projectEntries(origin, notices, complain);
	const project = narrowed(wanted, below, origin, notices);
	const environment = environmentEntries(origin.env, complain);
	const flags = flagEntries(origin.flags);
	const merged = merge([...below, ...project, ...environment, ...flags]);
	dropWeakerAddress(merged, [user, project, environment, flags]);
	addOllamaAddress(merged, origin.env, complain);
	const rules = await readRules(
		[
			["flag", flags],
			["managed", managed],
			["user", user],
			["project", project],
		],
		complain,
		(notice) => notices.push(notice),
	);
	const suggestions = wanted.filter((entry) => entry.key === "permissions.allow");

	// Every entry was checked where it came from, so the whole has the shape of its parts.
	const settings = nest(merged.values()) as Settings & Defaulted;
	const key = await findKey(settings, origin.env, origin.configFolder, origin.profiles);
	if (key.problem !== undefined) complain(key.problem, "No key was read from it.");
	if (key.warning !== undefined) notices.push(key.warning);
	const sources = Object.fromEntries([...merged.values()].map((entry) => [entry.key, entry.source]));
	if (key.source !== undefined) sources["apiKey"] = key.source;

	return {
		...settings,
		permissions: { allow: [], ask: [], deny: [], ...settings.permissions },
		rules,
		suggestedRules: await readRules([["project", suggestions]], nobody, nobody),
		...(key.apiKey === undefined ? {} : { apiKey: key.apiKey }),
		...(key.keyVariable === undefined ? {} : { keyVariable: key.keyVariable }),
		...environmentPieces(origin.env),
		sandboxCommands: wantsContainer(origin.env, complain),
		notices,
		sources,
	};
}

/** What a suggestion does wrong is told once somebody imports it. */
const nobody = () => undefined;

async function fileEntries(path: string, complain: Complain, refuseLink = false): Promise<Entry[]> {
	const file = await readSmallFile(path, { refuseLink });
	if (file.state === "absent") return [];
	if (file.state === "unreadable") {
		complain(`The settings file ${path} cannot be read: ${file.reason}.`, "It is left out.");
		return [];
	}
	// Most starts have no such file; the schema and its vendor take a fifth of a start to load.
	const { checkSettings } = await import("./settingsFile.ts");
	const { values, problem } = checkSettings(path, file.text);
	if (problem !== undefined) {
		complain(problem, values.length > 0 ? "Only its ask and deny rules hold." : "It is left out.");
	}
	return values.map(([key, value]) => ({ key, value, source: path }));
}

/** A link to the person's own settings is followed, but for one to where the model may write. */
async function userEntries(
	{ configFolder, agentFolder }: SettingsOrigin,
	complain: Complain,
): Promise<Entry[]> {
	const path = join(configFolder, "settings.json");
	const isLink = await lstat(path).then(
		(found) => found.isSymbolicLink(),
		() => false,
	);
	if (!isLink || agentFolder === undefined) return fileEntries(path, complain);
	const [target, project] = await Promise.all(
		[path, dirname(agentFolder)].map((place) => realpath(place).catch(() => place)),
	);
	if (!target?.startsWith(`${project}/`)) return fileEntries(path, complain);
	const problem = `The settings file ${path} is a link to ${target}, where the model may write. Put the file itself there.`;
	complain(problem, "It is left out.");
	return [];
}

/** The machine's own rules, which nobody below takes away: the strictest of all layers wins. */
async function managedEntries(
	{ managedFile = "/etc/agi/settings.json" }: SettingsOrigin,
	notices: string[],
	complain: Complain,
): Promise<Entry[]> {
	const entries = await fileEntries(managedFile, complain);
	const rules = entries.filter(({ key }) => key.startsWith("permissions."));
	const others = entries.filter((entry) => !rules.includes(entry)).map(({ key }) => key);
	if (others.length > 0)
		notices.push(`${managedFile} sets ${others.join(", ")}; only rules are read from it.`);
	return rules;
}

/** Without the rules that were taken over from another project, or from another state of this one's file. */
async function keepImports(
	entries: Entry[],
	{ agentFolder, trusted }: SettingsOrigin,
	notices: string[],
): Promise<Entry[]> {
	const allow = entries.find(({ key }) => key === "permissions.allow");
	const sources = (allow?.value ?? []) as RuleSource[];
	if (!sources.some((source) => typeof source === "object" && source.from)) return entries;
	const { importsThatHold } = await import("./importedRules.ts");
	const { rules, notice } = await importsThatHold(sources, trusted ? agentFolder : undefined);
	if (notice !== undefined) notices.push(notice);
	return entries.map((entry) => (entry === allow ? { ...entry, value: rules } : entry));
}

async function projectEntries(
	origin: SettingsOrigin,
	notices: string[],
	complain: Complain,
): Promise<Entry[]> {
	if (origin.agentFolder === undefined) return [];
	const path = join(origin.agentFolder, "settings.json");
	if (origin.trusted) return fileEntries(path, complain, true);
	const stands = await access(path).then(
		() => true,
		() => false,
	);
	if (stands) notices.push(`${path} was not read: this folder is not trusted. --trust reads it for one run.`);
	return [];
}

/** The project's entries that narrow: no forbidden key, and no limit above the one that holds without it. */
function narrowed(project: Entry[], below: Entry[], origin: SettingsOrigin, notices: string[]): Entry[] {
	const held = merge(below);
	const forbidden = (key: string): boolean =>
		NOT_FOR_PROJECTS.some((name) => key === name || key.startsWith(`${name}.`));
	const raises = ({ key, value }: Entry): boolean => {
		const limit = held.get(key)?.value;
		return key.startsWith("limits.") && typeof limit === "number" && Number(value) > limit;
	};
	const ignored = project.filter((entry) => forbidden(entry.key) || raises(entry));
	if (ignored.length > 0) {
		const keys = ignored.map((entry) => entry.key).join(", ");
		const hasRules = ignored.some((entry) => entry.key === "permissions.allow");
		const taken = hasRules ? " agi permissions lists its allow rules, so that you can take them over." : "";
		notices.push(
			`${ignored[0]?.source} sets ${keys}, which is ignored: a repository may narrow rights, never widen them, and ` +
				`never redirect the key. What you want of it belongs in ${join(origin.configFolder, "settings.json")}.${taken}`,
		);
	}
	return project.filter((entry) => !ignored.includes(entry));
}

function flagEntries(flags: SettingsFlags): Entry[] {
	const named: [key: string, flag: string, value: unknown][] = [
		["model", "--model", flags.model],
		["profile", "--profile", flags.profile],
		["baseUrl", "--base-url", flags.baseUrl],
		["permissionMode", "--permission-mode", flags.permissionMode],
		["permissions.allow", "--allowed-tools", flags.allowedTools],
		["permissions.deny", "--disallowed-tools", flags.disallowedTools],
		["limits.stepsPerTurn", "--max-steps", flags.maxSteps],
		["limits.tokensPerSession", "--max-tokens", flags.maxTokens],
		["limits.costPerSession", "--max-cost", flags.maxCost],
		["limits.turnSeconds", "--timeout", flags.timeout],
	];
	return named.flatMap(([key, source, value]) => (value === undefined ? [] : [{ key, value, source }]));
}

/** The strongest entry of each key, the later one being the stronger; the rules of all places hold together. */
function merge(entries: readonly Entry[]): Map<string, Entry> {
	const merged = new Map<string, Entry>();
	for (const entry of entries) {
		const before = merged.get(entry.key);
		if (before !== undefined && Array.isArray(before.value) && Array.isArray(entry.value)) {
			const source = `${before.source}, ${entry.source}`;
			merged.set(entry.key, { key: entry.key, value: [...before.value, ...entry.value], source });
		} else {
			merged.set(entry.key, entry);
		}
	}
	return merged;
}

/**
 * A profile and a base URL both say where requests go. Where they come from places of different strength, the stronger
 * one says it alone; joined, they would send one provider's key to the other's address.
 */
function dropWeakerAddress(merged: Map<string, Entry>, layers: readonly Entry[][]): void {
	const rank = (key: string): number =>
		layers.findLastIndex((layer) => layer.some((entry) => entry.key === key));
	const profile = rank("profile");
	const baseUrl = rank("baseUrl");
	if (profile < 0 || baseUrl < 0 || profile === baseUrl) return;
	merged.delete(profile < baseUrl ? "profile" : "baseUrl");
}

/** Ollama's own variable says where its server is, where neither a flag nor a setting does. */
function addOllamaAddress(merged: Map<string, Entry>, env: SettingsOrigin["env"], complain: Complain): void {
	if (merged.get("profile")?.value !== OLLAMA_PROFILE || merged.has("baseUrl")) return;
	const host = environmentValue(env, OLLAMA_VARIABLE);
	if (host === undefined) return;
	const value = ollamaBaseUrl(host);
	if (value === undefined)
		complain(`The environment variable ${OLLAMA_VARIABLE} ${OLLAMA_HOST_RULE}.`, "It is ignored.");
	else merged.set("baseUrl", { key: "baseUrl", value, source: OLLAMA_VARIABLE });
}

function nest(entries: Iterable<Entry>): object {
	const nested: Record<string, unknown> = {};
	for (const { key, value } of entries) {
		const [section = key, inner] = key.split(".");
		nested[section] =
			inner === undefined ? value : { ...(nested[section] as object | undefined), [inner]: value };
	}
	return nested;
}
