// A hundred real kills at random moments; `npm run test:crash` does many more.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { buildProgram, killTwice, seeded } from "./killing.ts";

const KILLS = 100;
const SIDE_BY_SIDE = 2;

const folder = mkdtempSync(join(tmpdir(), "agi-victim-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a process killed at random", () => {
	it(`loses nothing that it had told and does nothing twice, ${KILLS} times`, {
		timeout: 120_000,
	}, async () => {
		const victim = buildProgram("victim", folder);
		const random = seeded(1);
		const pairs = Array.from({ length: KILLS / 2 }, (_, pair) => pair);
		const work = async () => {
			while (pairs.pop() !== undefined) expect(await killTwice(victim, random)).toEqual([]);
		};
		await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
	});
});
