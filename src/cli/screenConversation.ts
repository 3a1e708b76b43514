// The conversation on the screen: first frame, session, Ink, and every way it can end. Whatever ends it, the terminal is
// given back first, then the session is closed, then the reason is told.

import type { ExitCode } from "../types.ts";
import type { Clock } from "../ui/clock.ts";
import { openFirstFrame } from "../ui/firstFrame.ts";
import { createKeyboard } from "../ui/keyboard.ts";
import { holdTerminal } from "../ui/terminal/hold.ts";
import { frameBytes, NO_FRAME } from "../ui/terminal/liveFrame.ts";
import { createWriter } from "../ui/terminal/writer.ts";
import type { CommandLine } from "./arguments.ts";
import { settle, watchEndings } from "./endings.ts";
import { openTerminalDevice } from "./terminalDevice.ts";

/** How long the session may take to close, in milliseconds. */
const CLOSE_MS = 2_500;
/** Keys that were typed while the program started are shown before the heavy part blocks them. */
const FIRST_KEYS_MS = 15;

const CLOCK: Clock = {
	now: Date.now,
	after(milliseconds, wake) {
		const timer = setTimeout(wake, milliseconds);
		return () => clearTimeout(timer);
	},
};

/** Runs it to its end. */
export async function screenConversation(parsed: CommandLine<"interactive">): Promise<ExitCode> {
	let takeAway = () => {};
	const { ended, end } = watchEndings(() => takeAway());
	const device = openTerminalDevice(() => end({ code: 143 }));
	const writer = createWriter(device);
	const keyboard = createKeyboard(CLOCK);
	const hold = holdTerminal(device, writer, keyboard.feed);
	const stop = (repaint: () => void) => {
		hold.release();
		device.stop(() => {
			hold.take();
			repaint();
		});
	};
	hold.take();
	const options = { clock: CLOCK, level: device.colours };
	const frame = openFirstFrame(writer, keyboard, options, { exit: () => end({ code: 0 }), suspend: stop });
	takeAway = () => {
		writer.write(frameBytes(frame.handOver().frame, NO_FRAME));
		hold.release();
	};
	await new Promise((keysCame) => setTimeout(keysCame, FIRST_KEYS_MS));
	const opening = import("./openScreen.ts").then(({ openScreen }) =>
		openScreen(parsed, frame, { device, writer, keyboard, hold, clock: CLOCK }),
	);
	// An error of the start ends it like any other.
	const opened = opening.then((screen) => {
		takeAway = screen.end;
		void screen.left.then(() => end({ code: 0 }));
	});
	opened.catch((error: unknown) => end({ error }));
	const ending = await ended;
	takeAway();
	await Promise.race([
		opening.then((screen) => screen.close()).catch(() => undefined),
		new Promise((late) => setTimeout(late, CLOSE_MS)),
	]);
	return settle(ending);
}
