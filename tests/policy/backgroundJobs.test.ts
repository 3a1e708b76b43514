// Which commands start something that they do not wait for.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leavesJobs } from "../../src/policy/backgroundJobs.ts";

describe("leavesJobs", () => {
	it.each([
		"npm start &",
		"(while true; do echo tick; sleep 1; done) & sleep 1",
		"if true; then server & fi; echo up",
		"nohup server > log 2>&1 &\necho $!",
	])("is true of %j", (command) => {
		expect(leavesJobs(command)).toBe(true);
	});

	it.each([
		"make && make test",
		"make > log 2>&1",
		"make |& tee log",
		"echo 'a & b'",
		"a & b & wait",
		"cat <<'EOF'\nx & y\nEOF",
		"(((",
	])("is false of %j", (command) => {
		expect(leavesJobs(command)).toBe(false);
	});

	it("takes any text", () => {
		fc.assert(
			fc.property(fc.string({ unit: "binary" }), (text) => typeof leavesJobs(`${text}&`) === "boolean"),
		);
	});
});
