// Holding the terminal: keys, modes and the right to write are taken and given back together, so that no end and no
// suspension forgets one of them.

import type { TerminalDevice } from "./device.ts";
import { answersKeyboard, ENTER_MODES, leaveModes, PUSH_KEYBOARD } from "./modes.ts";
import type { Writer } from "./writer.ts";

export interface TerminalHold {
	/** Takes the terminal; keys go to `feed`. */
	take(): void;
	/** Takes it anew where it is held: whoever had it meanwhile may have changed its modes. False where it is not held. */
	retake(): boolean;
	/** Gives it back as it was; what is written afterwards is dropped. Safe to repeat. */
	release(): void;
}

/** A hold on `device` that is not taken yet. */
export function holdTerminal(
	device: TerminalDevice,
	writer: Writer,
	feed: (bytes: Uint8Array) => void,
): TerminalHold {
	let isHeld = false;
	let hasKeyboard = false;
	const read = (bytes: Uint8Array) => {
		if (!hasKeyboard && answersKeyboard(bytes)) {
			hasKeyboard = true;
			writer.write(PUSH_KEYBOARD);
		}
		feed(bytes);
	};
	const take = () => {
		if (isHeld) return;
		isHeld = true;
		device.takeKeys(read);
		writer.resume();
		writer.write(ENTER_MODES);
	};
	const release = () => {
		if (!isHeld) return;
		isHeld = false;
		writer.write(leaveModes(hasKeyboard));
		hasKeyboard = false;
		writer.pause();
		device.releaseKeys();
	};
	return {
		take,
		release,
		retake() {
			if (!isHeld) return false;
			release();
			take();
			return true;
		},
	};
}
