import { describe, expect, it } from "vitest";
import type { OpenPrompt } from "../../../src/rpc/protocol.ts";
import type { ApprovalPrompt } from "../../../src/session/live.ts";
import {
	amendDialog,
	claimDialog,
	DIALOG_GRACE_MS,
	type DialogAction,
	type DialogState,
	dialogHint,
	dialogTakesKeys,
	followDraft,
	openDialog,
	updateDialog,
} from "../../../src/ui/input/dialog.ts";

function approval(change: Partial<ApprovalPrompt> = {}): OpenPrompt {
	const args = { command: "touch x" };
	const prompt = {
		callId: "c1",
		toolName: "runCommand",
		args,
		agent: "agi",
		reason: "It writes.",
		grantable: true,
	};
	return { kind: "approval", prompt: { ...prompt, ...change } };
}

function question(options: string[] = [], secret = false): OpenPrompt {
	return { kind: "question", prompt: { callId: "q1", question: "Which?", options, secret } };
}

/** Opened at 0 without a draft. */
const opened = (prompt: OpenPrompt = approval()) => openDialog(prompt, false, 0);

const LATER = DIALOG_GRACE_MS;
const accept: DialogAction = { do: "accept" };
const cancel: DialogAction = { do: "cancel" };
const words = (text: string): DialogAction => ({ do: "edit", edit: { type: "insert", text } });

/** The last step of several actions, all after the grace time. */
function stepAfter(state: DialogState, ...actions: DialogAction[]) {
	let step = updateDialog(state, actions[0]!, LATER);
	for (const action of actions.slice(1)) step = updateDialog(step.state, action, LATER);
	return step;
}

const answerTo = (answer: string, said?: string) => ({
	do: "answerApproval",
	callId: "c1",
	answer,
	...(said === undefined ? {} : { words: said }),
});

