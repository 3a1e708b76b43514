// A full disk, a size limit and a broken disk, at each of the first writes and syncs; `npm run test:crash` does all.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failureAt } from "./failingDisk.ts";

describe.each([
	["ENOSPC", "write"],
	["EFBIG", "write"],
	["EIO", "write"],
	["EIO", "sync"],
] as const)("a session whose disk fails with %s at a %s", (code, call) => {
	it("says so, keeps what was saved, and is worked on to its end by the next start", async () => {
		const folder = mkdtempSync(join(tmpdir(), "agi-disk-"));
		try {
			for (let at = 1; at <= 5; at++)
				expect({ at, ...(await failureAt(join(folder, String(at)), code, call, at)) }).toEqual({
					at,
					met: true,
					faults: [],
				});
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	});
});
