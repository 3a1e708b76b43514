import { describe, expect, it } from "vitest";
import { LOG_VERSION } from "../../src/session/events.ts";
import { upcast } from "../../src/session/upcast.ts";
import { AgiError } from "../../src/types.ts";
import { commitOf } from "../contracts/sessionLog.ts";

describe("upcast", () => {
	it("leaves a commit of the current version as it is", () => {
		expect(upcast(commitOf(1))).toEqual(commitOf(1));
	});

	it("refuses a commit of a later version and says to update", () => {
		const later = { ...commitOf(1), v: LOG_VERSION + 1 };
		expect(() => upcast(later)).toThrow(AgiError);
		expect(() => upcast(later)).toThrow(/newer agi .*Update agi/);
		expect(() => upcast(later)).toThrow(expect.objectContaining({ code: "LOG_VERSION_NEWER", exitCode: 42 }));
	});
});
