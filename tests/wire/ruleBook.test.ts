// Rules that a person changes while a session runs: they hold from the next call on, and against what waits.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HostBench, openHostBench } from "../support/hostBench.ts";

const touch = (name: string) => ({
	calls: [{ id: name, name: "runCommand", args: { command: `touch ${name}` } }],
});

/** The call that waits for an answer now. */
function waiting({ heard }: HostBench): string | undefined {
	const last = heard.findLast((one) => one.kind === "prompts");
	return last?.kind === "prompts" ? last.open[0]?.prompt.callId : undefined;
}

async function open(script: Parameters<typeof openHostBench>[0], prepare?: (root: string) => void) {
	return openHostBench(script, {
		mode: "default",
		trusted: true,
		...(prepare ? { prepare } : {}),
	});
}

const results = (bench: HostBench) =>
	bench
		.facts()
		.flatMap((event) => (event.type === "tool/result" ? [[event.status, event.text] as const] : []));

function suggest(root: string, allow: string[]): void {
	mkdirSync(join(root, ".agent"), { recursive: true });
	writeFileSync(join(root, ".agent", "settings.json"), JSON.stringify({ permissions: { allow } }));
}

describe("a rule that is added while a session runs", () => {
	it("denies the call whose question waits, though the person then says yes", async () => {
		const bench = await open([touch("made"), { text: "ok" }]);
		const said = bench.say("go");
		const callId = await bench.until(() => waiting(bench));
		expect(await bench.ok({ do: "addRule", effect: "deny", rule: "runCommand(touch *)" })).toEqual({
			path: join(bench.home, "config", "settings.json"),
			changed: true,
		});
		await bench.ok({ do: "answerApproval", callId, answer: "yes" });
		await said;
		expect(results(bench)).toEqual([["denied", expect.stringContaining("runCommand(touch *)")]]);
		expect(existsSync(join(bench.root, "made"))).toBe(false);
	});

	it("allows the next call, and asks again once it is taken out", async () => {
		const bench = await open([touch("one"), touch("two"), { text: "ok" }]);
		await bench.ok({ do: "addRule", effect: "allow", rule: "runCommand(touch one)" });
		const said = bench.say("go");
		const callId = await bench.until(() => waiting(bench));
		expect(callId).toBe("two");
		expect(existsSync(join(bench.root, "one"))).toBe(true);
		await bench.ok({ do: "removeRule", rule: "runCommand(touch one)" });
		expect((await bench.ok({ do: "permissions" })).rules).toEqual([]);
		await bench.ok({ do: "answerApproval", callId, answer: "no" });
		await said;
	});

	it("is refused with a sentence where it is none", async () => {
		const bench = await open([]);
		expect(await bench.refusal({ do: "addRule", effect: "allow", rule: "runCommand(a * b)" })).toMatch(
			/has a \* before its end/,
		);
	});
});

describe("importRules", () => {
	it("takes over what the project suggests for this project alone, until its file changes", async () => {
		const bench = await open([touch("one"), { text: "ok" }, touch("two"), { text: "ok" }], (root) =>
			suggest(root, ["runCommand(touch *)"]),
		);
		// The start of the bench reads no settings; a change reads them.
		await bench.ok({ do: "addRule", effect: "deny", rule: "webFetch" });
		const { suggested } = await bench.ok({ do: "permissions" });
		expect(suggested.map(({ rule }) => rule)).toEqual(["runCommand(touch *)"]);
		const taken = await bench.ok({ do: "importRules" });
		expect(taken.rules).toEqual(suggested);
		await bench.say("go");
		expect(existsSync(join(bench.root, "one"))).toBe(true);
		const stored = JSON.parse(readFileSync(taken.path, "utf8"));
		expect(stored.permissions.allow).toEqual([
			{
				tool: "runCommand",
				argv: ["touch", "*"],
				from: { project: bench.root, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
			},
		]);

		suggest(bench.root, ["runCommand(touch *)", "runCommand(curl *)"]);
		await bench.ok({ do: "addRule", effect: "ask", rule: "webSearch" });
		const { rules } = await bench.ok({ do: "permissions" });
		expect(rules.filter(({ effect }) => effect === "allow")).toEqual([]);
	});

	it("takes nothing over where the project suggests nothing", async () => {
		const bench = await open([]);
		expect(await bench.refusal({ do: "importRules" })).toMatch(/suggests no rules/);
	});
});
