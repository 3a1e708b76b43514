// Runs a subagent: a child session with its own log behind one call of the parent. It shares the parent's signal, usage
// tracker and limits, sees a bounded piece of the parent's history, and can neither change anything nor delegate.

import type { SessionWriter } from "../../ports/session.ts";
import type { SeedMessage } from "../../session/events.ts";
import type { TurnEnd } from "../../session/live.ts";
import type { HistoryItem } from "../../session/state.ts";
import { AgiError, type ToolOutcome } from "../../types.ts";
import { runTurn } from "../run.ts";
import { sessionArtifacts } from "../sessionArtifacts.ts";
import { buildSystemPrompt, type PromptState } from "../system/prompt.ts";
import { failed, truncateResult } from "../toolResults.ts";
import { narrowToolset } from "../tools/toolset.ts";
import type { TurnContext } from "../turn.ts";
import { findSubagent, type Subagent } from "./registry.ts";
import { sharedHistory } from "./sharedHistory.ts";

/** Subagents that work now, by their parent's session: the person's no to a call of one stops the others, too. */
const atWork = new WeakMap<SessionWriter, Set<AbortController>>();

/** What a child needs of the world around its parent. */
export interface SpawnOptions {
	/** A new session for the child, with `seed` as its history; its events are told to the parent's screen. */
	createChild(agent: string, callId: string, seed: SeedMessage[]): Promise<ChildSession>;
	prompt: PromptState;
}

/** A child's session, and how to give it back. */
export interface ChildSession {
	session: SessionWriter;
	/** The documents of the workspace as they come to the child; absent where a program brings instructions of its own. */
	documents?: ChildDocuments;
	close(): Promise<void>;
}

/** The documents of a child's session: part of its prompt from its start, told where it comes to a folder with others. */
export interface ChildDocuments {
	observe(): void;
	withDocuments(prompt: PromptState): PromptState;
}

/** Runs `agent` on `task` to its end; the outcome's text is its last message, or why there is none. */
export async function spawnSubagent(
	parent: TurnContext,
	options: SpawnOptions,
	callId: string,
	agent: string,
	task: string,
	signal: AbortSignal,
): Promise<ToolOutcome> {
	const subagent = findSubagent(agent);
	if (!subagent) throw new AgiError("BUG", `no subagent ${agent}`);
	const team = atWork.get(parent.session) ?? new Set();
	const stop = new AbortController();
	atWork.set(parent.session, team.add(stop));
	try {
		const shared = AbortSignal.any([signal, stop.signal]);
		const outcome = await runChild(parent, options, callId, subagent, task, shared);
		if (outcome.error?.saidNo) for (const other of team) other.abort();
		return outcome;
	} finally {
		team.delete(stop);
	}
}

/** Its whole life: made, told of, run and closed. */
async function runChild(
	parent: TurnContext,
	options: SpawnOptions,
	callId: string,
	subagent: Subagent,
	task: string,
	signal: AbortSignal,
): Promise<ToolOutcome> {
	const agent = subagent.name;
	const seed = sharedHistory(parent.session.state);
	const child = await options.createChild(agent, callId, seed);
	const sessionId = child.session.state.sessionId;
	parent.session.record({ do: "recordSubagent", change: { callId, agent, sessionId, status: "started" } });
	try {
		// A restart must find the child by this, and nobody may hear of its calls before the call that it works for.
		await parent.session.flush({ wait: true });
		for (const source of parent.session.state.taint) child.session.record({ do: "setTaint", source });
		child.session.record({
			do: "submitInput",
			text: task,
			target: "next_turn",
			wakeup: true,
			origin: "parent",
		});
		// What the parent observes is recorded in the parent's session.
		const { observe: _, ...own } = parent;
		const { documents } = child;
		// It cannot load any.
		const { skills: __, ...prompt } = options.prompt;
		const end = await runTurn({
			...own,
			agent,
			session: child.session,
			get system() {
				const told = documents?.withDocuments(prompt) ?? prompt;
				return buildSystemPrompt({ ...told, override: subagent.prompt });
			},
			...(documents ? { observe: documents.observe } : {}),
			tools: narrowToolset(parent.tools, subagent.tools),
			startNewTurn: false,
			toolContext: (id, callSignal) => childContext(parent, child.session, id, callSignal),
			rawArguments: new Map(),
			taintParents: (source) => {
				parent.session.record({ do: "setTaint", source });
				parent.taintParents?.(source);
			},
			signal,
		});
		const status =
			end?.status === "completed" ? "completed" : end?.status === "cancelled" ? "cancelled" : "failed";
		parent.session.record({
			do: "recordSubagent",
			change: { callId, agent, sessionId, status, usage: child.session.state.usage },
		});
		return outcomeOf(agent, end, child.session.state.history);
	} finally {
		await child.close();
	}
}

/** The parent's without delegation and questions; of artifacts the child's own ones, too. */
function childContext(parent: TurnContext, child: SessionWriter, callId: string, signal: AbortSignal) {
	const { delegate: _, ask: __, ...rest } = parent.toolContext(callId, signal);
	return { ...rest, artifacts: sessionArtifacts(child, rest.artifacts) };
}

/** The end of a child as the result of the parent's call. */
function outcomeOf(agent: string, end: TurnEnd | undefined, history: readonly HistoryItem[]): ToolOutcome {
	if (end?.status === "completed") return { status: "result", text: end.answer };
	const why = end?.reason ?? "it had nothing to do";
	const last = history.findLast((item) => item.kind === "assistant" && item.text !== "");
	const sofar = last?.kind === "assistant" ? `\nSo far it said: ${last.text}` : "";
	if (end?.code === "denied") {
		const message = `The user denied ${refusedCall(history)} of the ${agent}. It did not finish.${sofar}`;
		return {
			status: "denied",
			text: message,
			error: { type: "DENIED", message, retryable: false, saidNo: true },
		};
	}
	if (end?.status === "cancelled") {
		const message = `The ${agent} was cancelled.${sofar}`;
		return { status: "cancelled", text: message, error: { type: "CANCELLED", message, retryable: true } };
	}
	return failed({ type: "FAILED", message: `The ${agent} did not finish: ${why}${sofar}`, retryable: false });
}

/** The call that a person's plain no ended a child's turn with, as `readFile {"path":"/etc/hosts"}`. */
function refusedCall(history: readonly HistoryItem[]): string {
	const refused = history.findLast((item) => item.kind === "tool" && item.status === "denied");
	if (refused?.kind !== "tool") return "a call";
	const calls = history.flatMap((item) => (item.kind === "assistant" ? item.calls : []));
	const args = calls.findLast(({ callId }) => callId === refused.callId)?.args ?? {};
	return `${refused.name} ${truncateResult(JSON.stringify(args), 300)}`;
}
