// What a subagent sees of its parent's conversation: a few of its last messages, none of them long, and no call without its
// result. Pure.

import type { SeedMessage } from "../../session/events.ts";
import { viewEntries } from "../../session/modelView.ts";
import type { HistoryItem, SessionState } from "../../session/state.ts";
import { wrapToolResult } from "../context/assemble.ts";
import { truncateResult } from "../toolResults.ts";

/** How many messages are shared; each result of a call is one. */
const SHARED_MESSAGES = 6;

/** Letters of one text that are shared, and of one argument of a call. */
const TEXT_LETTERS = 4_000;
const ARGUMENT_LETTERS = 500;

type Message = HistoryItem & { kind: "user" };
type Answer = HistoryItem & { kind: "assistant" };
type Result = HistoryItem & { kind: "tool" };

/** What somebody said, with the results of the calls that it made. */
type Round = [said: Message | Answer, ...results: Result[]];

/**
 * The last messages that the model sees of a session, the latest one of the user always among them. Calls that have no
 * result yet are left out, the one that delegates too.
 */
export function sharedHistory({
	history,
	masked,
	artifacts,
}: Pick<SessionState, "history" | "masked" | "artifacts">): SeedMessage[] {
	const rounds = roundsOf(viewEntries(history, masked).map(({ item }) => item));
	const asked = rounds.findLastIndex(([said]) => said.kind === "user");
	const sinceAsked = rounds.slice(asked + 1);
	const room = SHARED_MESSAGES - 1;
	const shared =
		asked >= 0 && sinceAsked.flat().length > room
			? [...rounds[asked]!, ...newest(sinceAsked, room)]
			: newest(rounds, SHARED_MESSAGES);
	return toSeed(shared, new Map(artifacts.map(({ callId, artifactId }) => [callId, artifactId])));
}

function roundsOf(items: readonly HistoryItem[]): Round[] {
	const results = new Map(
		items.flatMap((item) => (item.kind === "tool" ? [[item.callId, item] as const] : [])),
	);
	return items.flatMap((item): Round[] => {
		if (item.kind === "user") return [[item]];
		if (item.kind !== "assistant") return [];
		const calls = item.calls.filter(({ callId }) => results.has(callId));
		if (calls.length === 0 && item.text.trim() === "") return [];
		return [[{ ...item, calls }, ...calls.map(({ callId }) => results.get(callId)!)]];
	});
}

/** The last messages of whole rounds; of a round that is too long, its last calls. */
function newest(rounds: readonly Round[], most: number): Round[number][] {
	let taken: Round[number][] = [];
	for (const round of rounds.toReversed()) {
		const room = most - taken.length;
		if (round.length > room) return room < 2 ? taken : [...lastCalls(round, room - 1), ...taken];
		taken = [...round, ...taken];
	}
	return taken;
}

function lastCalls([said, ...results]: Round, count: number): Round[number][] {
	const calls = said.kind === "assistant" ? { calls: said.calls.slice(-count) } : {};
	return [{ ...said, ...calls }, ...results.slice(-count)];
}

/**
 * The messages with what is too long in them cut; `artifacts`: where results are whole, by the call's id. Calls and results
 * are told as text: servers refuse calls without the reasoning that led to them, and a task right behind a result.
 */
function toSeed(messages: readonly Round[number][], artifacts: ReadonlyMap<string, string>): SeedMessage[] {
	const seed: SeedMessage[] = [];
	const args = new Map<string, Record<string, unknown>>();
	let results: string[] = [];
	const tellResults = () => {
		if (results.length > 0) seed.push({ role: "user", text: results.join("\n") });
		results = [];
	};
	for (const item of messages) {
		if (item.kind === "tool") {
			const text = shorten(item.text, artifacts.get(item.callId));
			const called = `[${item.name} ${shortArguments(args.get(item.callId) ?? {})}]`;
			results.push(called, wrapToolResult(item.name, text));
			continue;
		}
		if (item.kind === "assistant") for (const call of item.calls) args.set(call.callId, call.args);
		if (item.text.trim() === "") continue;
		tellResults();
		const text = shorten(item.text);
		seed.push(item.kind === "user" ? { role: "user", text } : { role: "assistant", text, calls: [] });
	}
	tellResults();
	return seed;
}

function shorten(text: string, artifactId?: string): string {
	const short = truncateResult(text, TEXT_LETTERS);
	return short === text || artifactId === undefined ? short : `${short}\n[All of it: ${artifactId}]`;
}

/** Arguments as JSON with the middle of long texts left out; none where they are long all the same. */
function shortArguments(args: Record<string, unknown>): string {
	const short = JSON.stringify(args, (_, value: unknown) =>
		typeof value === "string" ? truncateResult(value, ARGUMENT_LETTERS) : value,
	);
	return short.length > TEXT_LETTERS ? "{}" : short;
}
