import { describe, expect, it } from "vitest";
import { readRetryAfter } from "../../../src/adapters/models/retryAfter.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");

describe("readRetryAfter", () => {
	it.each([
		[{ "retry-after": "2" }, 2000],
		[{ "retry-after": "0.25" }, 250],
		[{ "retry-after-ms": "1500" }, 1500],
		[{ "retry-after-ms": "1500", "retry-after": "9" }, 1500],
		[{ "retry-after": "Thu, 01 Jan 2026 00:00:03 GMT" }, 3000],
		[{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
		[{ "retry-after": "7200" }, 7_200_000],
	])("reads %j as %i ms", (headers, expected) => {
		expect(readRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBe(expected);
	});

	it.each([[{}], [{ "retry-after": "soon" }], [{ "retry-after": "-5" }], [{ "retry-after-ms": "" }]])(
		"reads nothing out of %j",
		(headers) => {
			expect(readRetryAfter(new Headers(headers as Record<string, string>), NOW)).toBeUndefined();
		},
	);
});
