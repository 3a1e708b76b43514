// Reads token counts in the spellings that servers use. Zero, null, NaN and text that is no number mean "not told":
// a zero shown as a measurement would switch compaction off.

import { asRecord } from "./json.ts";

/** Token counts in the wire's canonical spelling, which both SDK providers read. */
export interface WireUsage {
	prompt_tokens: number;
	completion_tokens: number;
	total_tokens: number;
	prompt_tokens_details: { cached_tokens: number };
	completion_tokens_details: { reasoning_tokens: number };
}

/**
 * The counts of one usage object; undefined where it tells no prompt size. Cached tokens are part of the prompt's and
 * reasoning tokens part of the completion's, as in the Chat Completions reference.
 */
export function readUsage(value: unknown): WireUsage | undefined {
	const usage = asRecord(value);
	if (!usage) return undefined;
	const promptDetails = asRecord(usage["prompt_tokens_details"] ?? usage["input_tokens_details"]);
	const completionDetails = asRecord(usage["completion_tokens_details"] ?? usage["output_tokens_details"]);
	const total = count(usage["total_tokens"]);
	const told = count(usage["completion_tokens"] ?? usage["output_tokens"]);
	const counted = count(usage["prompt_tokens"] ?? usage["input_tokens"]) || Math.max(0, told && total - told);
	if (counted === 0) return undefined;
	const cached =
		count(promptDetails?.["cached_tokens"]) ||
		count(usage["prompt_cache_hit_tokens"]) ||
		count(usage["cached_tokens"]);
	// More cached than counted: this server counts them apart.
	const prompt = cached > counted ? counted + cached : counted;
	const completion = told || Math.max(0, total - prompt);
	return {
		prompt_tokens: prompt,
		completion_tokens: completion,
		total_tokens: prompt + completion,
		prompt_tokens_details: { cached_tokens: cached },
		completion_tokens_details: {
			reasoning_tokens: Math.min(count(completionDetails?.["reasoning_tokens"]), completion),
		},
	};
}

function count(value: unknown): number {
	const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
	return typeof number === "number" && Number.isFinite(number) && number > 0 ? Math.round(number) : 0;
}
