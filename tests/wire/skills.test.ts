import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../src/ports/model.ts";
import { openHostBench } from "../support/hostBench.ts";

const skill = (name: string, description: string, body: string) =>
	`---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

function put(root: string, path: string, text: string): void {
	mkdirSync(dirname(join(root, path)), { recursive: true });
	writeFileSync(join(root, path), text);
}

const withSkill = (root: string) => {
	put(
		root,
		".agent/skills/greet/SKILL.md",
		skill("greet", "Greets people.", "Say hello.\n\nRun `echo hello`."),
	);
	put(root, ".agent/skills/greet/scripts/hello.sh", "echo hello\n");
};

const call = (id: string, name: string, args: Record<string, unknown>) => ({ calls: [{ id, name, args }] });
const toolNames = (request: ModelRequest | undefined) => request?.tools.map(({ name }) => name) ?? [];
const said = (request: ModelRequest | undefined) =>
	request?.messages.map(({ text }) => text).join("\n") ?? "";

describe("openSkills", () => {
	it("offers loadSkill and the list only where there is a skill, and a project's only where it is trusted", async () => {
		const [none, untrusted, trusted] = await Promise.all([
			openHostBench([], { trusted: true }),
			openHostBench([], { trusted: false, prepare: withSkill }),
			openHostBench([], { trusted: true, prepare: withSkill }),
		]);
		for (const bench of [none, untrusted, trusted]) await bench.say("hi");
		const requests = [none, untrusted, trusted].map(({ model }) => model.requests[0]?.request);
		expect(requests.map((request) => toolNames(request).includes("loadSkill"))).toEqual([false, false, true]);
		expect(requests.map((request) => request?.system.includes("- greet: Greets people."))).toEqual([
			false,
			false,
			true,
		]);
	});

	it("brings a skill once, and again once it changed", async () => {
		const load = (id: string) => call(id, "loadSkill", { name: "greet" });
		const bench = await openHostBench([load("c1"), load("c2"), { text: "ok" }, load("c3"), { text: "ok" }], {
			trusted: true,
			prepare: withSkill,
		});
		await bench.say("greet them");
		bench.write(".agent/skills/greet/SKILL.md", skill("greet", "Greets people.", "Say goodbye."));
		await bench.say("once more");
		const results = bench.facts().filter((event) => event.type === "tool/result");
		expect(results.map(({ status }) => status)).toEqual(["result", "result", "result"]);
		expect(results[0]?.text).toMatch(/Say hello\.[\s\S]*- \.agent\/skills\/greet\/scripts\/hello\.sh$/);
		expect(results[1]?.text).toBe(
			"The skill greet is loaded already and has not changed; its instructions stand above.",
		);
		expect(results[2]?.text).toContain("Say goodbye.");
		const loads = bench.facts().filter((event) => event.type === "skill/loaded");
		expect(loads.map(({ name, path, trusted, itemId }) => [name, path, trusted, itemId])).toEqual([
			["greet", ".agent/skills/greet/SKILL.md", true, "c1"],
			["greet", ".agent/skills/greet/SKILL.md", true, "c3"],
		]);
	});

	it("refuses a skill that is not there or that only the person starts, and names those that are", async () => {
		const bench = await openHostBench(
			[
				call("c1", "loadSkill", { name: "gret" }),
				call("c2", "loadSkill", { name: "deploy" }),
				{ text: "ok" },
			],
			{
				trusted: true,
				prepare(root) {
					withSkill(root);
					const head = "name: deploy\ndescription: Deploys.\ndisable-model-invocation: true";
					put(root, ".agent/skills/deploy/SKILL.md", `---\n${head}\n---\nGo.\n`);
				},
			},
		);
		await bench.say("go");
		const results = bench.facts().filter((event) => event.type === "tool/result");
		expect(results[0]?.error).toMatchObject({
			type: "NOT_FOUND",
			message: "There is no skill gret. The skills are: greet.",
		});
		expect(results[1]?.error).toMatchObject({ type: "DENIED", message: expect.stringContaining("/deploy") });
	});

	it("keeps tools, instructions and the loaded text of a resumed session, whatever became of the skill", async () => {
		const bench = await openHostBench(
			[call("c1", "loadSkill", { name: "greet" }), { text: "ok" }, { text: "again" }],
			{
				trusted: true,
				prepare: withSkill,
			},
		);
		await bench.say("greet them");
		const { sessionId } = bench.client.greeting;
		rmSync(join(bench.root, ".agent/skills"), { recursive: true });
		await bench.ok({ do: "newSession" });
		await bench.ok({ do: "resumeSession", id: sessionId });
		await bench.say("go on");
		const [first, , last] = bench.model.requests.map(({ request }) => request);
		expect(last?.system).toBe(first?.system);
		expect(toolNames(last)).toEqual(toolNames(first));
		expect(said(last)).toContain("Say hello.");
		expect(said(last)).toContain("The skills that could be loaded are gone.");
	});

	it("tells a change of the list at its place and leaves what stands before it as it was", async () => {
		const bench = await openHostBench([], { trusted: true, prepare: withSkill });
		await bench.say("one");
		bench.write(".agent/skills/part/SKILL.md", skill("part", "Says goodbye.", "Say goodbye."));
		await bench.say("two");
		const [first, second] = bench.model.requests.map(({ request }) => request);
		expect(second?.system).toBe(first?.system);
		expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
		expect(said(second)).toMatch(
			/<agi_notice>\nThe skills that loadSkill can load have changed[\s\S]*- part: Says goodbye\.\n<\/agi_notice>/,
		);
	});

	it("lets files of the person's own loaded skill be read unasked, and no other file beside the workspace", async () => {
		const script: ReturnType<typeof call>[] = [];
		const prepare = (root: string) => {
			const own = join(dirname(root), "home/config/skills/mine");
			script.push(
				call("c1", "readFile", { path: join(own, "references/a.md") }),
				call("c2", "loadSkill", { name: "mine" }),
				call("c3", "readFile", { path: join(own, "references/a.md") }),
				call("c4", "searchFiles", { pattern: "reference", path: own }),
				call("c5", "writeFile", { path: join(own, "references/b.md"), content: "x" }),
				call("c6", "readFile", { path: join(dirname(root), ".claude/other.md") }),
			);
			put(own, "SKILL.md", skill("mine", "Mine.", "Read the reference."));
			put(own, "references/a.md", "the reference");
			put(dirname(root), ".claude/other.md", "other");
		};
		const bench = await openHostBench(script, { trusted: true, mode: "default", prepare });
		bench.client.listen((notification) => {
			if (notification.kind !== "prompts") return;
			for (const { prompt } of notification.open)
				void bench.client.send({
					do: "answerApproval",
					callId: prompt.callId,
					answer: "no",
					words: "not now",
				});
		});
		await bench.say("go");
		const verdicts = bench.facts().flatMap((event) => (event.type === "policy/decided" ? event.verdict : []));
		expect(verdicts).toEqual(["ask", "allow", "allow", "allow", "ask", "ask"]);
		expect(bench.client.greeting.state.taint).toEqual([]);
	});

	it("does not take what a loaded skill says for an order of a stranger", async () => {
		const bench = await openHostBench(
			[
				call("c1", "loadSkill", { name: "greet" }),
				call("c2", "runCommand", { command: "echo hello" }),
				{ text: "ok" },
			],
			{ trusted: true, mode: "default", prepare: withSkill },
		);
		await bench.say("greet them");
		expect(
			bench
				.facts()
				.filter((event) => event.type === "policy/decided")
				.map(({ verdict }) => verdict),
		).toEqual(["allow", "allow"]);
	});

	it("lists none to a subagent, which could not load it", async () => {
		const script = [
			call("c1", "delegateToSubagent", { subagent: "explorer", task: "look" }),
			{ text: "seen" },
			{ text: "ok" },
		];
		const bench = await openHostBench(script, { trusted: true, prepare: withSkill });
		await bench.say("go");
		const [own, child] = bench.model.requests.map(({ request }) => request);
		expect([own?.system.includes("# Skills"), child?.system.includes("# Skills")]).toEqual([true, false]);
		expect(toolNames(child)).not.toContain("loadSkill");
	});

	it("asks before a skill of the project is written, also where other files are written unasked", async () => {
		const path = ".agents/skills/new/SKILL.md";
		const script = [call("c1", "writeFile", { path, content: "x" }), { text: "ok" }];
		const bench = await openHostBench(script, { trusted: true, mode: "acceptEdits" });
		bench.client.listen((notification) => {
			if (notification.kind === "prompts" && notification.open.length > 0)
				void bench.client.send({ do: "answerApproval", callId: "c1", answer: "no", words: "no" });
		});
		await bench.say("go");
		expect(bench.facts().find((event) => event.type === "policy/decided")).toMatchObject({ verdict: "ask" });
	});

	it("says at the start which skills are broken, and counts those beyond three", async () => {
		const bench = await openHostBench([], {
			trusted: true,
			prepare(root) {
				for (const name of ["a", "b", "c", "d"]) put(root, `.agent/skills/${name}/SKILL.md`, "no head");
			},
		});
		await bench.ok({ do: "newSession" });
		const told = bench.heard.find((one) => one.kind === "session");
		expect(told?.kind === "session" && told.notices).toEqual([
			...["a", "b", "c"].map(
				(name) =>
					`Skill .agent/skills/${name}/SKILL.md was left out: it does not begin with a head between two lines of ---.`,
			),
			"1 more skills were left out; /skills says why.",
		]);
	});
});
