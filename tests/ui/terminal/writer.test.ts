import { describe, expect, it } from "vitest";
import type { TerminalDevice } from "../../../src/ui/terminal/device.ts";
import { ERASE_BELOW, eraseFromCursor } from "../../../src/ui/terminal/eraseFromCursor.ts";
import { holdTerminal } from "../../../src/ui/terminal/hold.ts";
import { createWriter } from "../../../src/ui/terminal/writer.ts";

function fakeDevice() {
	const written: string[] = [];
	let feed: (bytes: Uint8Array) => void = () => undefined;
	let resized = () => {};
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
		onResize: (listener) => {
			resized = listener;
		},
		stop: (resume) => resume(),
	};
	return {
		device,
		written,
		send: (text: string) => feed(new TextEncoder().encode(text)),
		resize: () => resized(),
	};
}

describe("createWriter", () => {
	it("writes the pieces of one frame at once, in one synchronized update", async () => {
		const { device, written } = fakeDevice();
		const { stream } = createWriter(device);
		stream.write("\x1b[?2026h");
		stream.write("one ");
		stream.write("two");
		stream.write("\x1b[?2026l");
		await Promise.resolve();
		expect(written).toEqual(["\x1b[?2026hone two\x1b[?2026l"]);
	});

	it("puts what precedes into the next frame of the stream, once", async () => {
		const { device, written } = fakeDevice();
		const writer = createWriter(device);
		writer.precede("erase ");
		writer.stream.write("frame");
		writer.flush();
		writer.stream.write("next");
		writer.flush();
		expect(written).toEqual(["\x1b[?2026herase frame\x1b[?2026l", "\x1b[?2026hnext\x1b[?2026l"]);
	});

	it("drops what comes while it is paused, and still tells that it was written", () => {
		const { device, written } = fakeDevice();
		const writer = createWriter(device);
		let told = 0;
		writer.pause();
		writer.stream.write("lost", () => told++);
		writer.write("lost too");
		writer.resume();
		writer.write("shown");
		expect(written).toEqual(["\x1b[?2026hshown\x1b[?2026l"]);
		expect(told).toBe(1);
	});

	it("tells of a new size until nobody listens any more", () => {
		const { device, resize } = fakeDevice();
		const { stream } = createWriter(device);
		let heard = 0;
		const listener = () => heard++;
		stream.on("resize", listener);
		resize();
		stream.off("resize", listener);
		resize();
		expect(heard).toBe(1);
	});
});

describe("eraseFromCursor", () => {
	const row = "\x1b[2K\x1b[1A";

	it("goes up from the cursor instead of down to the bottom first", () => {
		const piece = `\x1b[?25l\x1b[2B\x1b[1G${row.repeat(4)}\x1b[2K\x1b[Gnew frame`;
		expect(eraseFromCursor(piece)).toBe(`\x1b[?25l\x1b[2A${ERASE_BELOW}new frame`);
	});

	it("does the same where the cursor was hidden and stands at the bottom", () => {
		expect(eraseFromCursor(`${row}\x1b[2K\x1b[Gnext`)).toBe(`\x1b[1A${ERASE_BELOW}next`);
	});

	it("never erases from a first column on, which tmux takes for a wish to keep what stands there", () => {
		expect(eraseFromCursor("\x1b[?25l\x1b[2A\x1b[1G\x1b[Jx")).toBe(`\x1b[?25l\x1b[2A\x1b[1G${ERASE_BELOW}x`);
		expect(eraseFromCursor("\x1b[1;1H\x1b[Jx")).toBe(`\x1b[1;1H${ERASE_BELOW}x`);
	});

	it("leaves everything else alone", () => {
		for (const piece of ["text", "\x1b[?25l", `text ${row}\x1b[2K\x1b[G`, "\x1b[3B\x1b[1G\x1b[2K\x1b[Gx"])
			expect(eraseFromCursor(piece)).toBe(piece);
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
