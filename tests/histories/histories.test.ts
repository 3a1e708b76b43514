// Logs that releases wrote, read by this one: the same state, the same requests, no broken invariant.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readHistory } from "./readHistory.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const folders = (path: string) =>
	readdirSync(path, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
const recorded = folders(HERE).flatMap((release) =>
	folders(join(HERE, release)).map((name) => [release, name] as const),
);

describe("a log written by an earlier agi", () => {
	it("is there for each kind of session", () => {
		expect(recorded.map(([, name]) => name)).toEqual(
			expect.arrayContaining(["worked", "interrupted", "killedInCalls"]),
		);
	});

	it.each(recorded)("of %s, %s, is read as it was then", async (release, name) => {
		const folder = join(HERE, release, name);
		const expected = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
		expect(expected).toMatchObject({ violations: [], damage: null });
		expect(await readHistory(folder)).toEqual(expected);
	});
});
