// How full the window is. Limits come from the model's profile or the settings; unknown is never 0.

import type { ModelLimits, TokenUsageInfo, Usage } from "../../types.ts";

/** Share of the window at which room has to be made. */
export const DEFAULT_THRESHOLD = 0.8;

/** Window taken where neither settings, profile nor server tell one: small enough to be safe with current models. */
export const ASSUMED_CONTEXT_WINDOW = 128_000;

/**
 * The limits that hold: what is known, else the assumed window and an eighth of it for the reply. A model's name alone
 * tells nothing here; what is known by name is given by the composition root.
 */
export function getModelLimits(model: string | Partial<ModelLimits> = {}): ModelLimits {
	const known = typeof model === "string" ? {} : model;
	const contextWindow = known.contextWindow ?? ASSUMED_CONTEXT_WINDOW;
	return {
		contextWindow,
		outputReserve: known.outputReserve ?? Math.min(16_384, Math.ceil(contextWindow / 8)),
		...(known.contextWindow === undefined || known.assumed ? { assumed: true } : {}),
	};
}

/** Percent of the window that `tokens` take, one decimal, never above 100. */
export function calculateUsagePercentage(tokens: number, contextWindow: number): number {
	if (!(contextWindow > 0)) return 0;
	return Math.min(100, Math.round((tokens / contextWindow) * 1000) / 10);
}

/** Whether `tokens` are beyond the threshold's share of the window. */
export function isOverThreshold(
	tokens: number,
	contextWindow: number,
	threshold = DEFAULT_THRESHOLD,
): boolean {
	return tokens > contextWindow * threshold;
}

/** The token meter after one Attempt. */
export function tokenUsageInfo(usage: Usage, contextWindow: number, estimated: boolean): TokenUsageInfo {
	const totalTokens = usage.inputTokens + usage.outputTokens;
	return {
		inputTokens: usage.inputTokens,
		outputTokens: usage.outputTokens,
		totalTokens,
		contextWindow,
		threshold: DEFAULT_THRESHOLD,
		percentage: calculateUsagePercentage(totalTokens, contextWindow),
		estimated,
	};
}
