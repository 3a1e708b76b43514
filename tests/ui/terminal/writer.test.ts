import { describe, expect, it } from "vitest";
import type { TerminalDevice } from "../../../src/ui/terminal/device.ts";
import { holdTerminal } from "../../../src/ui/terminal/hold.ts";
import { createWriter } from "../../../src/ui/terminal/writer.ts";

function fakeDevice() {
	const written: string[] = [];
	let feed: (bytes: Uint8Array) => void = () => undefined;
	const device: TerminalDevice = {
		colours: 0,
		notifies: "bell",
		write: (text) => written.push(text),
		size: () => ({ columns: 80, rows: 24 }),
		takeKeys: (listener) => {
			feed = listener;
			written.push("<raw>");
		},
		releaseKeys: () => written.push("<cooked>"),
		onResize: () => undefined,
		onContinue: () => undefined,
		stop: (resume) => resume(),
	};
	return { device, written, send: (text: string) => feed(new TextEncoder().encode(text)) };
}

describe("createWriter", () => {
	it("writes each frame at once, in one synchronized update, and nothing where there is none", () => {
		const { device, written } = fakeDevice();
		const writer = createWriter(device);
		writer.write("one");
		writer.write("");
		expect(written).toEqual(["\x1b[?2026hone\x1b[?2026l"]);
	});

	it("drops what comes while it is paused", () => {
		const { device, written } = fakeDevice();
		const writer = createWriter(device);
		writer.pause();
		writer.write("lost");
		writer.resume();
		writer.write("shown");
		expect(written).toEqual(["\x1b[?2026hshown\x1b[?2026l"]);
	});
});

describe("holdTerminal", () => {
	it("switches on what it switches off again, the keyboard protocol only where it was answered", () => {
		const { device, written, send } = fakeDevice();
		const keys: string[] = [];
		const hold = holdTerminal(device, createWriter(device), (bytes) =>
			keys.push(new TextDecoder().decode(bytes)),
		);
		hold.take();
		hold.release();
		hold.release();
		hold.take();
		send("\x1b[?1u");
		hold.release();
		expect(written.join("").replaceAll(/\x1b\[\?2026[hl]/g, "")).toBe(
			"<raw>\x1b[?2004h\x1b[?1004h\x1b[?u\x1b[?1004l\x1b[?2004l\x1b[?25h<cooked>" +
				"<raw>\x1b[?2004h\x1b[?1004h\x1b[?u\x1b[>1u\x1b[<u\x1b[?1004l\x1b[?2004l\x1b[?25h<cooked>",
		);
		expect(keys).toEqual(["\x1b[?1u"]);
	});
});
