import { describe, expect, it } from "vitest";
import { keptFacts } from "../../../src/agent/context/keptFacts.ts";
import { emptyState, type HistoryItem } from "../../../src/session/state.ts";
import type { ToolStatus } from "../../../src/types.ts";

/** A message with one call, and its result. */
function called(
	name: string,
	args: Record<string, unknown>,
	text: string,
	status: ToolStatus = "result",
): HistoryItem[] {
	const callId = `${name}-${JSON.stringify(args)}-${text.slice(0, 5)}`;
	return [
		{
			kind: "assistant",
			messageId: "m",
			text: "",
			reasoning: "",
			origin: "",
			calls: [{ callId, providerId: callId, name, args }],
		},
		{ kind: "tool", callId, providerId: callId, name, status, text },
	];
}

const said = (text: string): HistoryItem => ({
	kind: "assistant",
	messageId: "m",
	text,
	reasoning: "",
	origin: "",
	calls: [],
});

describe("keptFacts", () => {
	it("keeps the user's words, the middle of long ones left out", () => {
		const { goal } = keptFacts(emptyState(), [
			{ kind: "user", messageId: "m", text: "Do it.\nAnd test it." },
			{ kind: "user", messageId: "n", text: `begin ${"x".repeat(5000)} end` },
		]);
		expect(goal![0]).toBe("user: Do it. / And test it.");
		expect(goal![1]).toMatch(/^user: begin .*truncated.* end$/);
		expect(goal![1]!.length).toBeLessThan(800);
	});

	it("lists files that were written, with how often, and leaves out what was refused", () => {
		const facts = keptFacts(emptyState(), [
			...called("editFile", { path: "a.ts" }, "one"),
			...called("editFile", { path: "a.ts" }, "two"),
			...called("writeFile", { path: "b.ts" }, "no", "denied"),
		]);
		expect(facts.files).toEqual(["a.ts (editFile) 2 times"]);
		expect(facts.permissions).toContain('denied: writeFile {"path":"b.ts"}');
	});

	it("tells commands with the first line of how they ended", () => {
		const { verification } = keptFacts(
			emptyState(),
			called("runCommand", { command: "npm test" }, "Command failed (exit code 1):\nmore", "error"),
		);
		expect(verification).toEqual(["npm test: Command failed (exit code 1):"]);
	});

	it.each([
		["a decision", "decisions", said("Hello.\nWe decided on SQLite because it runs offline.")],
		["a path and a number", "exact", said("The total of src/a/b.ts is 41873.")],
		["a commit", "exact", said("It is at 9f3a01bc7d.")],
	] as const)("keeps the line with %s as it is", (_, section, item) => {
		const lines = keptFacts(emptyState(), [item])[section] ?? [];
		const text = item.kind === "assistant" ? item.text.split("\n").at(-1) : "";
		expect(lines).toEqual([text]);
	});

	it("keeps error lines and handles of results, not their ordinary lines", () => {
		const { exact } = keptFacts(
			emptyState(),
			called(
				"runCommand",
				{ command: "x" },
				"row 1\nrow 2222\nTypeError: x is undefined\nstarted job-5521\nrow 3333",
			),
		);
		expect(exact).toEqual(["TypeError: x is undefined", "started job-5521"]);
	});

	it("names the artifacts of results that leave, and no others", () => {
		const artifact = (artifactId: string, callId: string) => ({
			...{ artifactId, callId, digest: "d", bytes: 9 },
			summary: "runCommand: npm test",
		});
		const items = called("runCommand", { command: "x" }, "row 1");
		const leaving = items.find((item) => item.kind === "tool")?.callId ?? "";
		const state = {
			...emptyState(),
			artifacts: [artifact("artifact-1", leaving), artifact("artifact-2", "stays")],
		};
		expect(keptFacts(state, items).exact).toEqual(["artifact-1 (readArtifact): runCommand: npm test"]);
	});

	it("tells plan and mode as they are now", () => {
		const state = { ...emptyState(), plan: [{ content: "test", status: "pending" as const }] };
		expect(keptFacts(state, [])).toMatchObject({ plan: ["[pending] test"], permissions: ["mode: default"] });
	});
});
