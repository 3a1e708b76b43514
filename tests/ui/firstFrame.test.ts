import { describe, expect, it } from "vitest";
import { openFirstFrame } from "../../src/ui/firstFrame.ts";
import { type Key, textKey } from "../../src/ui/input/key.ts";
import type { Writer } from "../../src/ui/terminal/writer.ts";

/** A first frame over a writer that keeps what it is given. */
function open() {
	const written: string[] = [];
	const writer = { write: (text: string) => written.push(text), size: () => ({ columns: 80, rows: 24 }) };
	let press: (key: Key) => void = () => undefined;
	let comeBack = () => {};
	const clock = { now: () => 0, after: () => () => undefined };
	const hooks = {
		exit: () => undefined,
		suspend: (repaint: () => void) => {
			comeBack = repaint;
		},
	};
	const keyboard = {
		feed: () => undefined,
		hand(listener: typeof press) {
			press = listener;
		},
	};
	const frame = openFirstFrame(writer as unknown as Writer, keyboard, { clock, level: 0 }, hooks);
	return { frame, written, press: (key: Key) => press(key), comeBack: () => comeBack() };
}

const CTRL_Z = textKey("z", { ctrl: true });

describe("openFirstFrame", () => {
	it("takes itself off the screen at Ctrl+Z and writes nothing until it is brought back, with the draft", () => {
		const { written, press, comeBack } = open();
		press(textKey("d"));
		press(CTRL_Z);
		const stopped = written.length;
		press(textKey("e"));
		expect(written).toHaveLength(stopped);
		comeBack();
		expect(written).toHaveLength(stopped + 1);
		expect(written.at(-1)).toContain("> de");
	});

	it("lets whoever takes over wait until it is on the screen again", async () => {
		const { frame, press, comeBack } = open();
		await frame.onScreen();
		press(CTRL_Z);
		let isBack = false;
		const waiting = frame.onScreen().then(() => {
			isBack = true;
		});
		await Promise.resolve();
		expect(isBack).toBe(false);
		comeBack();
		await waiting;
		expect(frame.handOver().person.editor.text).toBe("");
	});
});
