// Which calls of a recorded message ran together. A replay knows no files that calls could clash over, so each call gets
// stand-ins for what it uses, and the runtime then groups the calls as it did when they were recorded. Pure.

import type { Resource, SessionEvent } from "../session/events.ts";

interface Seen {
	callId: string;
	/** Where the call was looked at: its verdict, or nothing where it never came to one. */
	judged?: number;
	ended?: number;
}

/** What each call is to use, by its id; a call that clashes with nobody uses nothing. */
export function wavesOf(events: readonly SessionEvent[]): Map<string, Resource[]> {
	const used = new Map<string, Resource[]>();
	for (const step of stepsOf(events)) {
		const waves = split(step);
		for (const [at, wave] of waves.entries()) {
			const next = waves[at + 1];
			if (next) separate(wave, next, used);
		}
	}
	return used;
}

/** The calls of each step, in their order. */
function stepsOf(events: readonly SessionEvent[]): Seen[][] {
	const steps = new Map<string, Seen[]>();
	const calls = new Map<string, Seen>();
	for (const [at, event] of events.entries()) {
		if (event.type === "tool/call") {
			const call: Seen = { callId: event.callId };
			calls.set(event.callId, call);
			steps.set(event.stepId, [...(steps.get(event.stepId) ?? []), call]);
		}
		const call = "callId" in event ? calls.get(event.callId) : undefined;
		if (call && event.type === "policy/decided") call.judged ??= at;
		if (call && event.type === "tool/result") call.ended ??= at;
	}
	return [...steps.values()];
}

/** A call that was looked at only after an earlier one had ended began another wave. */
function split(calls: readonly Seen[]): Seen[][] {
	const waves: Seen[][] = [];
	for (const [place, call] of calls.entries()) {
		// Calls are looked at in their order, so none was looked at later than the one behind it.
		const looked = Math.min(...calls.slice(place).map((one) => one.judged ?? one.ended ?? Infinity));
		const wave = waves.at(-1);
		const waited = wave?.some(({ ended }) => ended !== undefined && ended < looked) ?? true;
		if (wave && !waited) wave.push(call);
		else waves.push([call]);
	}
	return waves;
}

/** Lets the first call of `next` clash with one of `wave`. */
function separate(wave: readonly Seen[], next: readonly Seen[], used: Map<string, Resource[]>): void {
	const first = next[0]!;
	const last = wave.findLast(({ judged }) => judged !== undefined);
	if (!last) return;
	// A call that never came to a verdict also waits for one that writes: which of the two wrote is seen by that.
	const firstWrites = wave.at(-1) !== last && first.judged !== undefined;
	use(used, last.callId, last.callId, firstWrites ? "read" : "write");
	use(used, first.callId, last.callId, firstWrites ? "write" : "read");
}

function use(used: Map<string, Resource[]>, callId: string, key: string, access: Resource["access"]): void {
	used.set(callId, [...(used.get(callId) ?? []), { kind: "session", key, access }]);
}
