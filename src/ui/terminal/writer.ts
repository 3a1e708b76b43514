// The one writer of the terminal: all that the screen shows passes here, each frame as one write in a synchronized
// update (https://gist.github.com/christianparpart/d8a62cc1ab659194337d73e399004036).

import type { Size } from "../view/state.ts";
import type { TerminalDevice } from "./device.ts";

const BEGIN_UPDATE = "\x1b[?2026h";
const END_UPDATE = "\x1b[?2026l";

export interface Writer {
	/** Writes a whole frame, or a sequence of its own. */
	write(text: string): void;
	/** The terminal belongs to another program, or to nobody: what comes is dropped until `resume`. */
	pause(): void;
	resume(): void;
	size(): Size;
}

/** The writer of `device`. */
export function createWriter(device: TerminalDevice): Writer {
	let isPaused = false;
	return {
		write(text) {
			if (text !== "" && !isPaused) device.write(BEGIN_UPDATE + text + END_UPDATE);
		},
		pause() {
			isPaused = true;
		},
		resume() {
			isPaused = false;
		},
		size: () => device.size(),
	};
}
