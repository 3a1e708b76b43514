// Finds the key of the model's server: environment first, then the user's credentials file.
// It never looks into the workspace, and no message of it holds a key.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CUSTOM_PROFILE, type ModelSettings, type ProviderProfile, selectProfile } from "./chooseModel.ts";
import { readJson } from "./jsonPositions.ts";
import { readSmallFile } from "./smallFile.ts";

/** A key and where it came from; `problem` or `warning` are sentences about the credentials file. */
export interface FoundKey {
	apiKey?: string;
	/** Set where the key came from the environment. */
	keyVariable?: string;
	source?: string;
	problem?: string;
	warning?: string;
}

/**
 * The first key of: `LLM_API_KEY`, the profile's own variable, `OPENAI_API_KEY`, the profile's entry in
 * `<configFolder>/credentials.json`. The profile's own goes first, so that OpenAI's key does not reach another provider
 * whose key is there too. The file is opened only where the environment has none. Never rejects.
 */
export async function findKey(
	settings: ModelSettings,
	env: Readonly<Record<string, string | undefined>>,
	configFolder: string,
	profiles: readonly ProviderProfile[],
): Promise<FoundKey> {
	const profile = selectProfile(settings, profiles);
	for (const variable of ["LLM_API_KEY", profile?.keyVariable, "OPENAI_API_KEY"]) {
		const apiKey = variable === undefined ? undefined : environmentValue(env, variable);
		if (apiKey !== undefined && variable !== undefined)
			return { apiKey, keyVariable: variable, source: variable };
	}
	return readCredentials(join(configFolder, "credentials.json"), profile?.name ?? CUSTOM_PROFILE);
}

/** The value of an environment variable without blanks around it; undefined where it is not set or empty. */
export function environmentValue(
	env: Readonly<Record<string, string | undefined>>,
	variable: string,
): string | undefined {
	return env[variable]?.trim() || undefined;
}

async function readCredentials(path: string, profile: string): Promise<FoundKey> {
	const file = await readSmallFile(path);
	if (file.state === "absent") return {};
	if (file.state === "unreadable") return { problem: `The file ${path} cannot be read: ${file.reason}.` };
	const json = readJson(file.text);
	// What the reader says of a mistake may quote the text around it, and here that text is a key.
	if (!json.ok)
		return { problem: `The file ${path} is no JSON: look at line ${json.line}, column ${json.column}.` };
	const keys = keysByProfile(json.value);
	if (keys === undefined) {
		return {
			problem: `The file ${path} has a mistake: it must have the form {"profiles": {"NAME": {"apiKey": "KEY"}}}.`,
		};
	}
	const apiKey = keys.get(profile);
	if (apiKey === undefined) return {};
	return { apiKey, source: path, ...(await openToOthers(path)) };
}

/** Windows has no permission bits; there the file's folder protects it. */
async function openToOthers(path: string): Promise<{ warning?: string }> {
	if (process.platform === "win32") return {};
	const { mode } = await stat(path);
	if ((mode & 0o077) === 0) return {};
	return { warning: `Others on this machine can read your keys in ${path}. Run: chmod 600 ${path}` };
}

/** The keys of a credentials file; undefined where it has another form. */
function keysByProfile(value: unknown): Map<string, string> | undefined {
	if (!(value instanceof Object && "profiles" in value && value.profiles instanceof Object)) return undefined;
	const keys = new Map<string, string>();
	for (const [name, entry] of Object.entries(value.profiles)) {
		if (!(entry instanceof Object && "apiKey" in entry && typeof entry.apiKey === "string")) return undefined;
		if (entry.apiKey.trim() !== "") keys.set(name, entry.apiKey.trim());
	}
	return keys;
}
