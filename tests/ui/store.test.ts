import { describe, expect, it } from "vitest";
import type { Notification } from "../../src/rpc/protocol.ts";
import type { Clock } from "../../src/ui/clock.ts";
import { changeDraft } from "../../src/ui/person.ts";
import { createPerson } from "../../src/ui/personState.ts";
import { createStore } from "../../src/ui/store.ts";
import { waitingText } from "../../src/ui/view/waiting.ts";
import { attemptStart, facts, transcript, viewOf } from "../support/screenView.ts";

/** A clock that moves when it is told to. */
function handClock() {
	let now = 1_000;
	let waiting: { at: number; wake: () => void }[] = [];
	const clock: Clock = {
		now: () => now,
		after(milliseconds, wake) {
			const entry = { at: now + milliseconds, wake };
			waiting.push(entry);
			return () => {
				waiting = waiting.filter((other) => other !== entry);
			};
		},
	};
	const pass = (milliseconds: number) => {
		const end = now + milliseconds;
		for (;;) {
			const next = waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
			if (!next) break;
			waiting = waiting.filter((other) => other !== next);
			now = next.at;
			next.wake();
		}
		now = end;
	};
	return { clock, pass, timers: () => waiting.length };
}

const text = (piece: string): Notification => ({ kind: "live", delta: { type: "text", text: piece } });

function started() {
	const hand = handClock();
	const store = createStore(viewOf(), createPerson(40), hand.clock);
	let draws = 0;
	store.subscribe(() => draws++);
	return { ...hand, store, draws: () => draws };
}

describe("createStore", () => {
	it("draws at most 13 times a second, however many tokens come, and loses none", () => {
		const { store, pass, draws } = started();
		store.hear(facts(attemptStart()) as Notification);
		for (let i = 0; i < 1000; i++) {
			store.hear(text(`word${i} `));
			pass(1);
		}
		pass(100);
		expect(draws()).toBeLessThanOrEqual(15);
		store.hear(text("\n"));
		pass(100);
		expect(transcript(store.shown().view).join(" ")).toMatch(/word0 [\s\S]*word999/);
	});

	it("draws a key, a question and what the person asked for at once", () => {
		const { store, draws } = started();
		store.setPerson(changeDraft(store.person(), { type: "insert", text: "x" }, 0));
		expect(draws()).toBe(1);
		expect(store.shown().input.editor.rows).toEqual(["x"]);
		store.change({ kind: "notice", text: "noted" });
		expect(draws()).toBe(2);
		store.hear({ kind: "prompts", open: [] });
		expect(draws()).toBe(3);
	});

	it("draws nothing where nothing changes, and ticks only while something waits", () => {
		const { store, pass, draws, timers } = started();
		pass(60_000);
		expect(draws()).toBe(0);
		store.setPerson(store.person());
		expect(draws()).toBe(0);
		store.change({ kind: "notice", text: "noted", forMs: 3_000 });
		pass(60_000);
		expect(store.shown().view.notices).toEqual([]);
		expect(draws()).toBeLessThanOrEqual(6);
		expect(timers()).toBe(0);
	});

	it("tells each second of a wait, and draws twice a second for it", () => {
		const { store, pass, draws } = started();
		store.change({ kind: "sent" });
		const told = new Set<string | undefined>();
		store.subscribe(() => told.add(waitingText(store.shown().view)?.text));
		pass(10_000);
		expect([...told]).toEqual(Array.from({ length: 11 }, (_, second) => `queueing ${second} s`));
		expect(draws()).toBeLessThanOrEqual(21);
	});

	it("draws nothing while it is paused, and all of it afterwards", () => {
		const { store, pass, draws } = started();
		store.pause();
		store.hear(text("line\n"));
		pass(1_000);
		expect(draws()).toBe(0);
		store.resume();
		expect(transcript(store.shown().view)).toContain("line");
	});

	it("leaves no timer behind when it is stopped", () => {
		const { store, timers } = started();
		store.change({ kind: "sent" });
		store.hear(text("more"));
		store.stop();
		expect(timers()).toBe(0);
	});
});
