import assert from "node:assert/strict";
import { test } from "node:test";
import { execFileSync } from "node:child_process";

const greet = (...args: string[]) => execFileSync(process.execPath, ["greet.ts", ...args], { encoding: "utf8" });

test("greets", () => assert.equal(greet("Ada"), "Hello, Ada!\n"));
test("greets the world without a name", () => assert.equal(greet(), "Hello, world!\n"));
test("shouts, wherever the flag stands", () => {
	assert.equal(greet("--shout", "Ada"), "HELLO, ADA!\n");
	assert.equal(greet("Zoe", "--shout"), "HELLO, ZOE!\n");
	assert.equal(greet("--shout"), "HELLO, WORLD!\n");
});
