// Ink on our writer: mounts the screen, takes it away, brings it back. Ink makes the rows of the live area out of components
// and nothing else; what is new of the transcript goes above them as it is. Keys, modes and the process are others' work.

import { render } from "ink";
import { App } from "./App.tsx";
import { cursorPlace, liveHeights } from "./components/liveHeights.ts";
import { lastRows, messageRows } from "./components/MessageList.ts";
import type { Store } from "./store.ts";
import { type Frame, frameBytes, NO_FRAME } from "./terminal/liveFrame.ts";
import type { Writer } from "./terminal/writer.ts";
import type { ColourLevel } from "./view/style.ts";

export interface Drawing {
	/** Takes the live area off the screen; what was printed stays. The next drawing brings it back. */
	clear(): void;
	/** Empties the visible screen and puts the end of the transcript and the live area back. Scrollback stays. */
	redraw(): void;
	/** Takes the live area away for good. */
	end(): void;
}

const HOME = "\x1b[H";
const NO_KEYS = { isTTY: false } as unknown as NodeJS.ReadStream;

/** Draws the store from now on, over the frame that stands there. */
export function startDrawing(store: Store, writer: Writer, level: ColourLevel, first: Frame): Drawing {
	let frame = first;
	let printed = 0;
	let isCleared = false;
	let hasEnded = false;
	const place = (next: Frame, rows: readonly string[] = []) => {
		const bytes = frameBytes(frame, next, rows);
		frame = next;
		writer.write(bytes);
	};
	const show = (text: string) => {
		// What turns by itself draws between two drawings of the store; without a live area there is none to draw it in.
		if (hasEnded || isCleared) return;
		const { view, input } = store.shown();
		const rows = messageRows(view.blocks.slice(printed), level);
		printed = view.blocks.length;
		const cursor = cursorPlace(view, input, liveHeights(view, input));
		place({ rows: text.split("\n"), cursor }, rows);
	};
	const stream = inkStream(writer, show);
	const app = () => <App {...store.shown()} level={level} />;
	const ink = render(app(), {
		stdout: stream,
		stderr: stream,
		stdin: NO_KEYS,
		exitOnCtrlC: false,
		patchConsole: false,
		interactive: true,
		// Each frame comes at once, whole and without the bytes that would place it.
		debug: true,
	});
	// Drawn when this returns: a frame that came later could meet a terminal that was given away.
	const stop = store.subscribe(() => {
		isCleared = false;
		ink.rerender(app());
	});
	return {
		clear() {
			place(NO_FRAME);
			isCleared = true;
		},
		redraw() {
			const { blocks, size } = store.shown().view;
			const rows = lastRows(blocks, size.rows - 1 - frame.rows.length, level);
			writer.write(HOME + frameBytes(NO_FRAME, frame, rows));
		},
		end() {
			stop();
			place(NO_FRAME);
			hasEnded = true;
			ink.unmount();
		},
	};
}

/** What Ink writes on. A frame is all that it writes while it draws. */
function inkStream(writer: Writer, show: (frame: string) => void): NodeJS.WriteStream {
	const stream = {
		isTTY: true,
		writable: true,
		get columns() {
			return writer.size().columns;
		},
		get rows() {
			return writer.size().rows;
		},
		write(text: string, written?: () => void) {
			if (text !== "") show(text);
			written?.();
			return true;
		},
		// A new size comes with the view.
		on: () => stream,
		off: () => stream,
	};
	return stream as unknown as NodeJS.WriteStream;
}
