// What a person wants to know about a session, worked out of its log: what it cost, which results are kept. Pure.

import type { Commit, ModelConfig } from "../session/events.ts";
import type { Usage } from "../types.ts";

/** What a session used of one model; `costUsd` null where its price is not known, `estimated` where a server told no usage. */
export interface ModelUsage {
	model: string;
	profile: string;
	usage: Usage;
	costUsd: number | null;
	estimated: boolean;
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
			estimated: false,
		};
		const cost = costOf(model, usage);
		models.set(key, {
			...known,
			usage: sumOf(known.usage, usage),
			costUsd: cost === undefined || known.costUsd === null ? null : known.costUsd + cost,
			estimated: known.estimated || (event.type === "attempt/end" && event.usageEstimated === true),
		});
	}
	const list = [...models.values()];
	const isKnown = list.every((entry) => entry.costUsd !== null);
	return {
		models: list,
		costUsd: isKnown ? list.reduce((sum, entry) => sum + (entry.costUsd ?? 0), 0) : null,
	};
}

/** A result that is kept whole: where it came from, how large it is, and when it came (ISO time). */
export interface ListedArtifact {
	id: string;
	tool: string;
	bytes: number;
	at: string;
	summary: string;
}

/** The artifacts of a session, the oldest first. */
export function listArtifacts(commits: readonly Commit[]): ListedArtifact[] {
	const tools = new Map<string, string>();
	const listed: ListedArtifact[] = [];
	for (const { at, events } of commits)
		for (const event of events) {
			if (event.type === "tool/call") tools.set(event.callId, event.name);
			if (event.type !== "artifact/created") continue;
			const { artifactId: id, callId, bytes, summary } = event;
			listed.push({ id, tool: tools.get(callId) ?? "", bytes, at, summary });
		}
	return listed;
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
