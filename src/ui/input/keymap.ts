// Which key means what, and where. One table: the program, `?` on the screen and docs/keys.md all read it. Pure; it
// decides nothing about the text or the session.

import type { Edit, PlainEdit } from "./editor.ts";
import { chordOf, type Key } from "./key.ts";

/**
 * Who gets the keys: the prompt line, the prompt line with a palette open, a dialog's options, a dialog's text field, a
 * list with search, the search in earlier messages, the queue of messages.
 */
export type Focus = "editor" | "completion" | "choice" | "field" | "picker" | "historySearch" | "queue";

/** Where a key falls. */
export interface KeyContext {
	focus: Focus;
	/** A turn runs. */
	working: boolean;
	/** The prompt line is empty. */
	empty: boolean;
	/** A dialog waits while the prompt line holds a draft. */
	asks: boolean;
	/** A change is asked about whose parts can be refused one by one. */
	parts?: boolean;
	/** A text is asked about that can be changed. */
	amends?: boolean;
}

/** What a key asks for. Whoever receives it looks at the text (a `\` before Enter, a word such as `exit`). */
export type UiAction =
	| { do: "edit"; edit: Edit }
	/** Send the text: now, or where a turn runs into its next step. */
	| { do: "submit" }
	/** Send the text after the running turn. */
	| { do: "queue" }
	| { do: "complete" }
	/** Put the draft aside and answer the dialog. */
	| { do: "takeFocus" }
	| { do: "move"; by: number }
	/** Take the marked entry; `send`: and send it, where it is whole. */
	| { do: "accept"; send: boolean }
	/** The dialog's option of this number, from 0. */
	| { do: "choose"; index: number }
	/** Mark the dialog's Yes or No. */
	| { do: "mark"; yes: boolean }
	/** Mark another part of the change that is asked about; refuse the marked one or take it again. */
	| { do: "markPart"; by: number }
	| { do: "togglePart" }
	/** Write the proposed text anew in the editor. */
	| { do: "amend" }
	| { do: "cancel" }
	| { do: "interrupt" }
	/** Empty the prompt line; where it is empty, leave at the second time. */
	| { do: "clearOrExit" }
	| { do: "exit" }
	| { do: "cycleMode" }
	| { do: "showKeys" }
	| { do: "redraw" }
	| { do: "unfold" }
	| { do: "togglePlan" }
	| { do: "searchHistory" }
	| { do: "editExternally" }
	| { do: "suspend" }
	/** Take the newest queued message back into the prompt line. */
	| { do: "recallQueued" }
	/** Mark the newest queued message; from then on the queue has the keys. */
	| { do: "markQueue" }
	/** The marked message leaves one place sooner (-1) or later (1). */
	| { do: "moveQueued"; by: -1 | 1 }
	/** The marked message is taken back for good. */
	| { do: "dropQueued" }
	| { do: "focus"; focused: boolean };

/** A row of the key table. Rows are tried from the top; the first that fits wins. */
export interface KeyBinding {
	/** As `chordOf` writes them. */
	chords: readonly string[];
	in: readonly Focus[];
	/** Only then. */
	when?: "working" | "empty" | "asks" | "parts" | "amends";
	action: UiAction;
	/** What it does, for a person; empty where the row above says it for both. */
	does: string;
}

const EVERYWHERE: readonly Focus[] = [
	"editor",
	"completion",
	"choice",
	"field",
	"picker",
	"historySearch",
	"queue",
];
const PROMPT: readonly Focus[] = ["editor", "completion"];
const DIALOG: readonly Focus[] = ["choice", "field"];
const LISTS: readonly Focus[] = ["completion", "choice", "picker", "historySearch"];
const SEARCHES: readonly Focus[] = ["picker", "historySearch"];
const LINES: readonly Focus[] = ["editor", "completion", "field"];
const FIELDS: readonly Focus[] = ["editor", "completion", "field", "picker", "historySearch"];

