import assert from "node:assert/strict";
import { test } from "node:test";
import { createLru } from "../src/lru.ts";

test("keeps what was read last", () => {
	const lru = createLru<number>(2);
	lru.set("a", 1);
	lru.set("b", 2);
	lru.get("a");
	lru.set("c", 3);
	assert.deepEqual(lru.keys().sort(), ["a", "c"]);
});

test("forgets nothing when an entry is set anew", () => {
	const lru = createLru<number>(2);
	lru.set("a", 1);
	lru.set("b", 2);
	lru.set("b", 3);
	assert.deepEqual(lru.keys().sort(), ["a", "b"]);
	assert.equal(lru.get("b"), 3);
});
