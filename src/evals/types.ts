// The words of evaluations: cases, what a run of one brings back, and how suites are scored. The names of the book come
// first. Types only.

import type { ModelMessage } from "ai";
import type { Mode, Usage } from "../types.ts";

/** What a single-turn case asks. `tools` are the names that are offered; absent: agi's own default set. */
export interface EvalData {
	prompt: string;
	systemPrompt?: string;
	tools?: string[];
	/** Skills that can be loaded: what each is for, by its name. */
	skills?: Record<string, string>;
	/** A conversation before the prompt. */
	messages?: ModelMessage[];
	mode?: Mode;
	config?: EvalConfig;
}

/** What of the model a case sets itself. */
export interface EvalConfig {
	model?: string;
	temperature?: number;
}

/**
 * What a single-turn case expects. `golden`: these tools and no doubt about it; `secondary`: several ways are right, more
 * or less; `negative`: the forbidden tools must not be called (without `forbiddenTools`: none at all).
 */
export interface EvalTarget {
	category: "golden" | "secondary" | "negative";
	expectedTools?: string[];
	forbiddenTools?: string[];
}

/** What one model answer chose. */
export interface SingleTurnResult {
	toolCalls: ToolUse[];
	toolNames: string[];
	selectedAny: boolean;
	text: string;
}

/** A call as the model asked for it. */
export interface ToolUse {
	toolName: string;
	args: unknown;
}

/**
 * A tool that only pretends. Description and parameters are agi's own where the name is one of its tools and nothing is
 * said. A list as `mockReturn` answers call after call; its last entry goes on.
 */
export interface MockToolConfig {
	description?: string;
	/** Name of each parameter with its meaning; all are texts. */
	parameters?: Record<string, string>;
	mockReturn: string | string[];
}

/** What a multi-turn case asks: a prompt, or a conversation whose last message is the person's. */
export interface MultiTurnEvalData {
	prompt?: string;
	messages?: ModelMessage[];
	systemPrompt?: string;
	mockTools: Record<string, MockToolConfig>;
	mode?: Mode;
	config?: EvalConfig & {
		/** Model answers until the run is stopped. Default 20. */
		maxSteps?: number;
		/** What a person answers to questions about calls. Default true. */
		approve?: boolean;
	};
}

/** What a multi-turn case expects. With `rubric` a judge grades the answer. */
export interface MultiTurnTarget {
	category: "task-completion" | "conversation-continuation" | "negative";
	originalTask: string;
	expectedToolOrder?: string[];
	forbiddenTools?: string[];
	/** Each of them, as a part of the final answer, in any case of letters. */
	expectedText?: string[];
	/** What a good answer holds, for the judge. */
	rubric?: string;
	/** What the tools said, for the judge. */
	mockToolResults?: Record<string, string>;
}

/** What a conversation with pretended tools came to. */
export interface MultiTurnResult {
	text: string;
	steps: { text?: string; toolCalls?: ToolUse[]; toolResults?: { toolName: string; result: string }[] }[];
	toolsUsed: string[];
	toolCallOrder: string[];
}

/** A job in a copy of a project. */
export interface WorkspaceData {
	prompt: string;
	/** Folder that is copied, relative to the case file. Absent: the repository that the evaluation runs in. */
	project?: string;
	/** Ends with 0 where the job is done; a shell line that runs in the copy. */
	verify: string;
	/** Programs that the check needs; where one is missing the case is skipped, and said to be. */
	needs?: string[];
}

/** What must hold after the job beside the check. Paths may end in `/**`. */
export interface WorkspaceTarget {
	category: "task-completion";
	originalTask: string;
	/** Files that must be as they were: tests above all. They are put back before the check. */
	unchanged?: string[];
	expectedText?: string[];
	rubric?: string;
}

/** How a job in a copy ended. */
export interface WorkspaceResult extends MultiTurnResult {
	verified: boolean;
	/** The end of what the check printed. */
	checkOutput: string;
	/** Protected files that were changed or deleted. */
	broken: string[];
}

/** A case of any kind. `purpose` says what it is for. */
export interface EvalCase<D = unknown, T = unknown> {
	id: string;
	purpose: string;
	data: D;
	target: T;
}

/** The kinds of cases; the shape of `data` tells which. */
export type SuiteKind = "single-turn" | "multi-turn" | "workspace";

/** A score from 0 to 1; null where the evaluator is not meant for the case, or could not tell (`reason`). */
export type Score = number | null;

/** Scores one result. A reason is kept and shown. */
export type Evaluator = (
	output: never,
	target: never,
	signal?: AbortSignal,
) => Score | { score: Score; reason: string } | Promise<Score | { score: Score; reason: string }>;

/** Least means, by evaluator; `pass@1` and `pass^k` name the share of cases that passed. */
export type Thresholds = Readonly<Record<string, number>>;

/** A set of cases with the evaluators that score them. */
export interface Suite {
	name: string;
	kind: SuiteKind;
	cases: readonly LocatedCase[];
	evaluators: Readonly<Record<string, Evaluator>>;
	/** For a model; `offline` are those of the embedded model, which is no AI. */
	thresholds: { model: Thresholds; offline: Thresholds };
}

/** A case with the place it stands at, for error sentences. */
export interface LocatedCase extends EvalCase {
	file: string;
	line: number;
}

/** What an executor gives back for one trial. */
export interface Execution {
	output: SingleTurnResult | MultiTurnResult | WorkspaceResult;
	usage: Usage;
	/** US dollars; null where the price is not known, or a reply came without its usage. */
	costUsd: number | null;
}

/** One run of one case. */
export interface Trial {
	suite: string;
	caseId: string;
	/** From 0. */
	repeat: number;
	/** `error`: it could not be run, which says nothing about the model's choices; `skipped` says why in `error`. */
	outcome: "scored" | "timeout" | "error" | "skipped";
	scores: Record<string, Score>;
	reasons: Record<string, string>;
	output?: Execution["output"];
	usage: Usage;
	costUsd: number | null;
	durationMs: number;
	/** Runs before this one that failed on the way to the model. */
	retries: number;
	error?: string;
}

/** A mean with its 95 % interval. `n` counts cases, not trials. */
export interface Mean {
	mean: number;
	low: number;
	high: number;
	n: number;
}

/** One case over its repeats. */
export interface CaseReport {
	id: string;
	purpose: string;
	file: string;
	line: number;
	/** Trials that passed, of those that were scored or timed out. */
	passed: number;
	counted: number;
	means: Record<string, number | null>;
	trials: Trial[];
}

/** One suite of a run. */
export interface SuiteReport {
	name: string;
	kind: SuiteKind;
	cases: CaseReport[];
	evaluators: Record<string, Mean>;
	/** `pass@k` and `pass^k` hold for `k` = the number of repeats. */
	passAt1: Mean;
	passAtK: number;
	passHatK: number;
	/** Sentences: which threshold was missed, by how much. */
	missed: string[];
	errors: number;
	skipped: number;
}

/** A whole run, as `run.json` keeps it. */
export interface RunReport {
	version: 1;
	id: string;
	startedAt: string;
	model: string;
	/** True for the embedded model, which is no AI. */
	offline: boolean;
	judge: string | null;
	repeats: number;
	seed: number | null;
	usage: Usage;
	costUsd: number | null;
	durationMs: number;
	suites: SuiteReport[];
	notices: string[];
	/** Whether every threshold was met and every trial could be run. */
	ok: boolean;
}
