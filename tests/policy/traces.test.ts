// The policy as a whole, over traces of calls: what a strange text asks for never runs unasked, and ordinary work is
// hardly asked about more because such a text was read.

import { describe, expect, it } from "vitest";
import { parseRule } from "../../src/policy/rules.ts";
import { type Call, CODING_TRACES, INJECTED, judgeCall } from "../support/policyTraces.ts";

const full = { level: "full", network: false } as const;
const tainted = { tainted: "https://evil.test/" };

/** Calls of traces that ask or are denied, in percent. */
function askedShare(calls: readonly Call[], over: Parameters<typeof judgeCall>[1]): number {
	return (calls.filter((call) => judgeCall(call, over).verdict !== "allow").length / calls.length) * 100;
}

const coding = CODING_TRACES.flatMap(({ calls }) => calls);

describe("calls that an injected text asks for", () => {
	const rules = [
		"runCommand",
		"webFetch",
		"writeFile",
		"readFile",
		"runCommand(curl *)",
		"runCommand(git *)",
	].map((text) => {
		const parsed = parseRule(text, { effect: "allow", layer: "user", origin: "test" });
		if (!parsed.ok) throw new Error(parsed.problem);
		return parsed.rule;
	});

	it.each(INJECTED.map((call) => [JSON.stringify(call), call] as const))(
		"never run unasked: %s",
		(_, call) => {
			for (const sandbox of [full, { level: "partial", network: true } as const, undefined])
				for (const given of [[], rules])
					expect(
						judgeCall(call, { ...tainted, rules: given, ...(sandbox ? { sandbox } : {}) }).verdict,
					).not.toBe("allow");
		},
	);
});

describe("ordinary coding work", () => {
	it("has sixty traces", () => {
		expect(CODING_TRACES).toHaveLength(60);
	});

	it("is asked about at most in ten of a hundred more calls after a text of unknown intent", () => {
		for (const over of [{ sandbox: full }, {}])
			expect(askedShare(coding, { ...over, ...tainted }) - askedShare(coding, over)).toBeLessThanOrEqual(10);
	});

	it("is hardly asked about in a full sandbox, and in a folder without one only for what may change something", () => {
		expect(askedShare(coding, { sandbox: full })).toBeLessThanOrEqual(5);
		expect(askedShare(coding, {})).toBeLessThanOrEqual(70);
	});

	it("of forty commands in one project asks at most three times", () => {
		const commands = CODING_TRACES.filter(({ name }) => /^(node|pnpm):/.test(name)).flatMap(
			({ calls }) => calls,
		);
		const forty = [...commands, ...commands].filter((call) => "run" in call).slice(0, 40);
		expect(forty).toHaveLength(40);
		expect(
			forty.filter((call) => judgeCall(call, { sandbox: full }).verdict !== "allow").length,
		).toBeLessThanOrEqual(3);
	});
});