describe("updateDialog", () => {
	describe("for an approval", () => {
		it.each<[string, DialogAction[], object]>([
			["Enter, as Yes is marked", [accept], answerTo("yes")],
			["the digit 1", [{ do: "choose", index: 0 }], answerTo("yes")],
			["the digit 2", [{ do: "choose", index: 1 }], answerTo("yes_session")],
			["one down and Enter", [{ do: "move", by: 1 }, accept], answerTo("yes_session")],
			["Escape", [cancel], answerTo("no")],
			["No without words", [{ do: "choose", index: 2 }, accept], answerTo("no")],
			[
				"No with words",
				[{ do: "choose", index: 2 }, words("use "), words("tests"), accept],
				answerTo("no", "use tests"),
			],
			[
				"n, Enter and words",
				[{ do: "mark", yes: false }, accept, words("stop"), accept],
				answerTo("no", "stop"),
			],
			[
				"n, then y and Enter",
				[{ do: "mark", yes: false }, { do: "mark", yes: true }, accept],
				answerTo("yes"),
			],
			[
				"Escape twice from the words",
				[{ do: "choose", index: 2 }, words("x"), cancel, cancel],
				answerTo("no"),
			],
			["far up and Enter", [{ do: "move", by: -9 }, accept], answerTo("yes")],
		])("answers by %s", (_, actions, request) => {
			expect(stepAfter(opened(), ...actions).request).toEqual(request);
		});

		it("only marks by y and n", () => {
			expect(stepAfter(opened(), { do: "mark", yes: true }).request).toBeUndefined();
			expect(stepAfter(opened(), { do: "mark", yes: false }).request).toBeUndefined();
		});

		it("offers the session's Yes only where it may be given", () => {
			expect(opened().options.map((option) => option.choice)).toEqual(["yes", "yes_session", "words"]);
			expect(opened(approval({ grantable: false })).options.map((option) => option.choice)).toEqual([
				"yes",
				"words",
			]);
		});

		it.each([{ grantable: false }, { toolName: "webFetch" }])("marks No at first for %o", (change) => {
			const state = opened(approval(change));
			expect(stepAfter(state, accept, accept).request).toEqual(answerTo("no"));
			expect(stepAfter(state, { do: "choose", index: 0 }).request).toBeUndefined();
			expect(stepAfter(state, { do: "choose", index: 0 }, accept).request).toEqual(answerTo("yes"));
			expect(stepAfter(state, { do: "mark", yes: true }, accept).request).toEqual(answerTo("yes"));
		});

		it("ignores a digit without an option", () => {
			expect(stepAfter(opened(), { do: "choose", index: 7 })).toEqual({ state: opened() });
		});

		it("takes digits and letters as words once words are asked for", () => {
			const typing = stepAfter(opened(), { do: "choose", index: 2 }).state;
			expect(
				stepAfter(typing, { do: "choose", index: 0 }, { do: "mark", yes: true }, { do: "move", by: -1 })
					.state,
			).toEqual(typing);
		});
	});

	describe("for a question", () => {
		it("answers with an option", () => {
			const request = { do: "answerQuestion", callId: "q1", answer: "blue" };
			expect(stepAfter(opened(question(["red", "blue"])), { do: "choose", index: 1 }).request).toEqual(
				request,
			);
		});

		it("answers with words of the person's own", () => {
			const steps: DialogAction[] = [{ do: "choose", index: 2 }, words("green"), accept];
			expect(stepAfter(opened(question(["red", "blue"])), ...steps).request).toMatchObject({
				answer: "green",
			});
		});

		it("has no field where only its options are answers", () => {
			const { kind, prompt } = question(["red", "blue"]);
			const only = { kind, prompt: { ...prompt, freeText: false } } as OpenPrompt;
			expect(opened(only).options.map(({ label }) => label)).toEqual(["red", "blue"]);
		});

		it("is a field alone where it has no options, and wants a text", () => {
			const state = opened(question());
			expect(stepAfter(state, accept).request).toBeUndefined();
			expect(stepAfter(state, words("x"), accept).request).toMatchObject({ answer: "x" });
		});

		it("gives no answer by Escape", () => {
			expect(stepAfter(opened(question()), cancel).request).toEqual({ do: "answerQuestion", callId: "q1" });
			expect(stepAfter(opened(question(["a"])), cancel).request).toEqual({
				do: "answerQuestion",
				callId: "q1",
			});
		});

		it("takes a paste into its field, whole", () => {
			const key = "k".repeat(2_000);
			const state = opened(question([], true));
			expect(state.isSecret).toBe(true);
			const paste: DialogAction = { do: "edit", edit: { type: "paste", text: key } };
			expect(stepAfter(state, paste, accept).request).toMatchObject({ answer: key });
		});
	});

	const answering: DialogAction[] = [
		accept,
		cancel,
		{ do: "choose", index: 0 },
		{ do: "mark", yes: true },
		words("y"),
	];

	it.each(answering)("does nothing within the first half second for %o", (action) => {
		const state = opened();
		expect(updateDialog(state, action, LATER - 1)).toEqual({ state });
	});

	it.each(answering)("does nothing while the prompt line holds a draft for %o", (action) => {
		const state = openDialog(approval(), true, 0);
		expect(updateDialog(state, action, 60_000)).toEqual({ state });
	});

	it("gives typed and pasted text to the prompt line, which then has the keys", () => {
		const pasted: DialogAction = { do: "edit", edit: { type: "paste", text: "1\n" } };
		for (const action of [words("hello"), pasted]) {
			const step = stepAfter(opened(), action);
			expect(step.request).toBeUndefined();
			expect(step.draft).toEqual(action.do === "edit" ? action.edit : undefined);
			expect(dialogTakesKeys(step.state, 60_000)).toBe(false);
		}
	});
});

