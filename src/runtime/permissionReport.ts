// What a person sees of the rules and of what they do: the rules with whose word each is, the last question with its
// reason, and the verdict on a command part by part. It reads and judges; it changes nothing and asks nobody.

import { readParts } from "../policy/commandParts.ts";
import { evaluate } from "../policy/evaluate.ts";
import type { NamedPath } from "../policy/facts.ts";
import { pathWords } from "../policy/judgeParts.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import type { Rule } from "../policy/rules.ts";
import type { Commit } from "../session/events.ts";
import type { SessionState } from "../session/state.ts";

/** A rule as it is listed. */
export interface ListedRule {
	effect: "allow" | "ask" | "deny";
	/** Short form. */
	rule: string;
	layer: Rule["layer"];
	/** The file or flag it stands in. */
	origin: string;
	why?: string;
}

/** The last question that a session put to a person. */
export interface LastQuestion {
	tool: string;
	reason: string;
	/** What decided that it was asked. */
	rule: string;
	/** Absent while it waits. */
	answer?: string;
}

/** The verdict on a command, or on a part of it. */
export interface CommandVerdict {
	command: string;
	verdict: "allow" | "ask" | "deny";
	reason: string;
	rule: string;
}

/** The verdict on a command and on each of its parts; `opaque` says why it has none. */
export interface CommandTest extends CommandVerdict {
	parts: CommandVerdict[];
	opaque?: string;
	/** What "do not ask again" would allow. */
	offers?: string[];
}

/** Rules in the order in which they are listed: deny, ask, allow. */
export function listRules(rules: readonly Rule[]): ListedRule[] {
	const order = ["deny", "ask", "allow"];
	return [...rules]
		.sort((a, b) => order.indexOf(a.effect) - order.indexOf(b.effect))
		.map(({ effect, text, layer, origin, why }) => ({
			effect,
			rule: text,
			layer,
			origin,
			...(why === undefined ? {} : { why }),
		}));
}

/** What was allowed for the session, in words. */
export function listGrants({ grants }: Pick<SessionState, "grants">): string[] {
	return grants.map(({ label, rule }) => rule ?? label);
}

/** The last question of a log; undefined where none was put. */
export function lastQuestion(commits: readonly Commit[]): LastQuestion | undefined {
	const events = commits.flatMap((commit) => commit.events);
	const asked = events.findLast((event) => event.type === "approval/requested");
	if (!asked) return undefined;
	const call = events.find((event) => event.type === "tool/call" && event.callId === asked.callId);
	const decided = events.findLast(
		(event) => event.type === "policy/decided" && event.callId === asked.callId,
	);
	const resolved = events.find(
		(event) => event.type === "approval/resolved" && event.approvalId === asked.approvalId,
	);
	return {
		tool: call?.type === "tool/call" ? call.name : "",
		reason: asked.reason,
		rule: decided?.type === "policy/decided" ? decided.rule : "",
		...(resolved?.type === "approval/resolved" ? { answer: resolved.answer } : {}),
	};
}

/** The verdict on a command that a model would run now, and on each of its parts as if it stood alone. */
export function testCommand(
	command: string,
	context: PolicyContext,
	named: readonly NamedPath[],
): CommandTest {
	const sandboxed = context.sandbox?.level === "full" || context.sandbox?.level === "partial";
	const judge = (text: string) =>
		evaluate(
			{
				tool: "runCommand",
				version: 1,
				args: { command: text },
				effects: "possible",
				resources: [],
				facts: { command: text, sandboxed, named: namedOf(text, named) },
			},
			context,
		);
	const told = (text: string): CommandVerdict => {
		const { verdict, reason, rule } = judge(text);
		return { command: text, verdict, reason, rule };
	};
	const read = readParts(command);
	const { offer } = judge(command);
	return {
		...told(command),
		parts: read.kind === "plain" ? read.parts.map(({ text }) => told(text)) : [],
		...(read.kind === "opaque" ? { opaque: read.why } : {}),
		...(offer ? { offers: [...offer.rules] } : {}),
	};
}

/** What was looked up for the whole command is known for its parts, too. */
function namedOf(text: string, named: readonly NamedPath[]): NamedPath[] {
	const words = new Set(pathWords(text).map(({ word }) => word));
	return named.filter(({ word }) => words.has(word));
}
