import { describe, expect, it } from "vitest";
import { openHistorySearch } from "../../../src/ui/input/historySearch.ts";
import { updatePicker } from "../../../src/ui/input/picker.ts";

describe("openHistorySearch", () => {
	it("tells each message once, newest first", () => {
		const state = openHistorySearch(["new", "old", "new", " ", "older"]);
		expect(state.matches.map((item) => item.label)).toEqual(["new", "old", "older"]);
	});

	it("begins with the draft and steps to older matches", () => {
		const begun = openHistorySearch(["fix a", "other", "fix b"], "fix");
		const older = updatePicker(begun, { do: "move", by: 1 }).state;
		expect(updatePicker(older, { do: "accept" }).picked?.id).toBe("fix b");
	});
});