/** All keys, in the order in which they are shown. */
export const KEY_BINDINGS: readonly KeyBinding[] = [
	bind("return", ["editor"], { do: "submit" }, "send; to a running turn, for its next step"),
	bind("shift+return alt+return ctrl+j ctrl+return", LINES, edit("newline"), "new line (also \\ and Enter)"),
	bind("escape", ["editor"], { do: "interrupt" }, "stop what runs; the draft stays", "working"),
	bind("escape", ["editor"], { do: "cancel" }, "close what is open"),
	bind("ctrl+c", ["editor"], { do: "interrupt" }, "stop what runs", "working"),
	bind("ctrl+c", ["editor"], { do: "clearOrExit" }, "clear the line; on an empty one, twice leaves agi"),
	bind("ctrl+c", DIALOG, { do: "interrupt" }, "stop the turn, answer nothing"),
	bind("escape ctrl+c ctrl+g", ["completion", ...SEARCHES], { do: "cancel" }, "close the list"),
	bind("escape", ["choice"], { do: "cancel" }, "No"),
	bind("escape", ["field"], { do: "cancel" }, "back to the options; without any, no answer"),
	bind("ctrl+d", ["editor"], { do: "exit" }, "leave agi, on an empty line", "empty"),
	bind("shift+tab", PROMPT, { do: "cycleMode" }, "next mode: default, acceptEdits, plan"),
	bind("?", ["editor"], { do: "showKeys" }, "show the keys, on an empty line", "empty"),

	bind("up ctrl+p", LISTS, { do: "move", by: -1 }, "entry above"),
	bind("down ctrl+n", LISTS, { do: "move", by: 1 }, "entry below"),
	bind("tab right", ["choice"], { do: "markPart", by: 1 }, "next part of the change", "parts"),
	bind("shift+tab left", ["choice"], { do: "markPart", by: -1 }, "part before", "parts"),
	{
		...bind("", ["choice"], { do: "togglePart" }, "refuse the part, or take it again", "parts"),
		chords: [" "],
	},
	bind("e", ["choice"], { do: "amend" }, "write the proposed text anew in $EDITOR", "amends"),
	bind("k shift+tab", ["choice"], { do: "move", by: -1 }, "option above"),
	bind("j tab", ["choice"], { do: "move", by: 1 }, "option below"),
	bind("pageUp", LISTS, { do: "move", by: -10 }, "ten entries up"),
	bind("pageDown", LISTS, { do: "move", by: 10 }, "ten entries down"),
	bind("ctrl+r", ["historySearch"], { do: "move", by: 1 }, "the next older match"),
	bind("ctrl+s", ["historySearch"], { do: "move", by: -1 }, "the next newer match"),
	bind("return", ["completion"], { do: "accept", send: true }, "take the entry; a whole command is sent"),
	bind("tab", ["completion"], { do: "accept", send: false }, "take the entry"),
	bind("return", ["field"], { do: "accept", send: true }, "answer with what is typed"),
	bind("return", ["choice", ...SEARCHES], { do: "accept", send: true }, "take the marked entry"),
	bind("tab", SEARCHES, { do: "accept", send: false }, "take the marked entry"),
	...Array.from("123456789", (digit, index) =>
		bind(digit, ["choice"], { do: "choose", index }, index === 0 ? "take the option of this number" : ""),
	),
	bind("y", ["choice"], { do: "mark", yes: true }, "mark Yes (Enter answers)"),
	bind("n", ["choice"], { do: "mark", yes: false }, "mark No (Enter answers)"),

	bind("tab", ["editor"], { do: "takeFocus" }, "answer the dialog, keep the draft", "asks"),
	bind("tab", ["editor"], { do: "queue" }, "send after the running turn", "working"),
	bind("tab", ["editor"], { do: "complete" }, "complete a /command or @file"),
	bind("alt+up", PROMPT, { do: "recallQueued" }, "take the last queued message back to edit it"),
	bind("alt+q", PROMPT, { do: "markQueue" }, "go through the queued messages (also /queue)"),
	bind("up ctrl+p", ["queue"], { do: "move", by: -1 }, "message above"),
	bind("down ctrl+n", ["queue"], { do: "move", by: 1 }, "message below"),
	bind("alt+up shift+up", ["queue"], { do: "moveQueued", by: -1 }, "send it sooner"),
	bind("alt+down shift+down", ["queue"], { do: "moveQueued", by: 1 }, "send it later"),
	bind("return", ["queue"], { do: "recallQueued" }, "take it back to edit it"),
	bind("delete backspace", ["queue"], { do: "dropQueued" }, "delete it"),
	bind("escape ctrl+c ctrl+g alt+q", ["queue"], { do: "cancel" }, "back to the prompt line"),
	bind("ctrl+r", PROMPT, { do: "searchHistory" }, "search earlier messages"),
	bind("ctrl+g", ["editor"], { do: "editExternally" }, "write the message in $EDITOR"),
	bind("ctrl+o", EVERYWHERE, { do: "unfold" }, "unfold results and reasoning"),
	bind("ctrl+t", EVERYWHERE, { do: "togglePlan" }, "show or hide the plan's list"),
	bind("ctrl+l", EVERYWHERE, { do: "redraw" }, "redraw the screen"),
	bind("ctrl+z", EVERYWHERE, { do: "suspend" }, "suspend agi (fg brings it back)"),

	bind("up ctrl+p", ["editor", "field"], edit("up"), "row above; on the first, the earlier message"),
	bind("down ctrl+n", ["editor", "field"], edit("down"), "row below; on the last, the later message"),
	bind("left ctrl+b", FIELDS, edit("left"), "left"),
	bind("right ctrl+f", FIELDS, edit("right"), "right"),
	bind("alt+b alt+left ctrl+left", FIELDS, edit("wordLeft"), "word left"),
	bind("alt+f alt+right ctrl+right", FIELDS, edit("wordRight"), "word right"),
	bind("home ctrl+a", FIELDS, edit("home"), "start of the line"),
	bind("end ctrl+e", FIELDS, edit("end"), "end of the line"),
	bind("backspace shift+backspace ctrl+h", FIELDS, edit("backspace"), "delete the character before"),
	bind("delete ctrl+d", FIELDS, edit("delete"), "delete the character after"),
	bind("ctrl+w", FIELDS, edit("killToBlank"), "cut back to the last blank"),
	bind("alt+backspace ctrl+backspace", FIELDS, edit("killWordLeft"), "cut the word before"),
	bind("alt+d alt+delete ctrl+delete", FIELDS, edit("killWordRight"), "cut the word after"),
	bind("ctrl+k", FIELDS, edit("killToEnd"), "cut to the end of the line"),
	bind("ctrl+u", FIELDS, edit("killToStart"), "cut to the start of the line"),
	bind("ctrl+y", FIELDS, edit("yank"), "put the cut text back"),
	bind("alt+y", FIELDS, edit("yankPop"), "after that: the cut before it"),
	bind("ctrl+_ ctrl+/ ctrl+-", FIELDS, edit("undo"), "undo (also brings a cleared line back)"),
	bind("alt+_ alt+/ alt+-", FIELDS, edit("redo"), "redo"),
];

