// The model that an evaluation asks, and what each trial used of it. It never retries: that is the runner's, so that a
// failure of the way to the model is never counted as a choice of the model.

import { createModel } from "../adapters/models/aiSdk.ts";
import { PROFILES } from "../adapters/models/catalog.ts";
import type { Model } from "../ports/model.ts";
import { chooseModel, type ModelChoice } from "../settings/chooseModel.ts";
import { loadSettings } from "../settings/settings.ts";
import { AgiError, type ModelFailure, type Usage } from "../types.ts";
import { recordedCost } from "../wire/activeModel.ts";
import { locate } from "../wire/place.ts";
import type { EvalConfig } from "./types.ts";

/** A model to evaluate. */
export interface EvalModel {
	name: string;
	/** True for the embedded model, which is no AI. */
	offline: boolean;
	choice: ModelChoice | { kind: "given" };
	/** The model for one trial. */
	open(config?: EvalConfig & { seed?: number }): Promise<Model>;
}

/** What requests used; their cost in US dollars, null where the price is not known or a reply came without its usage. */
export interface Used {
	usage: Usage;
	costUsd: number | null;
}

/** The way to the model failed; the case says nothing about it. */
export class ModelUnavailable extends Error {
	readonly failure: ModelFailure;
	/** What was used all the same. */
	readonly used: Used;

	constructor(failure: ModelFailure, used: Used) {
		super(failure.message);
		this.failure = failure;
		this.used = used;
	}
}

/** Flags that name a model, as on agi's command line. */
export interface ModelFlags {
	model?: string;
	profile?: string;
	baseUrl?: string;
}

/**
 * The model that flags, environment and the user's settings name, and those of the folder where it is `trusted`. Where
 * nothing at all is configured: the embedded one. Rejects with `AgiError` where something is configured that cannot be used.
 */
export async function findEvalModel(
	env: Readonly<Record<string, string | undefined>>,
	cwd: string,
	flags: ModelFlags = {},
	trusted = false,
): Promise<EvalModel> {
	const place = await locate(cwd, env, false);
	const settings = await loadSettings({
		env,
		flags,
		configFolder: place.folders.config,
		agentFolder: place.agentFolder,
		trusted,
		interactive: false,
		profiles: PROFILES,
	});
	const choice = chooseModel(settings, { interactive: false, profiles: PROFILES });
	if (!(choice instanceof AgiError)) return evalModel(choice);
	const nothingSet = [settings.model, settings.apiKey, settings.baseUrl, settings.profile].every(
		(value) => value === undefined,
	);
	if (nothingSet) return evalModel({ kind: "offline" });
	throw choice;
}

/** The model of a choice. */
export function evalModel(choice: ModelChoice): EvalModel {
	const offline = choice.kind === "offline";
	return {
		name: offline ? "offline" : choice.model,
		offline,
		choice,
		async open({ model, temperature, seed } = {}) {
			if (choice.kind === "offline")
				return (await import("../adapters/models/offline/offline.ts")).createOfflineModel();
			return createModel({
				...choice,
				name: model ?? choice.model,
				sampling: {
					...(seed === undefined ? {} : { seed }),
					...(temperature === undefined ? {} : { temperature }),
				},
			});
		},
	};
}

/** A model of a program's own, scripted ones included. `offline: true`: it is judged by the offline thresholds. */
export function givenModel(model: Model, options: { offline?: boolean } = {}): EvalModel {
	return {
		name: model.name,
		offline: options.offline ?? false,
		choice: { kind: "given" },
		open: () => Promise.resolve(model),
	};
}

/** A model whose use is counted. */
export interface WatchedModel {
	model: Model;
	/** What was used so far. */
	used(): Used;
	/** How many requests there were, and how many of them no server told the usage of. */
	requests(): { sent: number; untold: number };
	/** Throws `ModelUnavailable` where the last request failed. */
	mustHaveAnswered(): void;
}

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };

/** Counts what goes through `model`. */
export function watchModel(model: Model): WatchedModel {
	let usage = NO_USAGE;
	let last: ModelFailure | undefined;
	let hasUntoldReply = false;
	const requests = { sent: 0, untold: 0 };
	const used = (): Used => {
		const { name, profile, baseUrl } = model;
		const cost = recordedCost({ model: name, profile, baseUrl, contextWindow: 0 }, usage);
		// What no server told is not passed off as nothing: a cap would never be reached.
		return { usage, costUsd: hasUntoldReply ? null : (cost ?? null) };
	};
	return {
		model: {
			name: model.name,
			profile: model.profile,
			baseUrl: model.baseUrl,
			async stream(request, options) {
				const outcome = await model.stream(request, options);
				const told = (outcome.ok ? outcome.reply : outcome.partial).usage;
				requests.sent++;
				if (!told) requests.untold++;
				if (!told && outcome.ok) hasUntoldReply = true;
				usage = addUsage(usage, told ?? NO_USAGE);
				last = outcome.ok ? undefined : outcome.failure;
				return outcome;
			},
		},
		used,
		requests: () => ({ ...requests }),
		mustHaveAnswered() {
			if (last) throw new ModelUnavailable(last, used());
		},
	};
}

/** The sum of what was used twice; its price is known only where both are. */
export function addUsed(one: Used, other: Used): Used {
	const isKnown = one.costUsd !== null && other.costUsd !== null;
	return {
		usage: addUsage(one.usage, other.usage),
		costUsd: isKnown ? (one.costUsd ?? 0) + (other.costUsd ?? 0) : null,
	};
}

/** The sum of two usages. */
export function addUsage(one: Usage, other: Usage): Usage {
	return {
		inputTokens: one.inputTokens + other.inputTokens,
		outputTokens: one.outputTokens + other.outputTokens,
		cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
		reasoningTokens: one.reasoningTokens + other.reasoningTokens,
	};
}
