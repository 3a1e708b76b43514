// What a person wants to know about a session, worked out of its log: what a request was made of, what it cost. Pure.

import type { Commit, ContributionRef, EventOf, ModelConfig, SessionEvent } from "../session/events.ts";
import type { Usage } from "../types.ts";

/** What a session used of one model; `costUsd` null where its price is not known. */
export interface ModelUsage {
	model: string;
	profile: string;
	usage: Usage;
	costUsd: number | null;
}

/** The parts of the last request that was prepared; [] where there was none. */
export function lastContributions(commits: readonly Commit[]): ContributionRef[] {
	for (const { events } of commits.toReversed()) {
		const prepared = events.findLast(isOfStep);
		if (prepared) return prepared.contributions;
	}
	return [];
}

/** A request of the conversation, not one of a summary. */
function isOfStep(event: SessionEvent): event is EventOf<"request/prepared"> {
	return event.type === "request/prepared" && !event.owner;
}

/**
 * What each model used, in the order of their first use, subagents included, and the sum. `costOf` gives US dollars,
 * undefined where it knows no price; one unknown price makes the sum null.
 */
export function costReport(
	commits: readonly Commit[],
	costOf: (model: ModelConfig, usage: Usage) => number | undefined,
): { models: ModelUsage[]; costUsd: number | null } {
	const models = new Map<string, ModelUsage>();
	let model: ModelConfig | undefined;
	for (const event of commits.flatMap((commit) => commit.events)) {
		if (event.type === "step/start") model = event.model;
		if (event.type === "request/prepared") model = event.model ?? model;
		const usage = event.type === "attempt/end" || event.type === "subagent/changed" ? event.usage : undefined;
		if (!usage || !model) continue;
		const key = `${model.baseUrl} ${model.model}`;
		const known = models.get(key) ?? {
			model: model.model,
			profile: model.profile,
			usage: noUsage(),
			costUsd: 0,
		};
		const cost = costOf(model, usage);
		models.set(key, {
			...known,
			usage: sumOf(known.usage, usage),
			costUsd: cost === undefined || known.costUsd === null ? null : known.costUsd + cost,
		});
	}
	const list = [...models.values()];
	const isKnown = list.every((entry) => entry.costUsd !== null);
	return {
		models: list,
		costUsd: isKnown ? list.reduce((sum, entry) => sum + (entry.costUsd ?? 0), 0) : null,
	};
}

function noUsage(): Usage {
	return { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 };
}

function sumOf(one: Usage, other: Usage): Usage {
	return {
		inputTokens: one.inputTokens + other.inputTokens,
		outputTokens: one.outputTokens + other.outputTokens,
		cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
		reasoningTokens: one.reasoningTokens + other.reasoningTokens,
	};
}
