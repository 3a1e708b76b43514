// What a log says about how well the work went, as counts that can be added over sessions. Pure; no text is kept.

import type { Usage } from "../types.ts";
import type { Commit, ModelConfig, SessionEvent } from "./events.ts";

/** Counts of one day and model; times in milliseconds. */
export interface WorkSums {
	/** ISO day in UTC, and the model that the turns began with. */
	day: string;
	model: ModelConfig;
	turns: number;
	completed: number;
	/** Turns that a person ended, or in which they said no to a call: they took over. */
	takenOver: number;
	toolCalls: number;
	/** Calls that were refused, by a person or by the rules. */
	denied: number;
	failed: number;
	/** Calls of which nobody knows whether they had an effect. */
	outcomeUnknown: number;
	/** Turns whose changes a person took back. */
	undone: number;
	subagents: number;
	subagentsCompleted: number;
	/** Turns that asked a subagent, and those of them that were completed. */
	turnsWithSubagents: number;
	completedWithSubagents: number;
	/** Summaries of older parts, and those of them that were taken back. */
	compactions: number;
	compactionsUndone: number;
	/** Estimated tokens of the requests before and after them. */
	tokensBeforeCompaction: number;
	tokensAfterCompaction: number;
	usage: Usage;
	/** From the start of turns to their end, waiting for people included. */
	turnMs: number;
}

interface Fold {
	sums: Map<string, WorkSums>;
	/** What counts for the open turn, or the last one: its day and model. */
	current?: WorkSums;
	turnStart?: string;
	tookOver: boolean;
	askedSubagent: boolean;
}

/** The sums of a log, one entry a day and model, in order. What happened before the first step of a turn has none. */
export function sumWork(commits: readonly Commit[]): WorkSums[] {
	const fold: Fold = { sums: new Map(), tookOver: false, askedSubagent: false };
	for (const { at, events } of commits) for (const event of events) see(fold, event, at);
	return [...fold.sums.values()];
}

function see(fold: Fold, event: SessionEvent, at: string): void {
	if (event.type === "turn/start") {
		fold.turnStart = at;
		fold.tookOver = false;
		fold.askedSubagent = false;
		delete fold.current;
		return;
	}
	if (event.type === "step/start" && !fold.current && fold.turnStart !== undefined) {
		fold.current = entryOf(fold, fold.turnStart.slice(0, 10), event.model);
		fold.current.turns++;
	}
	const { current } = fold;
	if (current) count(fold, current, event, at);
}

function count(fold: Fold, sums: WorkSums, event: SessionEvent, at: string): void {
	switch (event.type) {
		case "turn/end":
			if (event.status === "completed") sums.completed++;
			if (event.status === "completed" && fold.askedSubagent) sums.completedWithSubagents++;
			if (fold.tookOver || event.code === "cancelled" || event.code === "denied") sums.takenOver++;
			sums.turnMs += Math.max(0, Date.parse(at) - Date.parse(fold.turnStart ?? at));
			return;
		case "attempt/end":
			if (event.usage) addTo(sums.usage, event.usage);
			return;
		case "tool/call":
			sums.toolCalls++;
			return;
		case "approval/resolved":
			if (event.answer === "no" && event.by === "person") fold.tookOver = true;
			return;
		case "tool/result":
			if (event.status === "denied") sums.denied++;
			else if (event.status === "error") sums.failed++;
			else if (event.status === "outcome_unknown") sums.outcomeUnknown++;
			return;
		case "subagent/changed":
			if (event.status === "completed") sums.subagentsCompleted++;
			if (event.status !== "started") return;
			sums.subagents++;
			if (!fold.askedSubagent) sums.turnsWithSubagents++;
			fold.askedSubagent = true;
			return;
		case "checkpoint/committed":
			sums.compactions++;
			sums.tokensBeforeCompaction += event.tokensBefore;
			sums.tokensAfterCompaction += event.tokensAfter;
			return;
		case "checkpoint/undone":
			sums.compactionsUndone++;
			return;
		case "session/rewound":
			sums.undone += event.undoes === undefined ? 1 : -1;
			return;
		default:
	}
}

function entryOf(fold: Fold, day: string, model: ModelConfig): WorkSums {
	const key = JSON.stringify([day, model.model, model.profile]);
	const known = fold.sums.get(key);
	if (known) return known;
	const entry: WorkSums = {
		day,
		model,
		turns: 0,
		completed: 0,
		takenOver: 0,
		toolCalls: 0,
		denied: 0,
		failed: 0,
		outcomeUnknown: 0,
		undone: 0,
		subagents: 0,
		subagentsCompleted: 0,
		turnsWithSubagents: 0,
		completedWithSubagents: 0,
		compactions: 0,
		compactionsUndone: 0,
		tokensBeforeCompaction: 0,
		tokensAfterCompaction: 0,
		usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
		turnMs: 0,
	};
	fold.sums.set(key, entry);
	return entry;
}

function addTo(sum: Usage, usage: Usage): void {
	sum.inputTokens += usage.inputTokens;
	sum.outputTokens += usage.outputTokens;
	sum.cachedInputTokens += usage.cachedInputTokens;
	sum.reasoningTokens += usage.reasoningTokens;
}
