import assert from "node:assert/strict";
import { test } from "node:test";
import { isoDay } from "../src/dates.ts";

test("gives the day that was asked for", () => {
	assert.equal(isoDay(2026, 1, 1), "2026-01-01");
	assert.equal(isoDay(2024, 2, 29), "2024-02-29");
	assert.equal(isoDay(2025, 12, 31), "2025-12-31");
});
