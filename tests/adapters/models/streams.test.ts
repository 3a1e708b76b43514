import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	TextDecoderStream as OwnDecoder,
	ReadableStream as OwnReadable,
	TransformStream as OwnTransform,
} from "../../../src/adapters/models/streams.ts";

/** A stream that gives `pieces` one by one when it is asked. */
function streamOf<T>(pieces: readonly T[], end: "close" | "error" = "close") {
	const left = [...pieces];
	return {
		pull(controller: { enqueue(piece: T): void; close(): void; error(reason: unknown): void }) {
			if (left.length > 0) controller.enqueue(left.shift()!);
			else if (end === "close") controller.close();
			else controller.error(new Error("broken"));
		},
	};
}

async function readAll<T>(stream: AsyncIterable<T>): Promise<T[]> {
	const pieces: T[] = [];
	for await (const piece of stream) pieces.push(piece);
	return pieces;
}

/** Numbers in, each of them as often as it says; at the start and the end a word. */
const repeater = () => ({
	start: (out: { enqueue(piece: string): void }) => out.enqueue("start"),
	async transform(count: number, out: { enqueue(piece: string): void }) {
		await Promise.resolve();
		for (let n = 0; n < count; n++) out.enqueue(`${count}`);
	},
	flush: (out: { enqueue(piece: string): void }) => out.enqueue("end"),
});

describe("TransformStream", () => {
	it("gives what the runtime's own gives, also for steps that give nothing or much", async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(4)), async (counts) => {
				const own = new OwnReadable(streamOf(counts)).pipeThrough(new OwnTransform(repeater()));
				const theirs = new ReadableStream(streamOf(counts)).pipeThrough(new TransformStream(repeater()));
				expect(await readAll(own)).toEqual(await readAll(theirs));
			}),
		);
	});

	it("takes nothing in before it is read, and no more than is read", async () => {
		const taken: number[] = [];
		const source = { pull: (out: { enqueue(n: number): void }) => out.enqueue(taken.push(taken.length)) };
		const stream = new OwnReadable(source).pipeThrough(
			new OwnTransform<number, number>({ transform: (n, out) => out.enqueue(n) }),
		);
		expect(taken).toEqual([]);
		await stream.getReader().read();
		expect(taken).toEqual([0]);
	});

	it("rejects the read with what a step throws, and ever after", async () => {
		const stream = new OwnReadable(streamOf([1, 2])).pipeThrough(
			new OwnTransform<number, number>({
				transform() {
					throw new Error("no such step");
				},
			}),
		);
		await expect(stream.read()).rejects.toThrow("no such step");
		await expect(stream.read()).rejects.toThrow("no such step");
	});

	it("can be extended, as the SDK's parser of events does", async () => {
		class Doubling extends OwnTransform<number, number> {
			constructor() {
				super({ transform: (n, out) => out.enqueue(2 * n) });
			}
		}
		expect(await readAll(new OwnReadable(streamOf([1, 2])).pipeThrough(new Doubling()))).toEqual([2, 4]);
	});
});

describe("ReadableStream", () => {
	it("passes an error of its source on, through every step", async () => {
		const stream = new OwnReadable(streamOf([1], "error")).pipeThrough(
			new OwnTransform<number, number>({ transform: (n, out) => out.enqueue(n) }),
		);
		expect(await stream.read()).toEqual({ done: false, value: 1 });
		await expect(stream.read()).rejects.toThrow("broken");
	});

	it("cancels its source once where a loop is left early or it is cancelled, and then has ended", async () => {
		const reasons: unknown[] = [];
		const make = () => new OwnReadable({ ...streamOf([1, 2, 3]), cancel: (reason) => reasons.push(reason) });
		for await (const _ of make()) break;
		const stream = make();
		await stream.cancel("enough");
		await stream.cancel("again");
		expect(reasons).toEqual([undefined, "enough"]);
		expect(await stream.read()).toEqual({ done: true, value: undefined });
	});

	it("parts into two that each give all of it", async () => {
		const [one, other] = new OwnReadable(streamOf([1, 2])).tee();
		expect(await Promise.all([readAll(one), readAll(other)])).toEqual([
			[1, 2],
			[1, 2],
		]);
	});
});

describe("TextDecoderStream", () => {
	it("gives the whole text, whichever characters the pieces cut", async () => {
		const cuts = fc.array(fc.integer({ min: 1, max: 5 }));
		await fc.assert(
			fc.asyncProperty(fc.string({ unit: "binary" }), cuts, async (text, sizes) => {
				const pieces: Uint8Array[] = [];
				let bytes = new TextEncoder().encode(text);
				for (const size of sizes) {
					pieces.push(bytes.subarray(0, size));
					bytes = bytes.subarray(size);
				}
				const stream = new OwnReadable(streamOf([...pieces, bytes])).pipeThrough(new OwnDecoder());
				expect((await readAll(stream)).join("")).toBe(
					new TextDecoder("utf-8").decode(new TextEncoder().encode(text)),
				);
			}),
		);
	});
});
