// Counts what a run uses and says when a limit is passed. Tool calls and iterations count per turn, tokens and cost
// per session: the tracker outlives turns. It stops nothing itself.

/** Where a run stops. A limit is passed when the count is greater. `Infinity` is no limit. */
export interface UsageLimits {
	/** Input and output tokens of the session. */
	maxTokens: number;
	/** Tool calls of a turn. */
	maxToolCalls: number;
	/** Model answers of a turn. */
	maxIterations: number;
	/** US dollars of the session. */
	maxCost: number;
}

/** The limits that hold where nothing else is set. */
export const DEFAULT_USAGE_LIMITS: UsageLimits = {
	maxTokens: Number.POSITIVE_INFINITY,
	maxToolCalls: 500,
	maxIterations: 500,
	maxCost: Number.POSITIVE_INFINITY,
};

/** The sums so far. */
export interface UsageTotals {
	inputTokens: number;
	outputTokens: number;
	toolCalls: number;
	iterations: number;
	/** US dollars. */
	cost: number;
}

/** The counters of one session. Limits that are left out are the default ones. */
export class UsageTracker {
	readonly limits: UsageLimits;
	readonly #totals: UsageTotals = { inputTokens: 0, outputTokens: 0, toolCalls: 0, iterations: 0, cost: 0 };

	constructor(limits: Partial<UsageLimits> = {}) {
		this.limits = { ...DEFAULT_USAGE_LIMITS, ...limits };
	}

	/** Begins a turn: its tool calls and iterations count from zero; tokens and cost go on. */
	startTurn(): void {
		this.#totals.toolCalls = 0;
		this.#totals.iterations = 0;
	}

	/** Adds tokens of an Attempt, failed ones too. What is no positive number counts as nothing. */
	addTokens(count: number, isOutput: boolean): void {
		this.#totals[isOutput ? "outputTokens" : "inputTokens"] += measured(count);
	}

	/** Counts a tool call: after its approval, before it runs. */
	addToolCall(): void {
		this.#totals.toolCalls++;
	}

	/** Counts a model answer. */
	addIteration(): void {
		this.#totals.iterations++;
	}

	/** Adds the price of an Attempt in US dollars. */
	addCost(usd: number): void {
		this.#totals.cost += measured(usd);
	}

	/** A copy of the sums so far. */
	totals(): UsageTotals {
		return { ...this.#totals };
	}

	/** Whether the run may go on; `reason` names the first limit that is passed, with the count that passed it. */
	check(): { ok: boolean; reason?: string } {
		const { inputTokens, outputTokens, toolCalls, iterations, cost } = this.#totals;
		const { maxTokens, maxToolCalls, maxIterations, maxCost } = this.limits;
		const tokens = inputTokens + outputTokens;
		if (toolCalls > maxToolCalls) return { ok: false, reason: `Tool call limit exceeded (${toolCalls})` };
		if (tokens > maxTokens) return { ok: false, reason: `Token limit exceeded (${tokens})` };
		if (iterations > maxIterations)
			return { ok: false, reason: `Loop iteration limit exceeded (${iterations})` };
		if (cost > maxCost) return { ok: false, reason: `Cost limit exceeded ($${cost.toFixed(2)})` };
		return { ok: true };
	}
}

/** Servers report nonsense; one NaN would make every later comparison false. */
function measured(count: number): number {
	return Number.isFinite(count) && count > 0 ? count : 0;
}
