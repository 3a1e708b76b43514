// A terminal without a screen: what bytes leave on it.

import { Terminal } from "@xterm/headless";
import type { Size } from "../../src/ui/view/state.ts";

/** Scrollback and screen after `bytes`, without blank ends, and the cursor's place in them. */
export async function shownAfter(
	bytes: string,
	{ columns, rows }: Size,
): Promise<{ lines: string[]; cursor: { x: number; y: number } }> {
	const terminal = new Terminal({ cols: columns, rows, scrollback: 1000, allowProposedApi: true });
	await new Promise<void>((written) => terminal.write(bytes, written));
	const { active } = terminal.buffer;
	const lines = Array.from({ length: active.length }, (_, y) =>
		(active.getLine(y)?.translateToString(true) ?? "").trimEnd(),
	);
	while (lines.at(-1) === "") lines.pop();
	return { lines, cursor: { x: active.cursorX, y: active.baseY + active.cursorY } };
}
