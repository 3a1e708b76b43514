// The screen before anything heavy is loaded: paints the prompt line and takes keys through the same reducer, layout and
// writer as later. It knows nothing of a session: what is sent waits until there is one.

import type { Clock } from "./clock.ts";
import { firstFrame } from "./firstFrameRows.ts";
import type { Key } from "./input/key.ts";
import type { Keyboard } from "./keyboard.ts";
import { askGuarded, meetPrompts, pressKey } from "./person.ts";
import { createPerson, type PersonEffect, type PersonFacts, type PersonState } from "./personState.ts";
import { type Frame, frameBytes, NO_FRAME } from "./terminal/liveFrame.ts";
import type { Writer } from "./terminal/writer.ts";
import { editorColumns } from "./view/editorWindow.ts";
import { type ColourLevel, plainText } from "./view/style.ts";

export interface FirstFrame {
	/** Prints `lines`, asks, prints the answer. Only y and then Enter is a yes; keys of the first half second are none. */
	askYes(lines: readonly string[], labels: { no: string; yes: string }): Promise<boolean>;
	/** Resolves while it is on the screen: at once, or once a stopped program goes on. */
	onScreen(): Promise<void>;
	/** Ends it, while it is on the screen: what was typed so far, what it asks for, and the frame that stands there. */
	handOver(): { person: PersonState; effects: PersonEffect[]; frame: Frame };
}

/** What happens at once, with or without a session. */
export interface FirstFrameHooks {
	exit(): void;
	/** Ctrl+Z. The frame is off the screen; `repaint` brings it back. */
	suspend(repaint: () => void): void;
}

const QUESTION = "start";

/** Paints the first frame and takes the keys of `keyboard`. */
export function openFirstFrame(
	writer: Writer,
	keyboard: Keyboard,
	{ clock, level }: { clock: Clock; level: ColourLevel },
	hooks: FirstFrameHooks,
): FirstFrame {
	let person = createPerson(editorColumns(writer.size().columns));
	let effects: PersonEffect[] = [];
	let frame = NO_FRAME;
	let hasEnded = false;
	/** Set while the shell has the terminal. */
	let back: PromiseWithResolvers<void> | undefined;
	let answer: (label: string | undefined) => void = () => undefined;

	const place = (next: Frame, lines: readonly string[] = []) => {
		writer.write(frameBytes(frame, next, lines));
		frame = next;
	};
	const repaint = (lines: readonly string[] = []) => {
		// What is written while the shell has the terminal would be lost, and the shell's rows erased for it later.
		if (!hasEnded && !back) place(firstFrame(person, writer.size(), level), lines);
	};
	const suspend = () => {
		back = Promise.withResolvers<void>();
		hooks.suspend(() => {
			back?.resolve();
			back = undefined;
			repaint();
		});
	};
	const perform = (effect: PersonEffect) => {
		if (effect.do === "exit") hooks.exit();
		else if (effect.do === "suspend") {
			place(NO_FRAME);
			suspend();
		} else if (effect.do === "send" && effect.request.do === "answerQuestion") answer(effect.request.answer);
		else if (effect.do !== "redraw") effects = [...effects, effect];
	};
	keyboard.hand((key: Key) => {
		const step = pressKey(person, key, factsAt(clock.now()));
		person = step.state;
		for (const effect of step.effects) perform(effect);
		repaint();
	});
	writer.write(toLineStart(writer.size().columns));
	repaint();
	return {
		async askYes(lines, { no, yes }) {
			const { wrapLine } = await import("./view/wrap.ts");
			const wrap = (text: string) => wrapLine([{ text }], writer.size().columns - 1).map(plainText);
			await back?.promise;
			const prompt = { callId: QUESTION, question: "", options: [no, yes], secret: false };
			const answered = Promise.withResolvers<string | undefined>();
			answer = answered.resolve;
			person = askGuarded(person, { kind: "question", prompt }, clock.now());
			repaint(lines.flatMap(wrap));
			const isYes = (await answered.promise) === yes;
			person = meetPrompts(person, [], clock.now());
			repaint(wrap(`❯ ${isYes ? yes : no}`));
			return isYes;
		},
		async onScreen() {
			while (back) await back.promise;
		},
		handOver() {
			hasEnded = true;
			return { person, effects, frame };
		},
	};
}

/** Nothing runs yet. */
function factsAt(now: number): PersonFacts {
	return { now, working: false, mode: "default", planWaits: false, unfinished: false, queue: [] };
}

/**
 * Brings the cursor to the beginning of a line, whatever stands before it: an echo of keys typed ahead, a shell's output
 * without a line end. Blanks up to the last column reach the next line only from a line that is not empty.
 */
function toLineStart(columns: number): string {
	return `${" ".repeat(Math.max(0, columns - 1))}\r\x1b[K`;
}