/**
 * What `key` asks for in `context`; undefined where it means nothing. Letters without a meaning and pastes are an edit;
 * while a dialog's options have the keys, `updateDialog` gives it to the prompt line.
 */
export function actionFor(key: Key, context: KeyContext): UiAction | undefined {
	if (key.name === "focusIn" || key.name === "focusOut")
		return { do: "focus", focused: key.name === "focusIn" };
	if (key.name === "paste") return { do: "edit", edit: { type: "paste", text: key.text ?? "" } };
	const isTyped = key.name === "text" && !key.ctrl && !key.alt;
	const typed: UiAction = { do: "edit", edit: { type: "insert", text: key.text ?? "" } };
	// Several letters of one read are never a key, even where they spell a key's name.
	if (isTyped && key.text?.length !== 1) return typed;
	const chord = chordOf(key);
	const found = KEY_BINDINGS.find((binding) => binding.chords.includes(chord) && applies(binding, context));
	return found?.action ?? (isTyped ? typed : undefined);
}

const LABELS: Record<string, string> = {
	" ": "Space",
	return: "Enter",
	escape: "Esc",
	pageUp: "PageUp",
	pageDown: "PageDown",
};

/** A chord as a person reads it: `ctrl+a` is `Ctrl+A`, `shift+return` is `Shift+Enter`. */
export function chordLabel(chord: string): string {
	return chord
		.split(/\+(?=.)/)
		.map((part, i) => LABELS[part] ?? (i === 0 && part.length === 1 ? part : capital(part)))
		.join("+");
}

function capital(word: string): string {
	return word.charAt(0).toUpperCase() + word.slice(1);
}

function applies(binding: KeyBinding, context: KeyContext): boolean {
	return binding.in.includes(context.focus) && (binding.when === undefined || context[binding.when] === true);
}

function bind(
	chords: string,
	places: readonly Focus[],
	action: UiAction,
	does: string,
	when?: KeyBinding["when"],
): KeyBinding {
	return { chords: chords.split(" "), in: places, action, does, ...(when && { when }) };
}

function edit(type: PlainEdit): UiAction {
	return { do: "edit", edit: { type } };
}
