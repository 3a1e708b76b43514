import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileChange, FileImage } from "../../src/session/events.ts";
import {
	compareImages,
	decodeChanges,
	encodeChanges,
	joinChanges,
	nothingAt,
	sameImage,
} from "../../src/session/fileChanges.ts";

const file = (path: string, digest: string, mode = 0o644): FileImage => ({
	path,
	kind: "file",
	digest,
	mode,
	size: 1,
});
const change = (before: FileImage, after: FileImage): FileChange => ({ before, after });

describe("sameImage", () => {
	it("tells content, mode and kind apart", () => {
		expect(sameImage(file("a", "1"), file("a", "1"))).toBe(true);
		expect(sameImage(file("a", "1"), file("a", "2"))).toBe(false);
		expect(sameImage(file("a", "1"), file("a", "1", 0o600))).toBe(false);
		expect(sameImage(file("a", "1"), nothingAt("a"))).toBe(false);
	});
});

describe("decodeChanges", () => {
	it("gives back what was encoded, whatever a path holds", () => {
		void fc.assert(
			fc.property(fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.string())), (pairs) => {
				const changes = pairs.map(([path, digest]) => change(nothingAt(path), file(path, digest)));
				expect(decodeChanges(encodeChanges(changes))).toEqual(changes);
			}),
		);
	});

	it("leaves out what is no change", () => {
		expect(decodeChanges('not json\n{}\n{"before":{"path":"a","kind":"none"}}\nnull')).toEqual([]);
	});
});

describe("joinChanges", () => {
	it("joins the first state with the last one", () => {
		const joined = joinChanges([
			[change(file("a", "1"), file("a", "2"))],
			[change(file("a", "2"), file("a", "3"))],
		]);
		expect(joined).toEqual([change(file("a", "1"), file("a", "3"))]);
	});

	it("leaves out a path that is in the end as it was", () => {
		const there = change(nothingAt("a"), file("a", "1"));
		expect(joinChanges([[there], [change(file("a", "1"), nothingAt("a"))]])).toEqual([]);
	});

	it("doubts a path that something else changed in between, and keeps the first doubt", () => {
		const first = change(file("a", "1"), file("a", "2"));
		const second = change(file("a", "mine"), file("a", "3"));
		expect(joinChanges([[first], [second]])[0]?.doubt).toMatch(/between these turns/);
		expect(joinChanges([[{ ...first, doubt: "why" }], [second]])[0]?.doubt).toBe("why");
	});
});

describe("compareImages", () => {
	it("tells what came, went and changed, and nothing else", () => {
		const before = new Map(
			[file("same", "1"), file("edited", "1"), file("gone", "1")].map((i) => [i.path, i]),
		);
		const after = new Map(
			[file("same", "1"), file("edited", "2"), file("made", "1")].map((i) => [i.path, i]),
		);
		expect(compareImages(before, after)).toEqual([
			change(file("edited", "1"), file("edited", "2")),
			change(file("gone", "1"), nothingAt("gone")),
			change(nothingAt("made"), file("made", "1")),
		]);
	});
});
