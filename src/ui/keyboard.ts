// The way of the keys: bytes of the terminal become keys for whoever draws now. It lives from the first frame to the end,
// so that a half sequence or an open paste is never lost when the drawing changes hands.

import type { Clock } from "./clock.ts";
import type { Key } from "./input/key.ts";
import { createKeyParser } from "./input/keys.ts";

/** How long a lone Escape may be the beginning of a sequence, in milliseconds. */
const ESCAPE_MS = 30;

export interface Keyboard {
	/** Takes what the terminal sent. */
	feed(bytes: Uint8Array): void;
	/** From now on keys go there. */
	hand(listener: (key: Key) => void): void;
}

/** A keyboard at the beginning of a terminal's input. */
export function createKeyboard(clock: Clock): Keyboard {
	const parser = createKeyParser();
	let listener: (key: Key) => void = () => undefined;
	let stopWaiting: (() => void) | undefined;
	const tell = (keys: readonly Key[]) => {
		for (const key of keys) listener(key);
	};
	return {
		feed(bytes) {
			stopWaiting?.();
			stopWaiting = undefined;
			tell(parser.feed(bytes));
			if (parser.pending()) stopWaiting = clock.after(ESCAPE_MS, () => tell(parser.flushEscape()));
		},
		hand(next) {
			listener = next;
		},
	};
}
