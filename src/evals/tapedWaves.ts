// Which calls of a recorded message ran together. A replay knows no files that calls could clash over, so each call gets
// stand-ins for what it uses, and the runtime then groups the calls as it did when they were recorded. Pure.

import type { Resource, SessionEvent } from "../session/events.ts";

interface Seen {
	callId: string;
	/** Where the call was looked at: its verdict, or nothing where it never came to one. */
	judged?: number;
	hasStarted?: true;
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
		if (call && event.type === "tool/start") call.hasStarted = true;
		if (call && event.type === "tool/result") call.ended ??= at;
	}
	return [...steps.values()];
}

/** A call that was looked at only after an earlier one had ended began another wave. */
function split(calls: readonly Seen[]): Seen[][] {
	const waves: Seen[][] = [];
	for (const [place, call] of calls.entries()) {
		const looked = lookedAt(call, calls.slice(place + 1));
		const wave = waves.at(-1);
		const waited = wave?.some(({ ended = Infinity }) => ended < looked) ?? true;
		if (wave && !waited) wave.push(call);
		else waves.push([call]);
	}
	return waves;
}

/**
 * When a call was looked at. For one that came to no verdict, the next call behind it that did tells: judged before this
 * one had ended, it ran beside it. Else this one ended with those before it.
 */
function lookedAt({ judged, ended = Infinity }: Seen, behind: readonly Seen[]): number {
	if (judged !== undefined) return judged;
	const next = behind.find((call) => call.judged !== undefined)?.judged;
	return next !== undefined && next < ended ? next : -1;
}

/** Lets the first call of `next` clash with one of `wave`. */
function separate(wave: readonly Seen[], next: readonly Seen[], used: Map<string, Resource[]>): void {
	const first = next[0]!;
	const at = wave.findLastIndex(({ hasStarted }) => hasStarted);
	const last = wave[at];
	if (!last) return;
	// A call without a verdict waits for any that writes: where one did not wait, it was the other of the two that wrote.
	const firstWrites = wave.slice(at + 1).some(({ judged }) => judged === undefined);
	use(used, last.callId, last.callId, firstWrites ? "read" : "write");
	use(used, first.callId, last.callId, firstWrites ? "write" : "read");
}

function use(used: Map<string, Resource[]>, callId: string, key: string, access: Resource["access"]): void {
	used.set(callId, [...(used.get(callId) ?? []), { kind: "session", key, access }]);
}
