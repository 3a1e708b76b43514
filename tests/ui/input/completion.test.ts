import { describe, expect, it } from "vitest";
import {
	acceptCompletion,
	type CompletionState,
	dismissCompletion,
	isCompletionOpen,
	moveCompletion,
	trackCompletion,
	withFiles,
} from "../../../src/ui/input/completion.ts";
import { editEditor } from "../../../src/ui/input/editor.ts";
import { createEditor, type EditorState } from "../../../src/ui/input/editorState.ts";
import { SLASH_COMMANDS } from "../../../src/ui/input/slashCommands.ts";

function typed(text: string): EditorState {
	return editEditor(createEditor(), { type: "insert", text });
}

function track(text: string, previous?: CompletionState): CompletionState | undefined {
	return trackCompletion(previous, typed(text));
}

/** The text after the marked entry was accepted. */
function accepted(text: string, paths: string[] = [], by = 0): string {
	const state = track(text)!;
	const { edit } = acceptCompletion(
		moveCompletion(
			withFiles(
				state,
				state.query,
				paths.map((path) => ({ path })),
			),
			by,
		),
	)!;
	return editEditor(typed(text), edit).text;
}

const labels = (state: CompletionState | undefined) => state?.items.map((item) => item.label);

describe("trackCompletion", () => {
	it("offers every command after a slash", () => {
		expect(labels(track("/"))).toHaveLength(SLASH_COMMANDS.length);
	});

	it("puts names before aliases before names that hold the letters", () => {
		expect(labels(track("/co"))).toEqual(["/cost", "/context", "/compact", "/copy", "/resume"]);
		expect(labels(track("/qui"))).toEqual(["/exit"]);
		expect(labels(track("/STAT"))).toEqual(["/status", "/cost"]);
	});

	it("offers skills behind the commands, save those that bear a command's name", () => {
		const skills = ["cost", "to-cover", "cook"].map((name) => ({ name, description: `does ${name}` }));
		expect(labels(trackCompletion(undefined, typed("/co"), skills))?.slice(4)).toEqual([
			"/resume",
			"/cook",
			"/to-cover",
		]);
		expect(trackCompletion(undefined, typed("/cook"), skills)?.items).toEqual([
			{ label: "/cook", detail: "does cook", insert: "/cook " },
		]);
	});

	it.each(["", "x /help", "/plan x", "//x", "/usr/b", "mail@host", "a.b@host", "see @a b", '@"a b" c'])(
		"stays away for %j",
		(text) => {
			expect(isCompletionOpen(track(text))).toBe(false);
		},
	);

	it.each([
		["@", "", 0],
		["see @src/ma", "src/ma", 4],
		["(@x", "x", 1],
		["看@src", "src", 1],
		['see @"my fi', "my fi", 4],
		["one\n@two", "two", 4],
	])("asks for files for %j", (text, query, from) => {
		expect(track(text)).toMatchObject({ kind: "file", query, from, to: text.length, items: [] });
	});

	it("keeps the entries of a file's word until new ones come, and takes no late ones", () => {
		const first = withFiles(track("@a")!, "a", [{ path: "a.ts" }, { path: "b/a.ts" }]);
		const next = track("@ab", first)!;
		expect(labels(next)).toEqual(["a.ts", "b/a.ts"]);
		expect(labels(withFiles(next, "a", [{ path: "late.ts" }]))).toEqual(["a.ts", "b/a.ts"]);
		expect(labels(withFiles(next, "ab", [{ path: "ab.ts" }]))).toEqual(["ab.ts"]);
	});

	it("keeps the mark while the word is the same", () => {
		expect(track("/co", moveCompletion(track("/co")!, 2))).toMatchObject({ selected: 2 });
	});

	it("stays dismissed until another word is begun", () => {
		const dismissed = dismissCompletion(track("/co")!);
		expect(isCompletionOpen(dismissed)).toBe(false);
		expect(isCompletionOpen(track("/cop", dismissed))).toBe(false);
		expect(isCompletionOpen(track("/", track("hello", dismissed)))).toBe(true);
	});
});

describe("moveCompletion", () => {
	it("goes round at both ends", () => {
		const state = track("/co")!;
		expect(moveCompletion(state, -1).selected).toBe(4);
		expect(moveCompletion(moveCompletion(state, -1), 1).selected).toBe(0);
		expect(moveCompletion(state, -11).selected).toBe(4);
	});
});

describe("acceptCompletion", () => {
	it.each([
		["/co", [], 0, "/cost"],
		["/pl", [], 0, "/plan "],
		["see @ma", ["src/main.ts"], 0, "see @src/main.ts "],
		["see @ma", ["a", "b"], 1, "see @b "],
		["@m", ["my notes.md"], 0, '@"my notes.md" '],
		['@"my no', ["my notes.md"], 0, '@"my notes.md" '],
		["@q", ['a"b.txt'], 0, '@"a\\"b.txt" '],
		["@s", ["src/"], 0, "@src/"],
	])("makes %j with %j, entry %i, to %j", (text, paths, by, after) => {
		expect(accepted(text, paths, by)).toBe(after);
	});

	it("keeps what stands behind the cursor", () => {
		const state = editEditor(editEditor(typed("@ma now"), { type: "home" }), { type: "wordRight" });
		const { edit } = acceptCompletion(
			withFiles(trackCompletion(undefined, state)!, "ma", [{ path: "main.ts" }]),
		)!;
		expect(editEditor(state, edit).text).toBe("@main.ts  now");
	});

	it.each([
		["/stat", true],
		["/quit", true],
		["/pl", false],
		["/plan", true],
	])("says of %s whether it can be sent at once: %s", (text, isWhole) => {
		expect(acceptCompletion(track(text)!)?.isWhole).toBe(isWhole);
	});

	it("completes a skill's name first and sends it once it stands there whole", () => {
		const skills = [{ name: "cook", description: "cooks" }];
		const whole = (text: string) =>
			acceptCompletion(trackCompletion(undefined, typed(text), skills)!)?.isWhole;
		expect([whole("/coo"), whole("/cook")]).toEqual([false, true]);
	});

	it("has nothing to accept where nothing is offered", () => {
		expect(acceptCompletion(track("@x")!)).toBeUndefined();
	});
});
