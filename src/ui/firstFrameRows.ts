// The rows of the first frame: the same that Ink draws later of an idle prompt, made without Ink and without anything that
// is slow to load. Pure.

import { type DialogState, dialogHint } from "./input/dialog.ts";
import type { EditorState } from "./input/editorState.ts";
import { layoutEditor } from "./input/layoutEditor.ts";
import { type PersonState, PLACEHOLDER } from "./personState.ts";
import type { Frame } from "./terminal/liveFrame.ts";
import { editorColumns, MARK_COLUMNS, mostEditorRows, windowStart } from "./view/editorWindow.ts";
import type { Size } from "./view/state.ts";
import { ACCENT, type ColourLevel, DIM, paint, type Style } from "./view/style.ts";

interface Rows {
	lines: string[];
	cursor: { x: number; y: number };
}

/** The frame with the cursor in its place. */
export function firstFrame({ editor, dialog }: PersonState, size: Size, level: ColourLevel): Frame {
	const room = Math.max(1, size.rows - 1);
	const width = Math.max(2, size.columns - 1);
	const draw = (text: string, style?: Style) => paint([{ text: text.slice(0, width), style }], level);
	const isAsking = dialog?.focusedAt !== undefined;
	const above = dialog ? dialogRows(dialog, draw) : [];
	const typed = isAsking ? undefined : editorRows(editor, size, room - above.length, draw);
	const lines = [...above, ...(typed?.lines ?? [])];
	const cursor = typed
		? { x: typed.cursor.x, y: above.length + typed.cursor.y }
		: { x: 0, y: dialog?.selected ?? 0 };
	if (room > lines.length) lines.push(draw("starting", DIM));
	return { rows: lines, cursor };
}

function editorRows(
	editor: EditorState,
	size: Size,
	room: number,
	draw: (text: string, style?: Style) => string,
): Rows {
	const mark = draw("> ", ACCENT);
	if (editor.text === "") {
		const shown = PLACEHOLDER.slice(0, Math.max(0, size.columns - 1 - MARK_COLUMNS));
		return { lines: [mark + draw(shown, DIM)], cursor: { x: MARK_COLUMNS, y: 0 } };
	}
	const layout = layoutEditor(editor.text, editor.cursor, editorColumns(size.columns));
	const height = Math.max(1, Math.min(layout.rows.length, mostEditorRows(room), room - 1));
	const start = windowStart(layout.rows.length, layout.cursorRow, height);
	const lines = layout.rows
		.slice(start, start + height)
		.map((row, i) => (start + i === 0 ? mark : " ".repeat(MARK_COLUMNS)) + row);
	return { lines, cursor: { x: MARK_COLUMNS + layout.cursorColumn, y: layout.cursorRow - start } };
}

function dialogRows(dialog: DialogState, draw: (text: string, style?: Style) => string): string[] {
	const options = dialog.options.map(({ label }, i) => {
		const isSelected = i === dialog.selected;
		return draw(`${isSelected ? "❯" : " "} ${i + 1}. ${label}`, isSelected ? ACCENT : undefined);
	});
	return [...options, draw(dialogHint(dialog), DIM)];
}
