// The person's side as the components draw it. Pure.

import { isCompletionOpen } from "./input/completion.ts";
import { type DialogState, dialogHint } from "./input/dialog.ts";
import type { EditorState } from "./input/editorState.ts";
import { chordLabel, KEY_BINDINGS } from "./input/keymap.ts";
import { layoutEditor } from "./input/layoutEditor.ts";
import type { PickerState } from "./input/picker.ts";
import { hasParts, type Review } from "./input/review.ts";
import { SLASH_COMMANDS, type SlashCommand } from "./input/slashCommands.ts";
import { type PersonState, PLACEHOLDER } from "./personState.ts";
import { editorColumns } from "./view/editorWindow.ts";
import type { Choice, DialogView, EditorRows, HelpRow, InputView, PickerView } from "./view/inputView.ts";
import { oneLine } from "./view/oneLine.ts";
import type { ViewState } from "./view/state.ts";
import { visibleText } from "./visibleText.ts";

/** What the components draw of `person` on the screen of `view`. */
export function personInputView(person: PersonState, view: ViewState): InputView {
	const width = editorColumns(view.size.columns);
	const { completion, dialog, list, search, help } = person;
	return {
		editor: rowsOf(person.editor, width),
		isEmpty: person.editor.text === "",
		placeholder: placeholder(view),
		...(completion && isCompletionOpen(completion)
			? { palette: { items: completion.items.map(choiceOf), selected: completion.selected } }
			: {}),
		...(dialog ? { dialog: dialogView(dialog, width) } : {}),
		...(list ? { picker: pickerView(list.title, list.picker) } : {}),
		...(search && !list ? { picker: pickerView("Earlier messages", search) } : {}),
		...(person.marked === undefined ? {} : { marked: person.marked }),
		...(help ? { help: KEYS } : {}),
	};
}

/** Whether the last answer can be approved as a plan. */
export function planWaits(view: ViewState): boolean {
	return view.mode === "plan" && !view.busy && view.blocks.some((block) => block.kind === "answer");
}

function placeholder(view: ViewState): string {
	if (view.busy) return "Enter tells it more now · Tab queues for later";
	if (planWaits(view))
		return "approve starts the work · e opens the plan in your editor · or say what to change";
	if (view.queue.length > 0) return "Enter sends what waits · or write more";
	if (view.mode === "plan") return "Say what to plan: nothing is changed in plan mode";
	return PLACEHOLDER;
}

function rowsOf(editor: EditorState, width: number): EditorRows {
	return layoutEditor(editor.text, editor.cursor, width);
}

function dialogView(dialog: DialogState, width: number): DialogView {
	return {
		options: dialog.options.map((option) => oneLine(option.label)),
		selected: dialog.selected,
		hasFocus: dialog.focusedAt !== undefined,
		hint: dialogHint(dialog),
		...reviewView(dialog.review),
		...(dialog.isTyping ? { entry: { ...rowsOf(dialog.field, width), isSecret: dialog.isSecret } } : {}),
	};
}

function reviewView(review: Review | undefined): Pick<DialogView, "parts" | "amended"> {
	if (!review) return {};
	if (review.amended !== undefined) return { amended: visibleText(review.amended) };
	return hasParts(review)
		? { parts: { count: review.hunks, marked: review.marked, refused: review.refused } }
		: {};
}

function pickerView(title: string, picker: PickerState): PickerView {
	return {
		title,
		query: oneLine(picker.query.text),
		items: picker.matches.map(choiceOf),
		selected: picker.selected,
	};
}

function choiceOf({ label, detail }: { label: string; detail?: string }): Choice {
	return { label: oneLine(label), ...(detail ? { detail: oneLine(detail) } : {}) };
}

/** The keys of the prompt line: what `?` shows. Commands show themselves at `/`. */
const KEYS: readonly HelpRow[] = KEY_BINDINGS.filter(
	(binding) => binding.in.includes("editor") && binding.does !== "",
).map(({ chords, does }) => ({ keys: chords.map(chordLabel).join(", "), does }));

/** The commands, then the keys, as text: for `/help`. */
export function helpText(): string {
	return tableText([...SLASH_COMMANDS.map(commandRow), ...KEYS]);
}

/** The commands that need no screen, and what else a line can be: for `/help` where lines alone are read. */
export function lineHelpText(): string {
	const commands = SLASH_COMMANDS.filter(({ withoutScreen }) => withoutScreen === undefined);
	return tableText([...commands.map(commandRow), ...LINES]);
}

const LINES: readonly HelpRow[] = [
	{ keys: "/NAME WORDS", does: "start a skill" },
	{ keys: "//", does: "begin a message with a slash" },
	{ keys: "!COMMAND", does: "run your own command; the model reads its output with your next message" },
	{ keys: "Ctrl+C", does: "end what runs; twice while nothing runs: leave" },
];

function commandRow({ name, argument, does }: SlashCommand): HelpRow {
	return { keys: argument === "" ? `/${name}` : `/${name} ${argument}`, does };
}

function tableText(rows: readonly HelpRow[]): string {
	const widest = Math.max(...rows.map((row) => row.keys.length));
	return rows.map(({ keys, does }) => `${keys.padEnd(widest)}  ${does}`).join("\n");
}
