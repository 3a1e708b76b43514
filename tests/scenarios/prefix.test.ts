// One session of 60 steps against a real server, while everything changes that may change: documents, memory, skills, the
// plan, the mode. Compared are the bytes that the server received.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createWorld } from "../../src/adapters/world.ts";
import { rebuildRequests } from "../../src/runtime/requests.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { type CaseServer, type Reply, startCaseServer } from "../support/caseServer.ts";
import { type HostBench, openHostBench } from "../support/hostBench.ts";

const STEPS = 60;
const STEPS_A_TURN = 20;

const SKILL = "---\nname: tidy\ndescription: How to tidy up here.\n---\nTidy with care.";

function prepare(root: string): void {
	const files: Record<string, string> = {
		".git/HEAD": "ref: refs/heads/main\n",
		"AGENTS.md": "Use tabs.",
		"lib/AGENTS.md": "No classes here.",
		"lib/b.ts": "export {};\n",
		"a.txt": "plain words about nothing\n".repeat(200),
		".agent/MEMORY.md": "- [fact, 2026-11-01] The build takes a minute.\n",
		".agent/skills/tidy/SKILL.md": SKILL,
	};
	for (const [path, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), text);
	}
}

/** What the model does in its n-th step, and what happens to the workspace at that moment. */
function replyOf(step: number, bench: () => HostBench): Reply {
	if (step === 5) bench().write("AGENTS.md", "Use spaces.");
	if (step === 12) bench().write(".agent/MEMORY.md", "- [fact, 2026-11-02] The build takes two minutes.\n");
	if (step === 24) bench().write(".agent/skills/check/SKILL.md", SKILL.replace("tidy", "check"));
	if (step === 50) bench().write("lib/AGENTS.md", "Classes are fine.");
	if (step % STEPS_A_TURN === 0) return { text: `turn of step ${step} is done` };
	const call = (name: string, args: object) => ({ text: `step ${step}`, calls: [{ name, args }] });
	switch (step) {
		case 8:
		case 33:
			return call("updatePlan", { items: [{ content: `part ${step}`, status: "in_progress" }] });
		case 15:
			return call("loadSkill", { name: "tidy" });
		case 28:
			return call("memory", { action: "add", text: "Releases are on Fridays.", category: "fact" });
		case 44:
			return call("readFile", { path: "lib/b.ts" });
		default:
			return call("readFile", { path: "a.txt", offset: step });
	}
}

/** What of a request a server's prompt cache can serve: everything but the newest messages. */
function parsed({ body }: CaseServer["requests"][number]) {
	const { messages, tools, ...rest } = JSON.parse(body.toString("utf8")) as { messages: unknown[] } & Record<
		string,
		unknown
	>;
	return {
		messages: messages.map((message) => JSON.stringify(message)),
		fixed: JSON.stringify([tools, rest]),
	};
}

/** The number of each request that does not begin with the whole of the one before it. */
function breaks(requests: CaseServer["requests"]): number[] {
	const all = requests.map(parsed);
	return all.flatMap((request, i) => {
		const before = all[i - 1];
		if (!before) return [];
		const isWhole =
			before.fixed === request.fixed &&
			before.messages.every((message, at) => message === request.messages[at]);
		return isWhole ? [] : [i];
	});
}

/** Every request of the session as its log gives it back. */
async function rebuilt({ root, home, client }: HostBench): Promise<string[]> {
	const place = await locate(root, { AGI_HOME: home, HOME: home }, true);
	const { commits, getBlob } = await openSessions(place).read(client.greeting.sessionId);
	const bodies: string[] = [];
	for await (const request of rebuildRequests(commits, { getBlob, digest: createWorld().digest }))
		bodies.push(request.ok ? request.body : request.message);
	return bodies;
}

it("a session of 60 steps sends each request whole as the beginning of the next; only a checkpoint begins anew", async () => {
	let bench: HostBench | undefined;
	let step = 0;
	let isLast = false;
	const next = (): Reply => {
		const told = Math.ceil(server.requests.at(-1)!.body.length / 4);
		const usage = { prompt_tokens: told, completion_tokens: 10, total_tokens: told + 10 };
		if (isLast) return { text: "## Confirmed facts\n- sixty steps", usage };
		step++;
		return { ...replyOf(step, () => bench!), usage };
	};
	const server: CaseServer = await startCaseServer(Array.from({ length: 2 * STEPS }, () => next));
	onTestFinished(() => server.close());
	bench = await openHostBench([], {
		trusted: true,
		mode: "acceptEdits",
		prepare,
		model: { kind: "model", model: "case", profile: "custom", baseUrl: server.baseUrl },
	});
	await bench.say("first part");
	await bench.ok({ do: "changeMode", mode: "plan" });
	await bench.say("second part");
	await bench.ok({ do: "changeMode", mode: "acceptEdits" });
	await bench.say("third part");
	expect(step).toBe(STEPS);
	expect(server.requests).toHaveLength(STEPS);
	expect(server.violations).toEqual([]);
	expect(breaks(server.requests)).toEqual([]);
	const last = server.requests.at(-1)!.body.toString("utf8");
	for (const told of [
		"Use spaces.",
		"two minutes",
		"Tidy with care.",
		"Plan mode is on",
		"No classes here.",
		"Classes are fine.",
	])
		expect(last).toContain(told);

	isLast = true;
	await bench.ok({ do: "compact" });
	await bench.ok({ do: "acceptCompaction" });
	await bench.say("go on");
	await bench.say("and on");
	const [, summary, fresh] = server.requests.slice(STEPS - 1);
	expect(summary!.tools).toEqual([]);
	const conversation = server.requests.filter((request) => request !== summary);
	expect(breaks(conversation)).toEqual([STEPS]);
	expect(fresh!.tools).toEqual(server.requests[0]!.tools);
	expect(fresh!.messages[0]!.content).toContain("Use spaces.");
	expect(await rebuilt(bench)).toEqual(server.requests.map(({ body }) => body.toString("utf8")));
});
