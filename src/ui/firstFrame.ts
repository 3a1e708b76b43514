// The screen before anything heavy is loaded: paints the prompt line and takes keys through the same reducer, layout and
// writer as later. It knows nothing of a session: what is sent waits until there is one.

import type { Clock } from "./clock.ts";
import type { Key } from "./input/key.ts";
import { layoutEditor } from "./input/layoutEditor.ts";
import type { Keyboard } from "./keyboard.ts";
import { pressKey } from "./person.ts";
import { createPerson, type PersonEffect, type PersonState, PLACEHOLDER } from "./personState.ts";
import type { Writer } from "./terminal/writer.ts";
import { editorColumns, mostEditorRows, windowStart } from "./view/editorWindow.ts";
import type { Size } from "./view/state.ts";
import { ACCENT, type ColourLevel, DIM, paint } from "./view/style.ts";

export interface FirstFrame {
	/** Ends it: what was typed so far, what it asks for, and what takes the frame off the screen again. */
	handOver(): { person: PersonState; effects: PersonEffect[]; erase: string };
}

/** What happens at once, with or without a session. */
export interface FirstFrameHooks {
	exit(): void;
	/** Ctrl+Z. The frame is off the screen; `repaint` brings it back. */
	suspend(repaint: () => void): void;
}

/** A row for a line across the screen is spent from this many on; as `liveHeights` does. */
const ROOMY = 12;

/** Paints the first frame and takes the keys of `keyboard`. */
export function openFirstFrame(
	writer: Writer,
	keyboard: Keyboard,
	{ clock, level }: { clock: Clock; level: ColourLevel },
	hooks: FirstFrameHooks,
): FirstFrame {
	let person = createPerson(editorColumns(writer.size().columns));
	let effects: PersonEffect[] = [];
	let erase = "";
	let ended = false;

	const repaint = () => {
		if (ended) return;
		const frame = drawFrame(person, writer.size(), level);
		writer.write(erase + frame.text);
		erase = frame.erase;
	};
	const press = (key: Key) => {
		const facts = {
			now: clock.now(),
			working: false,
			mode: "default" as const,
			planWaits: false,
			unfinished: false,
			queue: [],
		};
		const step = pressKey(person, key, facts);
		person = step.state;
		for (const effect of step.effects) {
			if (effect.do === "exit") hooks.exit();
			else if (effect.do === "suspend") {
				writer.write(erase);
				erase = "";
				hooks.suspend(repaint);
			} else if (effect.do !== "redraw") effects = [...effects, effect];
		}
		repaint();
	};
	keyboard.hand(press);
	writer.write(toLineStart(writer.size().columns));
	repaint();
	return {
		handOver() {
			ended = true;
			return { person, effects, erase };
		},
	};
}

/**
 * Brings the cursor to the beginning of a line, whatever stands before it: an echo of keys typed ahead, a shell's output
 * without a line end. Blanks up to the last column reach the next line only from a line that is not empty.
 */
function toLineStart(columns: number): string {
	return `${" ".repeat(Math.max(0, columns - 1))}\r\x1b[K`;
}

/** The rows that the live area will have, and how to take them off again. */
function drawFrame({ editor }: PersonState, size: Size, level: ColourLevel): { text: string; erase: string } {
	const room = Math.max(1, size.rows - 1);
	const width = Math.max(2, size.columns - 1);
	const { rows, cursorRow, cursorColumn } = layoutEditor(
		editor.text,
		editor.cursor,
		editorColumns(size.columns),
	);
	const height = Math.max(1, Math.min(rows.length, mostEditorRows(room), room - 1));
	const start = windowStart(rows.length, cursorRow, height);
	const typed =
		editor.text === ""
			? [
					paint(
						[
							{ text: "> ", style: ACCENT },
							{ text: PLACEHOLDER.slice(0, width - 2), style: DIM },
						],
						level,
					),
				]
			: rows
					.slice(start, start + height)
					.map((row, i) => paint([{ text: start + i === 0 ? "> " : "  ", style: ACCENT }], level) + row);
	const rule = room >= ROOMY ? [paint([{ text: "─".repeat(width), style: DIM }], level)] : [];
	const status = room > typed.length + rule.length ? [paint([{ text: "starting", style: DIM }], level)] : [];
	const lines = [...rule, ...typed, ...status];
	const y = rule.length + (editor.text === "" ? 0 : cursorRow - start);
	const x = 2 + (editor.text === "" ? 0 : cursorColumn);
	// The cursor's row below the frame is Ink's way; with it the prompt stands where it will stand.
	const text = `${lines.join("\r\n")}\r\n\x1b[${lines.length - y}A\x1b[${x + 1}G`;
	return { text, erase: `${y > 0 ? `\x1b[${y}A` : ""}\r\x1b[J` };
}
