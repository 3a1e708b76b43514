// This process's terminal for the screen: raw keys in, text out, its size, stopping. It paints nothing of its own.

import { colourLevel } from "../ui/terminal/colours.ts";
import type { TerminalDevice } from "../ui/terminal/device.ts";
import { notificationFor } from "../ui/terminal/notification.ts";

/** The terminal of stdin and stdout; both must be one. `lost`: it was taken away, nobody sits there any more. */
export function openTerminalDevice(lost: () => void): TerminalDevice {
	const { stdin, stdout, env } = process;
	let feed: (bytes: Uint8Array) => void = () => undefined;
	let isAhead = false;
	stdin.on("data", (bytes: Buffer) => feed(isAhead ? withEnterKeys(bytes) : bytes));
	stdin.pause();
	stdin.on("end", lost);
	stdin.on("error", lost);
	// What cannot be written is not seen by anybody.
	stdout.on("error", () => undefined);
	return {
		colours: colourLevel(env),
		notifies: notificationFor(env),
		write: (text) => void stdout.write(text),
		size: () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }),
		takeKeys(listener) {
			feed = listener;
			// What waits in the terminal when it is taken comes with the very next poll, however busy the machine is.
			isAhead = true;
			setImmediate(() =>
				setImmediate(() => {
					isAhead = false;
				}),
			);
			stdin.setRawMode(true);
			stdin.resume();
		},
		releaseKeys() {
			stdin.pause();
			try {
				stdin.setRawMode(false);
			} catch {
				// The terminal is gone.
			}
		},
		onResize: (listener) => void stdout.on("resize", listener),
		onContinue: (listener) => void process.on("SIGCONT", listener),
		stop: stopProcess,
	};
}

/** A terminal that was not taken yet has made a line feed of the Enter key. */
function withEnterKeys(bytes: Uint8Array): Uint8Array {
	return bytes.map((byte) => (byte === 0x0a ? 0x0d : byte));
}

/**
 * The shell must see the same as at any other program's Ctrl+Z. Without job control the signal does nothing, so that the
 * terminal is taken back a moment later; a stop that came later still is whoever listens to `onContinue`'s to mend.
 */
function stopProcess(resumed: () => void): void {
	const goOn = () => {
		process.off("SIGCONT", goOn);
		clearTimeout(notStopped);
		resumed();
	};
	process.on("SIGCONT", goOn);
	const notStopped = setTimeout(goOn, 200);
	process.kill(process.pid, "SIGTSTP");
}
