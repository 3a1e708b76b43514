// The models of one session with what hangs on them: what they cost, and the keys that no text may show.

import { createRedactor } from "../policy/redact.ts";
import type { ShownModel } from "../rpc/protocol.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { ModelChoice } from "../settings/chooseModel.ts";
import { AgiError, type Usage } from "../types.ts";
import { type ActiveModel, activateModel, createModelSwitch, type ModelSwitch } from "./activeModel.ts";
import type { StartOptions } from "./startOptions.ts";

/** The model side of one session. */
export interface SessionModel {
	models: ModelSwitch;
	/** Another model from the next step on; its key is a secret from now on. */
	switchModel(choice: ModelChoice): Promise<ShownModel>;
	/** US dollars by the model that the open step asks; undefined where its price is not known. */
	priceOf(usage: Usage): number | undefined;
	/** Takes every known secret out of a text. */
	redact(text: string): string;
	/** For the person at the start: a limit that cannot hold. */
	notices: string[];
}

/** Makes the chosen model ready. Rejects with `AgiError` where it cannot be made or a limit cannot hold for it. */
export async function openSessionModel(session: LiveSession, options: StartOptions): Promise<SessionModel> {
	const { contextWindow, outputReserve, images } = options;
	const secrets = [...options.secrets];
	let redactor = createRedactor(secrets);
	const ownLimits = {
		...(contextWindow === undefined ? {} : { contextWindow }),
		...(outputReserve === undefined ? {} : { outputReserve }),
		...(images === undefined ? {} : { images }),
	};
	const first = await activateModel(options.model, ownLimits);
	const unpriced = unpricedText(first, options);
	// A person sees what is spent and can stop; a run without one would go past its limit unseen.
	if (unpriced !== undefined && !options.interactive)
		throw new AgiError("PRICE_UNKNOWN", unpriced, { exitCode: 52 });
	const models = createModelSwitch(first, ownLimits, () => session.state.step?.model);
	return {
		models,
		async switchModel(choice) {
			if (choice.kind === "model" && choice.apiKey !== undefined) secrets.push(choice.apiKey);
			redactor = createRedactor(secrets);
			const shown = await models.change(choice);
			const text = unpricedText(models.current(), options);
			if (text !== undefined) session.tell({ type: "notice", text });
			return shown;
		},
		priceOf: (usage) => models.asked().priceOf(usage),
		redact: (text) => redactor(text),
		notices: unpriced === undefined ? [] : [unpriced],
	};
}

/** What a limit of the cost cannot do; undefined where there is none or it holds. */
function unpricedText({ shown, model }: ActiveModel, { limits }: StartOptions): string | undefined {
	if (limits.costPerSession === undefined || shown.priceKnown) return undefined;
	return (
		`The price of ${model.name} is not known, so a limit of its cost (--max-cost or limits.costPerSession) cannot hold. ` +
		"Use --max-tokens instead."
	);
}
