// Asks another model at each decision of a recorded session, with the very conversation that was there then, and shows
// where it would have acted otherwise. Nothing that it wants is run.

import { assemble } from "../agent/context/assemble.ts";
import { renderDocuments } from "../agent/context/documents.ts";
import { renderMemory } from "../agent/context/memory.ts";
import { renderSkills } from "../agent/context/skills.ts";
import { buildSystemPrompt } from "../agent/system/prompt.ts";
import { tools as ownTools } from "../agent/tools/index.ts";
import { toolSchemas } from "../agent/tools/schemas.ts";
import { createToolset } from "../agent/tools/toolset.ts";
import type { Model } from "../ports/model.ts";
import type { Commit } from "../session/events.ts";
import { reduce } from "../session/reduce.ts";
import { emptyState, type SessionState } from "../session/state.ts";
import { AgiError, type ModelFailure, type ToolSchema } from "../types.ts";

/** One decision, then and with the other model. Calls are `name {arguments}`; none means words. */
export interface Decision {
	stepId: string;
	then: string[];
	now: string[];
	/** The other model's words, or why it gave none. */
	text: string;
	/** Whether both chose the same tools, whatever their arguments. */
	same: boolean;
	failed: boolean;
}

/**
 * Asks `model` at each accepted answer of the session, in order. Rejects with `AgiError` where it cannot be reached at the
 * first of them.
 */
export async function askAgain(
	commits: readonly Commit[],
	model: Model,
	signal: AbortSignal,
	onDecision: (decision: Decision) => void = () => undefined,
): Promise<Decision[]> {
	const decisions: Decision[] = [];
	let state = emptyState();
	for (const event of commits.flatMap((commit) => commit.events)) {
		const { step } = state;
		if (event.type === "attempt/end" && event.outcome === "accepted" && step && !event.owner) {
			const outcome = await model.stream(assemble(state, askedWith(state)), {
				signal,
				onPrepared: async () => undefined,
				onDelta: () => undefined,
			});
			if (!outcome.ok && decisions.length === 0) refuseUnreachable(outcome.failure);
			const then = event.calls.map(shown);
			const now = outcome.ok ? outcome.reply.calls.map(shown) : [];
			const decision = {
				stepId: step.stepId,
				then,
				now,
				text: outcome.ok ? outcome.reply.text : outcome.failure.message,
				same: outcome.ok && namesOf(event.calls) === namesOf(outcome.reply.calls),
				failed: !outcome.ok,
			};
			decisions.push(decision);
			onDecision(decision);
		}
		state = reduce(state, event);
	}
	return decisions;
}

/** Instructions and tools, with what the session had been told of its project and person. */
function askedWith(state: SessionState): { system: string; tools: ToolSchema[] } {
	const documents = renderDocuments(state.documents);
	const skills = renderSkills(state.documents);
	const memory = renderMemory(state.documents);
	const offered = Object.values(ownTools).filter(({ name }) => name !== "loadSkill" || skills !== undefined);
	return {
		system: buildSystemPrompt({
			cwd: state.cwd,
			platform: process.platform,
			date: state.startedOn,
			...(documents === undefined ? {} : { documents }),
			...(skills === undefined ? {} : { skills }),
			...(memory === undefined ? {} : { memory }),
		}),
		tools: toolSchemas(createToolset(offered)),
	};
}

/** Every further decision would fail in the same way. */
function refuseUnreachable({ kind, message }: ModelFailure): void {
	if (kind === "network" || kind === "timeout" || kind === "auth")
		throw new AgiError("UNREACHABLE", message, { exitCode: kind === "auth" ? 41 : 1 });
}

/** Decisions as lines for a person: those that differ, and how many are the same. Ends with a newline. */
export function decisionsText(decisions: readonly Decision[]): string {
	const lines = decisions
		.filter((decision) => !decision.same)
		.flatMap(({ stepId, then, now, text, failed }) => [
			stepId,
			`- ${then.join("; ") || "answered in words"}`,
			failed
				? `! ${text}`
				: `+ ${now.join("; ") || `answers in words: ${text.replace(/\s+/g, " ").slice(0, 160)}`}`,
		]);
	const same = decisions.filter((decision) => decision.same).length;
	return `${[...lines, `${same} of ${decisions.length} decisions are the same.`].join("\n")}\n`;
}

function shown({ name, arguments: args }: { name: string; arguments: string }): string {
	return `${name} ${args.length > 120 ? `${args.slice(0, 120)}…` : args}`;
}

function namesOf(calls: readonly { name: string }[]): string {
	return calls
		.map(({ name }) => name)
		.sort()
		.join();
}
