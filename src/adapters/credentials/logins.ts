// Choosing a provider: who there is, who answers on this machine, which models a server has, whether a request works, and
// storing the choice. A key goes to the server it is for and into the credentials file, nowhere else.

import type { Login, LoginResult, LoginServer, Logins } from "../../ports/logins.ts";
import type { ModelFailure } from "../../types.ts";
import { createModel } from "../models/aiSdk.ts";
import { PROFILES, type Profile } from "../models/catalog.ts";
import { listModels } from "../models/listModels.ts";
import { storeLogin } from "./loginFiles.ts";

export interface LoginsOptions {
	/** The user's folder with `settings.json` and `credentials.json`. */
	configFolder: string;
	env: Readonly<Record<string, string | undefined>>;
	/** The key that is set or stored for a server. */
	findKey(server: { profile: string; baseUrl?: string }): Promise<string | undefined>;
	/** Default: agi's own catalog. */
	profiles?: readonly Profile[];
}

/** How long a server on this machine may take to list its models, and a test request, in milliseconds. */
const LOCAL_PATIENCE_MS = 300;
const TEST_PATIENCE_MS = 60_000;

/** Variables that are stronger than what is stored. */
const STRONGER = ["LLM_MODEL", "LLM_BASE_URL", "OPENAI_BASE_URL"];
const STRONGER_KEYS = ["LLM_API_KEY", "OPENAI_API_KEY"];

/** The logins of a user; nothing is read or asked before it is called. */
export function createLogins(options: LoginsOptions): Logins {
	const profiles = options.profiles ?? PROFILES;
	const addressOf = (server: LoginServer): string | undefined =>
		server.baseUrl ?? (profiles.find(({ name }) => name === server.profile)?.baseUrl || undefined);
	const keyOf = async ({ profile, baseUrl, apiKey }: LoginServer): Promise<{ apiKey?: string }> => {
		const key = apiKey ?? (await options.findKey({ profile, ...(baseUrl === undefined ? {} : { baseUrl }) }));
		return key === undefined ? {} : { apiKey: key };
	};
	return {
		profiles: () => profiles.map(({ models: _, ...shown }) => shown),
		async findLocal() {
			const asked = profiles.filter((profile) => profile.local).map(askLocal);
			return (await Promise.all(asked)).filter((server) => server !== undefined);
		},
		async models(server) {
			const baseUrl = addressOf(server);
			if (baseUrl === undefined) return noAddress(server.profile);
			const listed = await listModels({ baseUrl, ...(await keyOf(server)) });
			return listed.ok ? { ok: true, value: listed.models } : refuse(listed.failure);
		},
		async test(login) {
			const baseUrl = addressOf(login);
			if (baseUrl === undefined) return noAddress(login.profile);
			return testModel({ ...login, baseUrl, ...(await keyOf(login)) });
		},
		async save(login) {
			if (addressOf(login) === undefined) return noAddress(login.profile);
			const stored = await storeLogin(options.configFolder, login);
			if (!stored.ok) return { ...stored, refused: false };
			const names = login.apiKey === undefined ? STRONGER : [...STRONGER, ...STRONGER_KEYS];
			const set = names.filter((name) => options.env[name]?.trim());
			return {
				ok: true,
				value: set.map((name) => `${name} is set in your environment and is stronger than what was stored.`),
			};
		},
	};
}

async function askLocal({ name, title, baseUrl }: Profile) {
	const listed = await listModels({ baseUrl, timeoutMs: LOCAL_PATIENCE_MS });
	return listed.ok ? { profile: name, title, baseUrl, models: listed.models } : undefined;
}

/** One request without tools or history; whatever the model says is right. */
async function testModel(login: Login & { baseUrl: string }): Promise<LoginResult<number>> {
	const { model: name, profile, baseUrl, apiKey } = login;
	const model = createModel({ name, profile, baseUrl, ...(apiKey === undefined ? {} : { apiKey }) });
	const startedAt = performance.now();
	const outcome = await model.stream(
		{ system: "", messages: [{ role: "user", text: "Say ok." }], tools: [] },
		{ signal: AbortSignal.timeout(TEST_PATIENCE_MS), onPrepared: async () => {}, onDelta: () => {} },
	);
	if (outcome.ok) return { ok: true, value: Math.round(performance.now() - startedAt) };
	if (outcome.failure.kind !== "cancelled") return refuse(outcome.failure);
	const seconds = TEST_PATIENCE_MS / 1000;
	return { ok: false, message: `${name} did not answer within ${seconds} s.`, refused: false };
}

function refuse(failure: ModelFailure): { ok: false; message: string; refused: boolean } {
	return { ok: false, message: failure.message, refused: failure.kind === "auth" };
}

function noAddress(profile: string): { ok: false; message: string; refused: boolean } {
	const message = `The provider ${profile} has no address of its own. Give one such as http://localhost:8000/v1.`;
	return { ok: false, message, refused: false };
}
