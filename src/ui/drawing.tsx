// Ink on our writer: mounts the screen, takes it away, brings it back. Ink only draws: keys, modes and the process are
// others' work.

import { render } from "ink";
import { App } from "./App.tsx";
import type { Store } from "./store.ts";
import { ERASE_BELOW } from "./terminal/eraseFromCursor.ts";
import type { Writer } from "./terminal/writer.ts";
import { type ColourLevel, paint } from "./view/style.ts";

export interface Drawing {
	/** Takes the live area off the screen; what was printed stays. */
	clear(): void;
	/** Empties the visible screen and puts the end of the transcript and the live area back. Scrollback stays. */
	redraw(): void;
	/** Takes the live area away for good. */
	end(): void;
}

const HOME_AND_ERASE = `\x1b[H${ERASE_BELOW}`;
const NO_KEYS = { isTTY: false } as unknown as NodeJS.ReadStream;

/** Draws the store from now on. */
export function startDrawing(store: Store, writer: Writer, level: ColourLevel): Drawing {
	const stream = writer.stream as unknown as NodeJS.WriteStream;
	// Terminals drop rows below the cursor when they lose height: Ink's way from the frame's bottom up would then erase
	// transcript. From the cursor up it is always right, so the frame goes before Ink hears of the new size.
	let clear = () => {};
	writer.stream.on("resize", () => clear());
	const ink = render(<App store={store} level={level} />, {
		stdout: stream,
		stderr: stream,
		stdin: NO_KEYS,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
		// The store keeps the pace; Ink's own would hold a key back.
		maxFps: 1000,
	});
	clear = () => {
		ink.clear();
		writer.flush();
	};
	return {
		clear: () => clear(),
		redraw() {
			clear();
			writer.write(HOME_AND_ERASE + lastRows(store, level));
			store.resume();
		},
		end() {
			clear();
			writer.pause();
			ink.unmount();
			writer.resume();
		},
	};
}

/** As much of the transcript as may stand above the live area. */
function lastRows(store: Store, level: ColourLevel): string {
	const { blocks, size } = store.view();
	const rows: string[] = [];
	for (let at = blocks.length - 1; at >= 0 && rows.length < size.rows; at--) {
		const lines = blocks[at]?.lines ?? [];
		rows.unshift(...lines.map((line) => paint(line, level)));
	}
	const shown = rows.slice(-size.rows);
	return shown.length === 0 ? "" : `${shown.join("\r\n")}\r\n`;
}
