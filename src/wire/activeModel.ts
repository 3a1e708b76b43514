// The model that answers now, with everything that is known of it. Loads no vendor before the first request.

import { createModel } from "../adapters/models/aiSdk.ts";
import { costOf, modelFacts, PROFILES, takesImages } from "../adapters/models/catalog.ts";
import { getModelLimits } from "../agent/context/modelLimits.ts";
import type { Model } from "../ports/model.ts";
import type { ShownModel } from "../rpc/protocol.ts";
import type { ModelConfig } from "../session/events.ts";
import type { ModelChoice } from "../settings/chooseModel.ts";
import type { ModelLimits, Usage } from "../types.ts";

/** A model out of the settings, or one that a program brings. */
export type ModelSource = ModelChoice | { kind: "given"; model: Model };

export interface ActiveModel {
	model: Model;
	config: ModelConfig;
	limits: ModelLimits;
	/** US dollars; undefined where the price is not known. */
	priceOf(usage: Usage): number | undefined;
	/** Undefined where it is not known. */
	takesImages: boolean | undefined;
	shown: ShownModel;
}

/** What the person set for a model; it beats what is known. */
export type OwnFacts = Partial<ModelLimits> & { images?: boolean };

/** The name by which the embedded model stands in logs as profile. */
const OFFLINE = "offline";
const OFFLINE_FACTS = { contextWindow: 32_768, price: { input: 0, output: 0 } };

/** Makes a model ready. `own` are the person's settings and beat what is known. */
export async function activateModel(
	source: ModelSource,
	{ images, ...limits }: OwnFacts,
): Promise<ActiveModel> {
	const facts = factsOf(source);
	const model = await modelOf(source);
	const windows = getModelLimits({
		...(facts.contextWindow === undefined ? {} : { contextWindow: facts.contextWindow }),
		...limits,
	});
	const { price } = facts;
	const { name, profile, baseUrl } = model;
	const { contextWindow } = windows;
	return {
		model,
		config: { model: name, profile, baseUrl, contextWindow },
		limits: windows,
		takesImages: source.kind === "offline" ? false : (images ?? takesImages(name)),
		priceOf: (usage) => (price === undefined ? undefined : costOf(usage, price)),
		shown: {
			model: name,
			profile,
			contextWindow,
			priceKnown: price !== undefined,
			offline: source.kind === "offline",
		},
	};
}

/** US dollars of a usage that a log tells; undefined where the model's price is not known. */
export function recordedCost({ profile: name, model }: ModelConfig, usage: Usage): number | undefined {
	if (name === OFFLINE) return 0;
	const profile = PROFILES.find((known) => known.name === name);
	const price = profile && modelFacts(profile, model).price;
	return price && costOf(usage, price);
}

/** What is known of the chosen model; the offline one costs nothing. */
function factsOf(source: ModelSource) {
	if (source.kind === "offline") return OFFLINE_FACTS;
	const { profile: name, model } =
		source.kind === "given" ? { profile: source.model.profile, model: source.model.name } : source;
	if (name === OFFLINE) return OFFLINE_FACTS;
	const profile = PROFILES.find((known) => known.name === name);
	return profile ? modelFacts(profile, model) : {};
}

async function modelOf(source: ModelSource): Promise<Model> {
	if (source.kind === "given") return source.model;
	if (source.kind === "offline")
		return (await import("../adapters/models/offline/offline.ts")).createOfflineModel();
	return createModel({
		name: source.model,
		profile: source.profile,
		baseUrl: source.baseUrl,
		...(source.apiKey === undefined ? {} : { apiKey: source.apiKey }),
	});
}

/** The model of a session, which a person may change while a step is open. */
export interface ModelSwitch {
	/** Answers from the next step on. */
	current(): ActiveModel;
	/** The one that the open step asks; without one, the current. */
	asked(): ActiveModel;
	change(choice: ModelChoice): Promise<ShownModel>;
	/** The current model's window is known better: it holds at once for an open step too. */
	learnWindow(tokens: number): ShownModel;
	/** False once a model without a known price was among them. */
	allPriced(): boolean;
}

/** Begins with `first`; `ownLimits` hold for that model's name only. `stepModel` tells what the open step asks. */
export function createModelSwitch(
	first: ActiveModel,
	ownLimits: OwnFacts,
	stepModel: () => ModelConfig | undefined,
): ModelSwitch {
	const models = [first];
	const current = () => models.at(-1) ?? first;
	return {
		current,
		asked: () => {
			const config = stepModel();
			return models.find((model) => model.config === config) ?? current();
		},
		async change(choice) {
			const isFirst = choice.kind === "model" && choice.model === first.model.name;
			const active = await activateModel(choice, isFirst ? ownLimits : {});
			models.push(active);
			return active.shown;
		},
		learnWindow(tokens) {
			const active = current();
			const own = Math.min(active.limits.outputReserve, Math.ceil(tokens / 8));
			active.limits = { contextWindow: tokens, outputReserve: own };
			// A step's model is frozen at its start, so what the next one asks is a model of its own.
			const learned = {
				...active,
				config: { ...active.config, contextWindow: tokens },
				shown: { ...active.shown, contextWindow: tokens },
			};
			models.push(learned);
			return learned.shown;
		},
		allPriced: () => models.every((model) => model.shown.priceKnown),
	};
}
