import assert from "node:assert/strict";
import { test } from "node:test";
import { parseLine } from "../src/csv.ts";

test("splits plain fields", () => assert.deepEqual(parseLine("a,b,"), ["a", "b", ""]));
test("keeps commas inside quotes", () => assert.deepEqual(parseLine('1,"Oslo, Norway",x'), ["1", "Oslo, Norway", "x"]));
