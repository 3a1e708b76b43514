import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../src/parse.ts";

test("reads keys, skips comments and empty lines, keeps = in values", () => {
	assert.deepEqual(parse("# head\n\na = 1\nurl=http://x/?q=1\n"), { a: "1", url: "http://x/?q=1" });
});
