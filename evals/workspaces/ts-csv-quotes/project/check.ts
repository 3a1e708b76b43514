import assert from "node:assert/strict";
import { parseLine } from "./src/csv.ts";

assert.deepEqual(parseLine('"a ""b"", c",,"d"'), ['a "b", c', "", "d"]);
assert.deepEqual(parseLine('"",""'), ["", ""]);
