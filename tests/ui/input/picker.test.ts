import { describe, expect, it } from "vitest";
import {
	openPicker,
	type PickerAction,
	type PickerState,
	updatePicker,
	visibleItems,
	withFound,
} from "../../../src/ui/input/picker.ts";

const ITEMS = [
	{ id: "1", label: "Fix the parser", detail: "today" },
	{ id: "2", label: "Write the docs", detail: "yesterday" },
	{ id: "3", label: "Parser tests" },
];

const insert = (text: string): PickerAction => ({ do: "edit", edit: { type: "insert", text } });

function stateAfter(actions: PickerAction[], state: PickerState = openPicker(ITEMS)): PickerState {
	return actions.reduce((now, action) => updatePicker(now, action).state, state);
}

const ids = (state: PickerState) => state.matches.map((item) => item.id).join("");

describe("withFound", () => {
	const found = [
		{ id: "9", label: "Older", detail: "… the parser said …" },
		{ id: "3", label: "Parser tests" },
	];

	it("puts what was found elsewhere behind the list's own matches, each once", () => {
		const state = withFound(stateAfter([insert("parser"), { do: "move", by: 1 }]), "parser", found);
		expect(ids(state)).toBe("139");
		expect(state.selected).toBe(1);
		expect(updatePicker(state, { do: "move", by: 1 }).state.selected).toBe(2);
	});

	it("changes nothing where something else is typed by now", () => {
		const state = stateAfter([insert("docs")]);
		expect(withFound(state, "parser", found)).toBe(state);
	});
});

describe("updatePicker", () => {
	it("keeps items that hold every word, in any letter case, in label or detail", () => {
		expect(ids(stateAfter([insert("pars")]))).toBe("13");
		expect(ids(stateAfter([insert("the YESTER")]))).toBe("2");
		expect(ids(stateAfter([insert("x"), { do: "edit", edit: { type: "backspace" } }]))).toBe("123");
	});

	it("stops at both ends", () => {
		expect(stateAfter([{ do: "move", by: -1 }]).selected).toBe(0);
		expect(stateAfter([{ do: "move", by: 10 }]).selected).toBe(2);
		expect(stateAfter([insert("none"), { do: "move", by: 1 }]).selected).toBe(0);
	});

	it("picks the marked item", () => {
		const step = updatePicker(stateAfter([insert("parser"), { do: "move", by: 1 }]), { do: "accept" });
		expect(step).toMatchObject({ closed: true, picked: { id: "3" } });
	});

	it("stays open where nothing matches, and closes on cancel with nothing picked", () => {
		expect(updatePicker(stateAfter([insert("none")]), { do: "accept" }).closed).toBe(false);
		const step = updatePicker(openPicker(ITEMS), { do: "cancel" });
		expect(step).toMatchObject({ closed: true });
		expect(step.picked).toBeUndefined();
	});

	it("takes a paste as one line", () => {
		const big = `the\n${"\n".repeat(30)}docs`;
		expect(ids(stateAfter([{ do: "edit", edit: { type: "paste", text: big } }]))).toBe("2");
	});
});

describe("openPicker", () => {
	it("begins with a query", () => {
		expect(ids(openPicker(ITEMS, "docs"))).toBe("2");
	});
});

describe("visibleItems", () => {
	it("keeps the marked item in sight", () => {
		const many = openPicker(Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, label: `n${i}` })));
		for (const selected of [0, 1, 14, 28, 29]) {
			const { from, items } = visibleItems({ ...many, selected }, 5);
			expect(items).toHaveLength(5);
			expect(items[selected - from]!.id).toBe(`${selected}`);
		}
		expect(visibleItems(openPicker([]), 5)).toEqual({ from: 0, items: [] });
	});
});
