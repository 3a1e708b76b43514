// Everything that one start is told, in small values: no settings object goes further than this.

import type { Toolset, TurnContext } from "../agent/turn.ts";
import type { UsageTracker } from "../agent/usage.ts";
import type { Rule } from "../policy/rules.ts";
import type { Mode } from "../types.ts";
import type { ModelSource } from "./activeModel.ts";
import type { Place } from "./place.ts";
import type { SandboxSettings } from "./sandbox.ts";

/** Everything that one start was told; small values, no settings object. */
export interface StartOptions {
	place: Place;
	env: Readonly<Record<string, string | undefined>>;
	model: ModelSource;
	mode: Mode;
	trusted: boolean;
	/** Whether somebody can be asked. */
	interactive: boolean;
	limits: {
		stepsPerTurn: number;
		toolCallsPerTurn: number;
		tokensPerSession?: number;
		costPerSession?: number;
		turnSeconds?: number;
		toolSeconds?: number;
	};
	contextWindow?: number;
	outputReserve?: number;
	/** Whether the model takes images; absent: as far as its name tells. */
	images?: boolean;
	/** When older parts of the conversation are summed up. */
	compaction?: NonNullable<TurnContext["compaction"]>;
	/** Rules of flags and settings files. */
	rules?: readonly Rule[];
	/** Allow rules that a project would like to have. */
	suggestedRules?: readonly Rule[];
	appendSystemPrompt?: string;
	systemPrompt?: string;
	/** Completed turns between two looks for facts to keep; absent or 0: none. Only where a person follows the session. */
	extractEveryTurns?: number;
	/** Whether what is remembered is part of the requests. Default: yes, unless `systemPrompt` is set. */
	includeMemories?: boolean;
	addDirs?: readonly string[];
	exaApiKey?: string;
	sandboxCommands: boolean;
	/** Absent: commands run with the person's rights. */
	sandbox?: SandboxSettings;
	laminarKey?: string;
	/** Values that must never reach a log, a screen or a model. */
	secrets: readonly string[];
	/** Programs may bring their own tools, tracker and signal. */
	tools?: Toolset;
	tracker?: UsageTracker;
	startNewTurn?: boolean;
	/** Whether events are written to `.agent/logs/agent.jsonl`. */
	diagnostics: boolean;
	/** Hears why a trace could not be sent; a sentence. */
	onTraceFailure?: (sentence: string) => void;
	/** Whether what turns do to files is kept beside the sessions, so that it can be taken back. Default false. */
	undo?: boolean;
	/** Whether indexes for `recall` are made while nothing runs, and kept in the user's folders. Default false. */
	keepsIndex?: boolean;
}
