// The one writer of the terminal: all that the screen shows passes here, each frame as one write in a synchronized
// update (https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036). Ink gets a stream that ends here.

import type { Size } from "../view/state.ts";
import type { TerminalDevice } from "./device.ts";
import { eraseFromCursor } from "./eraseFromCursor.ts";

const BEGIN_UPDATE = "\x1b[?2026h";
const END_UPDATE = "\x1b[?2026l";

/** What Ink needs of a stream to draw on. */
export interface InkStream {
	readonly isTTY: true;
	readonly writable: true;
	readonly columns: number;
	readonly rows: number;
	write(text: string, written?: () => void): true;
	on(event: string, listener: () => void): void;
	off(event: string, listener: () => void): void;
}

export interface Writer {
	/** Writes a whole frame, or a sequence of its own. */
	write(text: string): void;
	/** What Ink draws on. Pieces of one moment are one write. */
	readonly stream: InkStream;
	/** Stands before what Ink writes next, in the same write. */
	precede(text: string): void;
	/** Writes what is gathered, now. */
	flush(): void;
	/** The terminal belongs to another program, or to nobody: what comes is dropped until `resume`. */
	pause(): void;
	resume(): void;
	size(): Size;
	/** Bytes of UTF-16 units written so far; for measurements. */
	readonly written: number;
}

/** The writer of `device`. */
export function createWriter(device: TerminalDevice): Writer {
	let gathered: string[] = [];
	let waiting: (() => void)[] = [];
	let before = "";
	let isScheduled = false;
	let isPaused = false;
	let written = 0;
	const resizeListeners = new Set<() => void>();
	device.onResize(() => {
		for (const listener of [...resizeListeners]) listener();
	});

	const put = (text: string) => {
		if (text === "" || isPaused) return;
		const frame = `${BEGIN_UPDATE}${text}${END_UPDATE}`;
		written += frame.length;
		device.write(frame);
	};
	const flush = () => {
		isScheduled = false;
		const text = gathered.join("");
		const told = waiting;
		gathered = [];
		waiting = [];
		if (text !== "") {
			put(before + text);
			before = "";
		}
		for (const tell of told) tell();
	};

	return {
		write(text) {
			flush();
			put(text);
		},
		stream: {
			isTTY: true,
			writable: true,
			get columns() {
				return device.size().columns;
			},
			get rows() {
				return device.size().rows;
			},
			write(text, tell) {
				// Each gathered frame has its own marks.
				if (text !== BEGIN_UPDATE && text !== END_UPDATE) gathered.push(eraseFromCursor(text));
				if (tell) waiting.push(tell);
				if (!isScheduled) {
					isScheduled = true;
					queueMicrotask(() => {
						if (isScheduled) flush();
					});
				}
				return true;
			},
			on(event, listener) {
				if (event === "resize") resizeListeners.add(listener);
			},
			off(event, listener) {
				if (event === "resize") resizeListeners.delete(listener);
			},
		},
		precede(text) {
			before += text;
		},
		flush,
		pause() {
			flush();
			isPaused = true;
		},
		resume() {
			isPaused = false;
		},
		size: () => device.size(),
		get written() {
			return written;
		},
	};
}
