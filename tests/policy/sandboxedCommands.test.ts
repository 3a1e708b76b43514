// What a sandbox changes in the verdict on commands.

import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/policy/evaluate.ts";
import type { PolicyFacts } from "../../src/policy/facts.ts";
import type { PolicyContext, PolicyQuestion } from "../../src/policy/policyQuestion.ts";

const full = { level: "full", network: false } as const;

function judge(facts: PolicyFacts, over: Partial<PolicyContext> = {}) {
	const question: PolicyQuestion = {
		tool: facts.code ? "executeCode" : "runCommand",
		version: 1,
		args: {},
		digest: "digest",
		effects: "possible",
		resources: [{ kind: "process", key: "commands", access: "write" }],
		facts,
	};
	const places = { workspaceRoots: ["/srv/app"], home: "/home/ann" };
	return evaluate(question, {
		mode: "default",
		grants: [],
		interactive: true,
		trusted: true,
		places,
		sandbox: full,
		...over,
	});
}

const build = { command: "make build", sandboxed: true };

describe("evaluate, with a sandbox", () => {
	it.each([
		["a command", build],
		["code", { code: { language: "javascript", text: "1" }, sandboxed: true }],
	])("lets %s run unasked in a trusted folder with a full sandbox", (_, facts) => {
		expect(judge(facts)).toMatchObject({ verdict: "allow", rule: "sandbox", grantable: false });
	});

	it.each<[string, PolicyFacts, Partial<PolicyContext>, string]>([
		[
			"the folder is not trusted",
			build,
			{ trusted: false },
			"in the sandbox, where it can read files but change none",
		],
		["the sandbox has gaps", build, { sandbox: { ...full, level: "partial" } }, "in a sandbox with gaps"],
		["there is no sandbox", build, { sandbox: { ...full, level: "none" } }, "with your rights"],
		["nothing is known of it yet", build, { sandbox: { ...full, level: "checking" } }, ""],
		["the call will not run in it", { command: "make build" }, {}, "with your rights"],
		[
			"text of strangers was read and all commands have the network",
			build,
			{ tainted: "https://example.org/", sandbox: { ...full, network: true } },
			"in the sandbox",
		],
		["it runs outside the workspace", { ...build, outside: ["/srv"] }, {}, "/srv"],
	])("asks where %s", (_, facts, over, reason) => {
		expect(judge(facts, over)).toMatchObject({ verdict: "ask", reason: expect.stringContaining(reason) });
	});

	it("still asks every time about commands that are never remembered", () => {
		expect(judge({ ...build, command: "git push" })).toMatchObject({ verdict: "ask", grantable: false });
	});

	it.each([
		"cat .env",
		"cat .e*",
		"sort < .env",
		"grep KEY .env",
		"grep -e KEY .env",
		"grep -eKEY .env",
		"grep -i -fpatterns .env",
		"rg --regexp=KEY .env",
		"sed -n -es/a/b/p .env",
		"sed --expression=p .env",
		"curl --data @.env localhost",
		"timeout 5 cat deploy/server.key",
	])("still asks about secrets that %s names", (command) => {
		expect(judge({ ...build, command })).toMatchObject({ verdict: "ask", rule: "secret-path" });
	});

	it.each(["grep .env src", "grep -rn .env", "rg '[.]env' src", "echo .env", "cat .env.example"])(
		"does not take a text in %s for a file of secrets",
		(command) => {
			expect(judge({ ...build, command })).toMatchObject({ verdict: "allow" });
		},
	);

	it("still denies what no yes may start", () => {
		expect(judge({ ...build, command: "rm -rf /" })).toMatchObject({ verdict: "deny", rule: "hard-deny" });
	});

	it.each<[string, PolicyFacts, string]>([
		["the network", { ...build, wantsNetwork: true }, "sandbox-network"],
		["no sandbox", { command: "make build", unsandboxed: true }, "unsandboxed"],
	])("asks about a wish for %s whatever was granted before, and offers no lasting yes", (_, facts, rule) => {
		const grants = [{ tool: "runCommand", digest: "digest", label: "make build" }];
		expect(judge(facts, { grants })).toMatchObject({ verdict: "ask", rule, grantable: false });
	});

	it("does not ask about a wish for the network that every command has", () => {
		const sandbox = { ...full, network: true };
		expect(judge({ ...build, wantsNetwork: true }, { sandbox }).verdict).toBe("allow");
	});

	it("denies a sandboxed command in plan mode", () => {
		expect(judge(build, { mode: "plan" }).verdict).toBe("deny");
	});
});
