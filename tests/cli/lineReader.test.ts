import { EventEmitter } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openLineReader } from "../../src/cli/lineReader.ts";

/** Keys that a test types, and what the screen gets. */
function terminal() {
	const keys = new EventEmitter();
	const raw: boolean[] = [];
	let shown = "";
	const input = Object.assign(keys, {
		setRawMode: (isRaw: boolean) => raw.push(isRaw),
		pause: () => undefined,
	});
	const reader = openLineReader(input, (text) => (shown += text));
	return {
		reader,
		raw,
		shown: () => shown,
		type: (bytes: Uint8Array | string) => keys.emit("data", Buffer.from(bytes)),
		end: () => keys.emit("end"),
	};
}

describe("openLineReader", () => {
	it("keeps what was typed ahead for the next question", async () => {
		const { reader, type } = terminal();
		type("one\rtwo\r");
		expect(await reader.ask("? ")).toBe("one");
		expect(await reader.ask("? ")).toBe("two");
	});

	it("reads letters whose bytes come in pieces", async () => {
		await fc.assert(
			fc.asyncProperty(fc.stringMatching(/^[a-z äöß中文😀]{1,12}$/u), fc.nat(8), async (text, cut) => {
				const { reader, type } = terminal();
				const bytes = Buffer.from(`${text}\r`);
				const line = reader.ask("? ");
				type(bytes.subarray(0, cut));
				type(bytes.subarray(cut));
				expect(await line).toBe(text.trim());
			}),
		);
	});

	it("shows nothing of a hidden line", async () => {
		const { reader, type, shown } = terminal();
		type("secret\x7f\x7fxx\r");
		expect(await reader.ask("key: ", { hidden: true })).toBe("secrxx");
		expect(shown()).toBe("key: \n");
	});

	it("takes wide letters back by their width", async () => {
		const { reader, type, shown } = terminal();
		type("a中\x7f\x7f\x7fb\r");
		expect(await reader.ask("? ")).toBe("b");
		expect(shown()).toBe("? a中\b \b\b \b\b \bb\n");
	});

	it.each([
		["Ctrl+C", "abc\x03"],
		["Ctrl+D", "\x04"],
	])("tells %s as leaving", async (_, keys) => {
		const { reader, type } = terminal();
		type(keys);
		expect(await reader.ask("? ")).toBeUndefined();
	});

	it("tells the end of the input as leaving", async () => {
		const { reader, end } = terminal();
		const line = reader.ask("? ");
		end();
		expect(await line).toBeUndefined();
	});

	it("gives the keys back when it is closed", () => {
		const { reader, raw } = terminal();
		reader.close();
		expect(raw).toEqual([true, false]);
	});
});
