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
import { failed } from "../toolResults.ts";
import { narrowToolset } from "../tools/toolset.ts";
import type { TurnContext } from "../turn.ts";
import { findSubagent } from "./registry.ts";

/** How many of the parent's last messages a child sees. */
const SHARED_MESSAGES = 6;

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

/** Runs `agent` on `task` to its end; the outcome's text is its last message. */
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
	const seed = shareHistory(parent.session.state.history);
	const child = await options.createChild(agent, callId, seed);
	const sessionId = child.session.state.sessionId;
	parent.session.record({ do: "recordSubagent", change: { callId, agent, sessionId, status: "started" } });
	// A restart must find the child by this, however long it works.
	await parent.session.flush({ wait: false });
	for (const source of parent.session.state.taint) child.session.record({ do: "setTaint", source });
	try {
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
	if (end?.status === "cancelled") {
		const message = `The ${agent} was cancelled.${sofar}`;
		return { status: "cancelled", text: message, error: { type: "CANCELLED", message, retryable: true } };
	}
	return failed({ type: "FAILED", message: `The ${agent} did not finish: ${why}${sofar}`, retryable: false });
}

/** The parent's last messages, closed: no call without its result, the call that delegates left out. */
function shareHistory(history: readonly HistoryItem[]): SeedMessage[] {
	const said: SeedMessage[] = [];
	for (const item of history) {
		if (item.kind === "user") said.push({ role: "user", text: item.text });
		else if (item.kind === "assistant" && item.text.trim() !== "")
			said.push({ role: "assistant", text: item.text, calls: [] });
	}
	return said.slice(-SHARED_MESSAGES);
}
