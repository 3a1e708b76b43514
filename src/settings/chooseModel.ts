// Which model a start of agi asks, or why it can ask none: profile, address, key and name, worked out of the settings.
// Pure: it reads no file and looks for no server, and an interactive start always finds something to start with.

import { AgiError } from "../types.ts";
import { hostOf, isLocalAddress, sameServer } from "./baseUrl.ts";
import { nearestWord } from "./spelling.ts";

/** What this room must know of a provider; a catalog entry fits. */
export interface ProviderProfile {
	name: string;
	baseUrl: string;
	/** The environment variable that usually holds its key. */
	keyVariable?: string;
	/** True where the server runs on this machine or network and needs no key. */
	local: boolean;
}

/** The settings that name a model; `keyVariable` is the environment variable that the key came from, where it did. */
export interface ModelSettings {
	model?: string;
	profile?: string;
	baseUrl?: string;
	apiKey?: string;
	keyVariable?: string;
}

/** The model to start with. `notice` is a sentence for the person who wanted another one. */
export type ModelChoice =
	| { kind: "offline"; notice?: string }
	| { kind: "model"; model: string; profile: string; baseUrl: string; apiKey?: string };

/** The profile of a new user, and the model that is taken there when a key is set and no model. */
const DEFAULT_PROFILE = "dashscope";
export const DEFAULT_MODEL = "qwen3.5-flash-2026-02-23";

/** The name of a profile for an address that the catalog does not know. */
export const CUSTOM_PROFILE = "custom";

const SET_MODEL = "Set it with -m NAME, LLM_MODEL or `agi config set model NAME`; `agi models` lists names";

/**
 * The profile that the settings mean: the named one; else the one at the base URL (`custom` for an unknown address);
 * else OpenAI's where only its own variable holds a key; else the default one. Undefined where the catalog does not know the name.
 */
export function selectProfile(
	settings: ModelSettings,
	profiles: readonly ProviderProfile[],
): ProviderProfile | undefined {
	const { profile, baseUrl } = settings;
	if (profile !== undefined && profile !== CUSTOM_PROFILE) {
		const named = profiles.find((known) => known.name === profile);
		return named && baseUrl !== undefined ? { ...named, baseUrl, local: isLocalAddress(baseUrl) } : named;
	}
	if (baseUrl !== undefined) {
		const custom = { name: CUSTOM_PROFILE, baseUrl, local: isLocalAddress(baseUrl) };
		if (profile === CUSTOM_PROFILE) return custom;
		return profiles.find((known) => sameServer(known.baseUrl, baseUrl)) ?? custom;
	}
	if (profile === CUSTOM_PROFILE) return undefined;
	const usual = settings.keyVariable === "OPENAI_API_KEY" ? "openai" : DEFAULT_PROFILE;
	return profiles.find((known) => known.name === usual);
}

/**
 * The model to start with, the offline one, or the error that ends a headless run: exit 41 where a key or everything is
 * missing, 52 where the settings contradict the catalog or lack a model. An interactive start never fails here.
 */
export function chooseModel(
	settings: ModelSettings,
	options: { interactive: boolean; profiles: readonly ProviderProfile[] },
): ModelChoice | AgiError {
	if (settings.model === "offline") return { kind: "offline" };
	const choice = findModel(settings, options.profiles);
	if (!(choice instanceof AgiError) || !options.interactive) return choice;
	const way = choice.message.includes("agi setup") ? "" : " `agi setup` does it step by step.";
	return {
		kind: "offline",
		notice: `${choice.message}${way} Until then the embedded offline model answers.`,
	};
}

function findModel(settings: ModelSettings, profiles: readonly ProviderProfile[]): ModelChoice | AgiError {
	const { model, apiKey } = settings;
	if (
		model === undefined &&
		apiKey === undefined &&
		settings.baseUrl === undefined &&
		settings.profile === undefined
	) {
		return new AgiError(
			"NO_MODEL",
			"No model configured. Run `agi setup`, or set LLM_API_KEY, or name a server with --base-url and a model with -m; " +
				"`-m offline` runs the embedded one.",
			{ exitCode: 41 },
		);
	}
	const profile = selectProfile(settings, profiles);
	if (profile === undefined) return unknownProfile(settings.profile ?? DEFAULT_PROFILE, profiles);
	const baseUrl = profile.baseUrl.replace(/\/+$/, "");
	const local = profile.local || isLocalAddress(baseUrl);
	if (apiKey === undefined && !local) {
		const variable =
			profile.keyVariable === undefined ? "LLM_API_KEY" : `LLM_API_KEY or ${profile.keyVariable}`;
		const message = `No key for ${hostOf(baseUrl)}. Set ${variable}; \`-m offline\` runs the embedded model.`;
		return new AgiError("NO_KEY", message, { exitCode: 41 });
	}
	const name = model ?? (isDashScope(profile) ? DEFAULT_MODEL : undefined);
	if (name === undefined) {
		return new AgiError("NO_MODEL", `No model is set for ${hostOf(baseUrl)}. ${SET_MODEL}.`, {
			exitCode: 52,
		});
	}
	const key = apiKey === undefined ? {} : { apiKey };
	return { kind: "model", model: name, profile: profile.name, baseUrl, ...key };
}

function unknownProfile(name: string, profiles: readonly ProviderProfile[]): AgiError {
	const names = profiles.map((profile) => profile.name);
	const near = nearestWord(name, names);
	const way = near === undefined ? `Known are: ${names.join(", ")}` : `Did you mean ${near}`;
	const message =
		name === CUSTOM_PROFILE
			? "The profile custom needs an address. Set it with --base-url, LLM_BASE_URL or `agi config set baseUrl URL`."
			: `Unknown profile "${name}". ${way}${near === undefined ? "." : "?"}`;
	return new AgiError("UNKNOWN_PROFILE", message, { exitCode: 52 });
}

function isDashScope(profile: ProviderProfile): boolean {
	return /^dashscope(-[a-z]+)?\.aliyuncs\.com$/.test(hostOf(profile.baseUrl));
}
