import { describe, expect, it } from "vitest";
import type { OpenPrompt } from "../../src/rpc/protocol.ts";
import { type Key, namedKey, textKey } from "../../src/ui/input/key.ts";
import {
	changeDraft,
	focusOf,
	meetAmended,
	meetFound,
	meetPrompts,
	pressKey,
	showList,
} from "../../src/ui/person.ts";
import {
	createPerson,
	OWN_QUESTION,
	type PersonEffect,
	type PersonFacts,
	type PersonState,
} from "../../src/ui/personState.ts";
import { submitNamed } from "../../src/ui/submission.ts";

const FACTS: PersonFacts = {
	now: 10_000,
	working: false,
	mode: "default",
	planWaits: false,
	unfinished: false,
	queue: [],
};
const ENTER = namedKey("return");
const ESCAPE = namedKey("escape");
const CTRL_C = textKey("c", { ctrl: true });
const TAB = namedKey("tab");

/** The person's side after all keys, and everything they asked for. */
function press(state: PersonState, keys: readonly (Key | string)[], facts: Partial<PersonFacts> = {}) {
	const effects: PersonEffect[] = [];
	let next = state;
	for (const key of keys) {
		const step = pressKey(next, typeof key === "string" ? textKey(key) : key, { ...FACTS, ...facts });
		next = step.state;
		effects.push(...step.effects);
	}
	return { state: next, effects };
}

const person = () => createPerson(40);
const submitted = (text: string, target: string) => [
	{ do: "show", event: { kind: "sent" } },
	{ do: "send", request: { do: "submit", text, target }, draft: text },
];

function approval(callId = "call-1"): OpenPrompt {
	const prompt = { callId, toolName: "writeFile", args: {}, agent: "agi", reason: "why", grantable: true };
	return { kind: "approval", prompt };
}

