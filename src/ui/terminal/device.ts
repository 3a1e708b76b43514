// The real terminal as the screen sees it; the program around it brings one. Nothing here writes or reads.

import type { Size } from "../view/state.ts";
import type { ColourLevel } from "../view/style.ts";

/** A terminal on both sides. Only `writer.ts` may call `write`. */
export interface TerminalDevice {
	readonly colours: ColourLevel;
	/** How it wants to be told that something is ready; see `notification.ts`. */
	readonly notifies: "bell" | "osc9";
	/** Writes at once; a terminal that is gone is no error. */
	write(text: string): void;
	size(): Size;
	/** Takes the keys, unechoed and one by one; they go to `listener` until `releaseKeys`. */
	takeKeys(listener: (bytes: Uint8Array) => void): void;
	/** Gives the keys back to whoever reads the terminal next. */
	releaseKeys(): void;
	onResize(listener: () => void): void;
	/** Hears that this process goes on after it was stopped, by whomever. */
	onContinue(listener: () => void): void;
	/** Stops this process as Ctrl+Z does; calls `resumed` when it goes on, at once where it cannot be stopped. */
	stop(resumed: () => void): void;
}
