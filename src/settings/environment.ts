// What the environment's variables set. A variable with a mistake sets nothing and is told; nothing is read from a file.

import { isAbsolute } from "node:path";
import { BASE_URL_RULE, isBaseUrl } from "./baseUrl.ts";
import { environmentValue } from "./findKey.ts";

/** One dotted key that one place sets. */
export interface Entry {
	key: string;
	value: unknown;
	/** A flag, a variable, a file or `default`. */
	source: string;
}

/** Takes a sentence on a mistake and one on what comes of it; throws where nobody is at the screen. */
export type Complain = (problem: string, consequence: string) => void;

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that variables set. */
export function environmentEntries(env: Environment, complain: Complain): Entry[] {
	const entries: Entry[] = [];
	const model = environmentValue(env, "LLM_MODEL");
	if (model !== undefined) entries.push({ key: "model", value: model, source: "LLM_MODEL" });

	const addressVariable =
		environmentValue(env, "LLM_BASE_URL") === undefined ? "OPENAI_BASE_URL" : "LLM_BASE_URL";
	const address = environmentValue(env, addressVariable);
	if (address !== undefined && isBaseUrl(address)) {
		entries.push({ key: "baseUrl", value: address, source: addressVariable });
	} else if (address !== undefined) {
		complain(`The environment variable ${addressVariable} ${BASE_URL_RULE}.`, "It is ignored.");
	}

	const memoryVariable = "MEMORY_EXTRACT_EVERY_N_TURNS";
	const turns = environmentValue(env, memoryVariable);
	if (turns !== undefined && /^\d{1,6}$/.test(turns)) {
		entries.push({ key: "memory.extractEveryTurns", value: Number(turns), source: memoryVariable });
	} else if (turns !== undefined) {
		complain(`The environment variable ${memoryVariable} must be a whole number from 0.`, "It is ignored.");
	}
	return entries;
}

/** What variables set beside the settings. */
export function environmentPieces(env: Environment): {
	judgeModel?: string;
	exaApiKey?: string;
	laminarKey?: string;
} {
	const judgeModel = environmentValue(env, "LLM_JUDGE_MODEL");
	const exaApiKey = environmentValue(env, "EXA_API_KEY");
	const laminarKey = environmentValue(env, "LMNR_API_KEY") ?? environmentValue(env, "LMNR_PROJECT_API_KEY");
	return {
		...(judgeModel === undefined ? {} : { judgeModel }),
		...(exaApiKey === undefined ? {} : { exaApiKey }),
		...(laminarKey === undefined ? {} : { laminarKey }),
	};
}

/** `SANDBOX_COMMANDS`. An unclear value counts as yes: a typing slip must not take the sandbox away. */
export function wantsContainer(env: Environment, complain: Complain): boolean {
	const value = environmentValue(env, "SANDBOX_COMMANDS")?.toLowerCase();
	if (value === undefined || ["false", "0", "no", "off"].includes(value)) return false;
	if (!["true", "1", "yes", "on"].includes(value)) {
		complain("The environment variable SANDBOX_COMMANDS must be true or false.", "It is taken as true.");
	}
	return true;
}

/** Sentences on the variables that would move agi's folders and are ignored, because their values are relative. */
export function ignoredFolders(env: Environment): string[] {
	const isRelative = (name: string): boolean => Boolean(env[name]) && !isAbsolute(env[name] ?? "");
	const ownHolds = Boolean(env["AGI_HOME"]) && !isRelative("AGI_HOME");
	const names = ownHolds ? [] : ["AGI_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"];
	return names
		.filter(isRelative)
		.map(
			(name) => `The environment variable ${name} is ignored: it must be an absolute path, not ${env[name]}.`,
		);
}
