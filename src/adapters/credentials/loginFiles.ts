// Writes a person's choice of provider: the key into `credentials.json`, the rest into `settings.json`, both in the user's
// folder, mode 0600, old or new whole. What else stands in them stays. A key is in no message.

import { mkdir, readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, replaceFile } from "../sessionLog/durable.ts";

/** What is stored; without `apiKey` the stored key of the profile stays as it is. */
export interface StoredLogin {
	profile: string;
	baseUrl?: string;
	apiKey?: string;
	model: string;
}

/** Stored, or a sentence that says what was not and why. */
export type LoginStored = { ok: true } | { ok: false; message: string };

type Json = Record<string, unknown>;

/** Stores a login in `configFolder`, which is made where it is missing. Nothing is written unless both files can be read. */
export async function storeLogin(configFolder: string, login: StoredLogin): Promise<LoginStored> {
	const paths = {
		keys: join(configFolder, "credentials.json"),
		settings: join(configFolder, "settings.json"),
	};
	try {
		const settings = await readObject(paths.settings);
		const keys = await readObject(paths.keys);
		await mkdir(configFolder, { recursive: true, mode: 0o700 });
		if (login.apiKey !== undefined) await writeJson(paths.keys, withKey(keys, paths.keys, login));
		await writeJson(paths.settings, withChoice(settings, login));
		return { ok: true };
	} catch (error) {
		if (error instanceof Unusable) return { ok: false, message: error.message };
		const reason = errorCode(error) ?? (error instanceof Error ? error.message : String(error));
		return { ok: false, message: `The login could not be stored in ${configFolder}: ${reason}.` };
	}
}

class Unusable extends Error {}

async function readObject(path: string): Promise<Json> {
	let text: string;
	try {
		text = await readFile(path, "utf8");
	} catch (error) {
		if (errorCode(error) === "ENOENT") return {};
		throw error;
	}
	const json = parse(text);
	if (isObject(json)) return json;
	throw new Unusable(
		`${path} is no JSON object. Mend it or move it away, then try again; nothing was stored.`,
	);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text.replace(/^\ufeff/, ""));
	} catch {
		// The parser's own words may quote a key.
		return undefined;
	}
}

function withKey(file: Json, path: string, login: StoredLogin): Json {
	const profiles = file["profiles"] ?? {};
	if (!isObject(profiles))
		throw new Unusable(`"profiles" in ${path} is no object. Mend it, then try again; nothing was stored.`);
	const entry = profiles[login.profile];
	const before = isObject(entry) ? entry : {};
	return { ...file, profiles: { ...profiles, [login.profile]: { ...before, apiKey: login.apiKey } } };
}

/** What belongs to the old choice goes: an old address would get the new key, an old window would be wrong. */
function withChoice(file: Json, { profile, baseUrl, model }: StoredLogin): Json {
	const { baseUrl: _, ...rest } = file;
	if (file["model"] !== model) {
		delete rest["contextWindow"];
		delete rest["outputReserve"];
		delete rest["images"];
	}
	return { ...rest, profile, ...(baseUrl === undefined ? {} : { baseUrl }), model };
}

/** A link stays a link: many keep their settings in a repository of their own. */
async function writeJson(path: string, value: Json): Promise<void> {
	const target = await realpath(path).catch(() => path);
	await replaceFile(target, `${JSON.stringify(value, undefined, "\t")}\n`, { sync: true });
}

function isObject(value: unknown): value is Json {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
