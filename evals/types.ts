// The types of the evaluations, under the names of the book; they are those of the part of agi that users get too.

export type {
	EvalData,
	EvalTarget,
	MockToolConfig,
	MultiTurnEvalData,
	MultiTurnResult,
	MultiTurnTarget,
	SingleTurnResult,
	Suite,
} from "../src/evals/types.ts";