describe("pressKey", () => {
	it("sends a message at Enter and remembers it", () => {
		const { state, effects } = press(person(), ["hello", ENTER]);
		expect(effects).toEqual(submitted("hello", "next_turn"));
		expect(state.editor).toMatchObject({ text: "", history: ["hello"] });
	});

	it("steers a running turn at Enter and waits for the next one at Tab", () => {
		const working = { working: true };
		expect(press(person(), ["more", ENTER], working).effects).toEqual(submitted("more", "next_step"));
		expect(press(person(), ["later", TAB], working).effects).toEqual(submitted("later", "next_turn"));
	});

	it("makes a new line of a backslash before Enter", () => {
		const { state, effects } = press(person(), ["one\\", ENTER, "two"]);
		expect(effects).toEqual([]);
		expect(state.editor.text).toBe("one\ntwo");
	});

	it("goes on with what a dead process left at Enter on an empty line, and only then", () => {
		const goOn = { do: "send", request: { do: "goOn" } };
		expect(press(person(), [ENTER], { unfinished: true }).effects).toContainEqual(goOn);
		expect(press(person(), [ENTER]).effects).toEqual([]);
		expect(press(person(), [ENTER], { unfinished: true, working: true }).effects).toEqual([]);
	});

	it("sends what waits in the queue at Enter on an empty line, unless a turn runs", () => {
		const queue = [{ messageId: "m1", rawText: "later", target: "next_turn" as const }];
		const goOn = { do: "send", request: { do: "goOn" } };
		expect(press(person(), [ENTER], { queue }).effects).toContainEqual(goOn);
		expect(press(person(), [ENTER], { queue, working: true }).effects).toEqual([]);
	});

	it("leaves at the second Ctrl+C on an empty line, where it comes soon", () => {
		const first = press(person(), [CTRL_C]);
		expect(first.effects).toEqual([
			{ do: "show", event: { kind: "notice", text: "Press Ctrl+C again to leave agi.", forMs: 2000 } },
		]);
		expect(press(first.state, [CTRL_C]).effects).toEqual([{ do: "exit" }]);
		expect(press(first.state, [CTRL_C], { now: 13_000 }).effects).not.toContainEqual({ do: "exit" });
		expect(press(first.state, ["x", CTRL_C, CTRL_C]).effects).not.toContainEqual({ do: "exit" });
	});

	it("interrupts at Escape and Ctrl+C while a turn runs, and keeps the draft", () => {
		for (const key of [ESCAPE, CTRL_C]) {
			const { state, effects } = press(person(), ["draft", key], { working: true });
			expect(effects).toEqual([{ do: "send", request: { do: "interrupt" } }]);
			expect(state.editor.text).toBe("draft");
		}
	});

	it("goes back in time at Escape twice on an empty line, not on a draft and not slowly", () => {
		expect(press(person(), [ESCAPE, ESCAPE]).effects).toEqual([{ do: "rewind" }]);
		expect(press(person(), ["x", ESCAPE, ESCAPE]).effects).toEqual([]);
		const first = press(person(), [ESCAPE]).state;
		expect(press(first, [ESCAPE], { now: 11_000 }).effects).toEqual([]);
	});

	it.each([
		["default", "acceptEdits"],
		["acceptEdits", "plan"],
		["plan", "default"],
		["bypassPermissions", "default"],
	] as const)("goes from %s to %s at Shift+Tab", (mode, next) => {
		const key = namedKey("tab", { shift: true });
		expect(press(person(), [key], { mode }).effects).toEqual([
			{ do: "send", request: { do: "changeMode", mode: next } },
		]);
	});

	it("takes approve and e as words of a plan only where one waits", () => {
		expect(press(person(), ["approve", ENTER]).effects).toEqual(submitted("approve", "next_turn"));
		const waits = { planWaits: true };
		expect(press(person(), ["Approve", ENTER], waits).effects).toEqual([
			{ do: "command", name: "approve", argument: "" },
		]);
		expect(press(person(), ["e", ENTER], waits).effects).toEqual([{ do: "editPlan" }]);
		expect(press(person(), ["e", ENTER]).effects).toEqual(submitted("e", "next_turn"));
	});

	it("runs commands by name or alias, and a shell command", () => {
		expect(press(person(), ["/rename my work", ENTER]).effects).toEqual([
			{ do: "show", event: { kind: "print", text: "/rename my work", as: "command" } },
			{ do: "command", name: "rename", argument: "my work" },
		]);
		expect(press(person(), ["/quit", ENTER]).effects).toEqual([
			{ do: "show", event: { kind: "print", text: "/exit", as: "command" } },
			{ do: "command", name: "exit", argument: "" },
		]);
		expect(press(person(), ["!ls -l", ENTER]).effects).toEqual([
			{ do: "send", request: { do: "shell", command: "ls -l" }, draft: "!ls -l" },
		]);
	});

	it("keeps an unknown command in the line and suggests", () => {
		const { state, effects } = press({ ...person(), skills: [] }, ["/modle", ENTER]);
		expect(state.editor.text).toBe("/modle");
		expect(effects).toEqual([
			{ do: "show", event: { kind: "notice", text: "There is no command /modle. Did you mean /model?" } },
		]);
	});

	it("sends a name that may be a skill's before the skills are known, and then says whether it is one", () => {
		const { state, effects } = press(person(), ["/cook soup ", ENTER]);
		expect(state.editor.text).toBe("");
		expect(effects).toEqual([{ do: "sendNamed", text: "/cook soup " }]);
		const skills = [{ name: "cook", description: "cooks" }];
		expect(submitNamed("/cook soup ", skills, FACTS)).toEqual({
			effects: [
				{ do: "show", event: { kind: "sent" } },
				{
					do: "send",
					request: { do: "submit", text: "/cook soup", target: "next_turn" },
					draft: "/cook soup ",
				},
			],
		});
		expect(submitNamed("/modle", skills, FACTS)).toEqual({
			effects: [],
			refusal: "There is no command /modle. Did you mean /model?",
		});
	});

	it("sends a skill's name as a message, and says of one after two slashes that it starts none", () => {
		const withSkill = { ...person(), skills: [{ name: "cook", description: "cooks" }] };
		expect(press(withSkill, ["/cook soup ", ENTER]).effects).toEqual([
			{ do: "show", event: { kind: "sent" } },
			{
				do: "send",
				request: { do: "submit", text: "/cook soup", target: "next_turn" },
				draft: "/cook soup ",
			},
		]);
		expect(press(withSkill, ["//cook soup", ENTER]).effects[1]).toMatchObject({
			request: { text: "/cook soup", startsSkills: false },
		});
	});

	it("sends the images of a message that was taken back with its text, once, where it still names them", () => {
		const carried = ["image 1", "image 2"].map((source) => ({
			kind: "image" as const,
			source,
			text: "",
			cut: false,
			digest: source,
		}));
		const step = press({ ...person(), carried }, ["see [image 2]", ENTER, "again", ENTER]);
		const requests = step.effects.flatMap((effect) => (effect.do === "send" ? [effect.request] : []));
		expect(requests).toEqual([
			{ do: "submit", text: "see [image 2]", target: "next_turn", images: [carried[1]] },
			{ do: "submit", text: "again", target: "next_turn" },
		]);
	});

	it("asks for files as the word after @ grows, once for each", () => {
		expect(press(person(), ["see @", "a", "b", namedKey("left"), namedKey("right")]).effects).toEqual(
			["", "a", "ab", "a", "ab"].map((query) => ({ do: "findFiles", query })),
		);
	});

	it("leaves the arrows to the history where a recalled message looks like a command", () => {
		const told = changeDraft(person(), { type: "loadHistory", entries: ["/model", "older"] }, 0);
		const { state } = press(told, [namedKey("up"), namedKey("up")]);
		expect(state.editor.text).toBe("older");
	});

	describe("with messages that wait", () => {
		const queue = ["1", "2", "3"].map((messageId) => ({
			messageId,
			rawText: `text ${messageId}`,
			target: "next_turn" as const,
		}));
		const [up, down] = [namedKey("up"), namedKey("down")];
		const [altUp, altDown] = [namedKey("up", { alt: true }), namedKey("down", { alt: true })];
		const altQ = textKey("q", { alt: true });
		const inQueue = (keys: readonly (Key | string)[]) => press(person(), keys, { queue, working: true });

		it("gives the newest one back at Alt+Up", () => {
			expect(inQueue([altUp]).effects).toEqual([{ do: "recall", message: queue[2] }]);
		});

		it("marks one with Alt+Q and the arrows, and gives that one back at Enter", () => {
			const { state, effects } = inQueue([altQ, up, up, up, down, ENTER]);
			expect(effects).toEqual([{ do: "recall", message: queue[1] }]);
			expect(state.marked).toBeUndefined();
		});

		it("moves the marked one with Alt and the arrows and keeps the mark on it", () => {
			const { state, effects } = inQueue([altQ, up, altUp, altDown]);
			const move = (by: number) => ({ do: "send", request: { do: "moveInput", messageId: "2", by } });
			expect(effects).toEqual([move(-1), move(1)]);
			expect(state.marked).toBe("2");
		});

		it("deletes the marked one and marks its neighbour", () => {
			const { state, effects } = inQueue([altQ, namedKey("delete")]);
			expect(effects).toEqual([{ do: "send", request: { do: "cancelInput", messageIds: ["3"] } }]);
			expect(state.marked).toBe("2");
		});

		it("goes back to the prompt line at Esc, which stops nothing, and with any letter", () => {
			expect(inQueue([altQ, ESCAPE])).toMatchObject({ state: { marked: undefined }, effects: [] });
			expect(inQueue([altQ, "d"]).state).toMatchObject({ marked: undefined, editor: { text: "d" } });
		});

		it("does nothing with a key for a message that has just left", () => {
			const marked = inQueue([altQ]).state;
			const left = press(marked, [namedKey("delete")], { queue: queue.slice(0, 2) });
			expect(left.state.marked).toBeUndefined();
			expect(left.effects).toMatchObject([{ do: "show", event: { kind: "notice" } }]);
		});
	});

	it("closes the help with any key, which still does what it does", () => {
		const helped = press(person(), ["?"]).state;
		expect(helped.help).toBe(true);
		expect(press(helped, ["x"]).state).toMatchObject({ help: false, editor: { text: "x" } });
		expect(press(helped, [ESCAPE]).state.help).toBe(false);
	});
});

