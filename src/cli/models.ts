// `agi models`: which models the configured server has, with what agi knows of them, and the embedded one. It asks one
// server, the configured one, and shows no key.

import {
	findProfile,
	type ModelFacts,
	modelFacts,
	PROFILES,
	type Profile,
} from "../adapters/models/catalog.ts";
import { listModels } from "../adapters/models/listModels.ts";
import { chooseModel } from "../settings/chooseModel.ts";
import { withOllamaHost } from "../settings/ollamaHost.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { AgiError, type ExitCode, type ModelFailure } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { locate } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { commandSettings } from "./commandSettings.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";

/** What a server answered, and whose model names they are. */
interface Answer {
	profile: Profile;
	baseUrl: string;
	names: string[];
	/** The name that the settings choose. */
	selected?: string;
}

/** The embedded model, which needs no server. */
const OFFLINE = "offline";

/** Runs `agi models`. Exit 41 without a key or server, 1 where the server does not answer; `offline` is named always. */
export async function modelsCommand(
	parsed: CommandLine<"models" | "doctor">,
	around: Surroundings = ownSurroundings(),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const settings = await commandSettings(place, parsed.flags, around);
	const answer = await askServer(settings);
	const failure = answer instanceof AgiError ? answer : undefined;
	around.out(parsed.json ? jsonText(answer, withOllamaHost(PROFILES, around.env)) : plainText(answer));
	if (failure) around.err(failure.message);
	return failure?.exitCode ?? 0;
}

async function askServer(settings: LoadedSettings): Promise<Answer | AgiError> {
	const { model, apiKey, baseUrl, profile } = settings;
	const isSet = apiKey !== undefined || baseUrl !== undefined || profile !== undefined;
	// The list is what one needs to choose a model, so a missing name is no obstacle to it.
	const choice = chooseModel(isSet ? { ...settings, model: "any" } : settingsWithoutModel(settings), {
		interactive: false,
		profiles: PROFILES,
	});
	if (choice instanceof AgiError) return choice;
	if (choice.kind === "offline")
		return new AgiError(
			"NO_MODEL",
			"No server is configured. Run `agi setup`, or name one with --profile or --base-url.",
			{ exitCode: 41 },
		);
	const listed = await listModels(choice);
	if (!listed.ok) return failed(listed.failure);
	const known = PROFILES.find((entry) => entry.name === choice.profile) ?? findProfile(choice.baseUrl);
	const usual = model ?? known.defaultModel;
	return {
		profile: known,
		baseUrl: choice.baseUrl,
		names: listed.models,
		...(usual === undefined ? {} : { selected: usual }),
	};
}

function settingsWithoutModel({ model: _, ...rest }: LoadedSettings): Omit<LoadedSettings, "model"> {
	return rest;
}

function failed(failure: ModelFailure): AgiError {
	return new AgiError("MODELS_NOT_LISTED", failure.message, { exitCode: failure.kind === "auth" ? 41 : 1 });
}

function jsonText(answer: Answer | AgiError, known: readonly Profile[]): string {
	const profiles = known.map(({ name, title, baseUrl }) => ({ name, title, baseUrl }));
	const offline = { name: OFFLINE, contextWindow: null, price: null };
	const line =
		answer instanceof AgiError
			? { models: [offline], profiles, error: answer.message }
			: {
					profile: answer.profile.name,
					baseUrl: answer.baseUrl,
					selected: answer.selected ?? null,
					models: [...answer.names.map((name) => ({ name, ...knownFacts(answer.profile, name) })), offline],
					profiles,
				};
	return `${JSON.stringify(line)}\n`;
}

function knownFacts(profile: Profile, name: string) {
	const { contextWindow = null, price = null } = modelFacts(profile, name);
	return { contextWindow, price };
}

function plainText(answer: Answer | AgiError): string {
	const lines: string[] = [];
	if (!(answer instanceof AgiError)) {
		const width = Math.max(...answer.names.map((name) => name.length), OFFLINE.length);
		lines.push(`${answer.profile.title}, ${answer.baseUrl}`);
		for (const name of answer.names) {
			const mark = name === answer.selected ? "*" : " ";
			lines.push(`${mark} ${name.padEnd(width)}  ${factsText(modelFacts(answer.profile, name))}`.trimEnd());
		}
		lines.push("");
	}
	lines.push(`  ${OFFLINE}  the embedded model, not an AI: agi -m ${OFFLINE}`, "");
	lines.push(`Providers for --profile: ${PROFILES.map((profile) => profile.name).join(", ")}`);
	return visibleText(`${lines.join("\n")}\n`);
}

/** Window in tokens and US dollars per million tokens, as far as known. */
function factsText({ contextWindow, price }: ModelFacts): string {
	const parts: string[] = [];
	if (contextWindow !== undefined) parts.push(`${contextWindow.toLocaleString("en-US")} tokens`);
	if (price) parts.push(`$${price.input} in, $${price.output} out per million tokens`);
	return parts.join(", ");
}
