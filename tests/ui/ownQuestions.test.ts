import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/ui/clock.ts";
import type { PickerItem } from "../../src/ui/input/picker.ts";
import { createOwnQuestions } from "../../src/ui/ownQuestions.ts";
import { createPerson } from "../../src/ui/personState.ts";
import { createStore } from "../../src/ui/store.ts";
import { viewOf } from "../support/screenView.ts";

const ITEMS = [{ id: "1", label: "Fix the parser" }];
const FOUND = [{ id: "2", label: "Older", detail: "… the lexer …" }];

/** Questions over a store whose timers the test fires, and a list with a search that is told what to find. */
function openList(search: (query: string) => Promise<PickerItem[]>, query?: string) {
	let timers: (() => void)[] = [];
	const clock: Clock = {
		now: () => 0,
		after(_, wake) {
			timers.push(wake);
			return () => {
				timers = timers.filter((other) => other !== wake);
			};
		},
	};
	const still: Clock = { now: () => 0, after: () => () => undefined };
	const store = createStore(viewOf(), createPerson(40), still);
	const questions = createOwnQuestions(store, clock);
	const picked = questions.pick("Session", ITEMS, { search, ...(query === undefined ? {} : { query }) });
	return {
		questions,
		picked,
		matches: () => store.person().list?.picker.matches.map(({ id }) => id),
		/** Lets the time that is waited for pass, and what follows from it happen. */
		async pass() {
			for (const wake of timers.splice(0)) wake();
			await new Promise<void>((resolve) => setImmediate(resolve));
		},
	};
}

describe("pick with a search", () => {
	it("looks for the last text that was typed, once nobody types, and shows what it finds", async () => {
		const asked: string[] = [];
		const list = openList(async (query) => {
			asked.push(query);
			return FOUND;
		}, "le");
		list.questions.search("lex");
		list.questions.search("le");
		await list.pass();
		expect(asked).toEqual(["le"]);
		expect(list.matches()).toEqual(["2"]);
	});

	it("looks for nothing below two letters, nor once the list is closed", async () => {
		const asked: string[] = [];
		const list = openList(async (query) => {
			asked.push(query);
			return FOUND;
		});
		list.questions.search(" l ");
		await list.pass();
		list.questions.search("lexer");
		list.questions.picked(undefined);
		await list.pass();
		expect(await list.picked).toBeUndefined();
		expect(asked).toEqual([]);
	});

	it("keeps the list as it is where the search fails", async () => {
		const list = openList(async () => {
			throw new Error("no index");
		}, "parser");
		await list.pass();
		expect(list.matches()).toEqual(["1"]);
	});
});