describe("meetPrompts", () => {
	it("opens the first question; its keys count from half a second on", () => {
		const met = meetPrompts(person(), [approval()], 10_000);
		expect(focusOf(met, 10_499)).toBe("editor");
		expect(focusOf(met, 10_500)).toBe("choice");
		const early = press(met, [ENTER, "y"], { now: 10_100, working: true });
		expect(early.effects).toEqual([]);
		expect(early.state.editor.text).toBe("y");
		const late = press(met, [ENTER], { now: 10_600, working: true });
		expect(late.effects).toEqual([
			{ do: "send", request: { do: "answerApproval", callId: "call-1", answer: "yes" } },
		]);
	});

	it("is answered once: a second Enter meets the next question's own first moment", () => {
		const met = meetPrompts(person(), [approval("call-1"), approval("call-2")], 10_000);
		const { state, effects } = press(met, [ENTER, ENTER], { now: 10_600, working: true });
		expect(effects).toHaveLength(1);
		expect(state.dialog?.open.prompt.callId).toBe("call-2");
		const stale = meetPrompts(
			press(meetPrompts(person(), [approval()], 0), [ENTER]).state,
			[approval()],
			10_700,
		);
		expect(stale.dialog).toBeUndefined();
	});

	it("leaves the keys to a draft, and to a list that is open, until they are gone", () => {
		const drafting = meetPrompts(press(person(), ["dra"]).state, [approval()], 10_000);
		expect(focusOf(drafting, 60_000)).toBe("editor");
		const cleared = press(drafting, [namedKey("backspace"), namedKey("backspace"), namedKey("backspace")], {
			now: 60_000,
		});
		expect(focusOf(cleared.state, 60_499)).toBe("editor");
		expect(focusOf(cleared.state, 60_500)).toBe("choice");
		const listed = meetPrompts(showList(person(), "Model", [{ id: "a", label: "a" }]), [approval()], 10_000);
		const picked = press(listed, [ENTER], { now: 60_000 });
		expect(picked.effects).toEqual([{ do: "picked", item: { id: "a", label: "a" } }]);
		expect(press(picked.state, [ENTER], { now: 60_100 }).effects).toEqual([]);
	});

	it("asks to look elsewhere for what is typed in a list that says so, not for other keys", () => {
		const items = [{ id: "a", label: "a" }];
		const listed = showList(person(), "Session", items, { searches: true });
		const { state, effects } = press(listed, ["x", "y", namedKey("down"), namedKey("left")]);
		expect(effects).toEqual([
			{ do: "searchList", query: "x" },
			{ do: "searchList", query: "xy" },
		]);
		const met = meetFound(state, "xy", [{ id: "b", label: "b" }]);
		expect(press(met, [ENTER]).effects).toEqual([{ do: "picked", item: { id: "b", label: "b" } }]);
		const other = showList(person(), "Model", items);
		expect(press(other, ["x"]).effects).toEqual([]);
		expect(meetFound(other, "", items)).toBe(other);
		expect(meetFound(person(), "", items)).toMatchObject({ list: undefined });
	});

	it("is never answered by a paste", () => {
		const met = meetPrompts(person(), [approval()], 0);
		const { state, effects } = press(met, [{ ...namedKey("paste"), text: "y\n" }]);
		expect(effects).toEqual([]);
		expect(state.editor.text).toBe("y\n");
	});

	it("gives questions of the screen itself the keys at once, and Ctrl+C drops them", () => {
		const callId = `${OWN_QUESTION}1`;
		const own: OpenPrompt = {
			kind: "question",
			prompt: { callId, question: "Key?", options: [], secret: true },
		};
		const met = meetPrompts(person(), [own], 10_000);
		expect(press(met, ["key", ENTER]).effects).toEqual([
			{ do: "send", request: { do: "answerQuestion", callId, answer: "key" } },
		]);
		expect(press(met, [CTRL_C], { working: true }).effects).toEqual([
			{ do: "send", request: { do: "answerQuestion", callId } },
		]);
	});
});

describe("meetAmended", () => {
	const args = { path: "src/a.ts" };
	const prompt = {
		callId: "call-1",
		toolName: "writeFile",
		args,
		agent: "agi",
		reason: "why",
		grantable: true,
	};
	const asked = meetPrompts(person(), [{ kind: "approval", prompt: { ...prompt, proposal: "new\n" } }], 0);

	it("brings the text that e sent to the editor into the answer", () => {
		const { state, effects } = press(asked, ["e"]);
		expect(effects).toEqual([{ do: "amend", callId: "call-1", text: "new\n", path: "src/a.ts" }]);
		const amended = meetAmended(state, "call-1", "mine\n", 0);
		expect(press(amended, [ENTER]).effects).toEqual([
			{
				do: "send",
				request: { do: "answerApproval", callId: "call-1", answer: "yes", amended: "mine\n" },
			},
		]);
	});

	it("changes nothing where that question is no longer open", () => {
		expect(meetAmended(asked, "call-0", "mine\n", 0)).toBe(asked);
	});
});