describe("updateDialog for a write in parts", () => {
	const write = approval({ toolName: "writeFile", hunks: 3, proposal: "new text\n" });
	const mark = (by: number): DialogAction => ({ do: "markPart", by });
	const toggle: DialogAction = { do: "togglePart" };
	const labels = ({ options }: DialogState) => options.map(({ label }) => label);

	it("answers with the parts that are left, and with none named where all are", () => {
		const refused = stepAfter(opened(write), mark(1), toggle, accept);
		expect(refused.request).toEqual({ ...answerTo("yes"), hunks: [0, 2] });
		const takenAgain = stepAfter(opened(write), mark(1), toggle, toggle, accept);
		expect(takenAgain.request).toEqual(answerTo("yes"));
		const none = stepAfter(opened(write), toggle, mark(-1), toggle, mark(-1), toggle, accept);
		expect(none.request).toEqual({ ...answerTo("yes"), hunks: [] });
	});

	it("offers no lasting yes for what is taken in part, and all answers again for the whole", () => {
		const inPart = stepAfter(opened(write), { do: "move", by: 1 }, toggle).state;
		expect(labels(inPart)).toEqual(["Yes, write 2 of its 3 parts", "No, and tell agi what to do instead"]);
		expect(labels(stepAfter(inPart, toggle).state)).toEqual(labels(opened(write)));
	});

	it("says no to all of it, whatever parts were taken", () => {
		expect(stepAfter(opened(write), toggle, cancel).request).toEqual(answerTo("no"));
	});

	it("has no parts where there is one", () => {
		const single = opened(approval({ hunks: 1 }));
		expect(stepAfter(single, toggle, accept).request).toEqual(answerTo("yes"));
	});

	it("answers with the person's text, after another half second, and without parts", () => {
		const inPart = stepAfter(opened(write), toggle).state;
		const amended = amendDialog(inPart, "my text\n", 9_000);
		expect(labels(amended)[0]).toBe("Yes, write my text instead");
		expect(dialogTakesKeys(amended, 9_000 + LATER - 1)).toBe(false);
		const step = updateDialog(amended, accept, 9_000 + LATER);
		expect(step.request).toEqual({ ...answerTo("yes"), amended: "my text\n" });
	});

	it("takes a text that is the proposal for no change", () => {
		const same = amendDialog(opened(write), "new text\n", 0);
		expect(stepAfter(same, accept).request).toEqual(answerTo("yes"));
	});

	it("keeps No marked where yes must be marked first", () => {
		const guarded = opened(approval({ hunks: 2, guarded: true }));
		const step = stepAfter(guarded, toggle);
		expect(step.state.selected).toBe(1);
		expect(stepAfter(step.state, { do: "mark", yes: true }, accept).request).toEqual({
			...answerTo("yes"),
			hunks: [1],
		});
	});
});

describe("dialogTakesKeys", () => {
	it("begins half a second after the dialog opened", () => {
		expect(dialogTakesKeys(opened(), LATER - 1)).toBe(false);
		expect(dialogTakesKeys(opened(), LATER)).toBe(true);
	});

	it("begins half a second after the draft was sent or cleared", () => {
		const drafted = followDraft(opened(), true, 300);
		expect(dialogTakesKeys(drafted, 5_000)).toBe(false);
		const cleared = followDraft(drafted, false, 6_000);
		expect(dialogTakesKeys(cleared, 6_000 + LATER - 1)).toBe(false);
		expect(dialogTakesKeys(cleared, 6_000 + LATER)).toBe(true);
		expect(followDraft(cleared, false, 9_000)).toEqual(cleared);
	});

	it("begins half a second after Tab, and the draft stays without taking the keys back", () => {
		const claimed = claimDialog(openDialog(approval(), true, 0), 2_000);
		expect(dialogTakesKeys(followDraft(claimed, true, 2_100), 2_000 + LATER)).toBe(true);
		expect(updateDialog(claimed, accept, 2_100).request).toBeUndefined();
	});

	it("ends where the person types after Tab", () => {
		const claimed = claimDialog(openDialog(approval(), true, 0), 0);
		expect(dialogTakesKeys(stepAfter(claimed, words("more")).state, 60_000)).toBe(false);
	});
});

describe("dialogHint", () => {
	it("says how to reach the dialog while there is a draft", () => {
		expect(dialogHint(openDialog(approval(), true, 0))).toBe(
			"finish or clear your draft first, or Tab to answer",
		);
	});

	it("tells guarded, plain and typing dialogs apart", () => {
		const guarded = opened(approval({ grantable: false }));
		const hints = [
			opened(),
			guarded,
			stepAfter(opened(), { do: "choose", index: 2 }).state,
			opened(question()),
		];
		expect(new Set(hints.map(dialogHint)).size).toBe(4);
		expect(dialogHint(guarded)).toContain("y and then Enter");
	});

	it("names the keys for parts and for the text where there are such", () => {
		expect(dialogHint(opened(approval({ hunks: 2, proposal: "x" })))).toMatch(/^Tab: .*Space: .*e: /);
		expect(dialogHint(opened(approval({ hunks: 1, proposal: "x" })))).toMatch(/^e: /);
	});
});
