import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createScriptedModel, type ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { rebuildRequests } from "../../src/runtime/requests.ts";
import type { Attachment } from "../../src/session/events.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { type HostBench, openHostBench } from "../support/hostBench.ts";
import { pngOf } from "../support/images.ts";
import { startPlayServer } from "../support/playServer.ts";

const call = (id: string, name: string, args: Record<string, unknown>) => ({ calls: [{ id, name, args }] });

function put(root: string, path: string, content: string | Uint8Array): void {
	mkdirSync(dirname(join(root, path)), { recursive: true });
	writeFileSync(join(root, path), content);
}

function attachmentsOf(bench: HostBench): Attachment[] {
	return bench.facts().flatMap((event) => (event.type === "user/message" ? (event.attachments ?? []) : []));
}

/** The bodies of a session's requests as its log gives them back. */
async function bodiesOf({ root, home }: HostBench, sessionId: string): Promise<string[]> {
	const sessions = openSessions(await locate(root, { AGI_HOME: home }, false));
	const { commits, getBlob } = await sessions.read(sessionId);
	const bodies: string[] = [];
	const { digest } = createWorld();
	for await (const rebuilt of rebuildRequests(commits, { getBlob, digest }))
		bodies.push(rebuilt.ok ? rebuilt.body : rebuilt.message);
	return bodies;
}

/** The words of the message that a request ends with. */
function lastWords(bench: HostBench, index = -1): string {
	return bench.model.requests.at(index)?.request.messages.at(-1)?.text ?? "";
}

describe("a message that names files", () => {
	it("brings them behind the person's words, and the title and the words stay the person's", async () => {
		const bench = await openHostBench([], {
			trusted: true,
			prepare: (root) => put(root, "src/a.ts", "export const a = 1;\n"),
		});
		await bench.say("explain @src/a.ts, please");
		expect(lastWords(bench)).toBe(
			'explain @src/a.ts, please\n\n<attachment kind="file" source="src/a.ts">\nexport const a = 1;\n</attachment>',
		);
		const { state } = bench.client.greeting;
		expect([state.title, state.taint]).toEqual(["explain @src/a.ts, please", []]);
		expect(attachmentsOf(bench)[0]).toMatchObject({ kind: "file", source: "src/a.ts", cut: false });
	});

	it("leaves a word that names nothing as it is", async () => {
		const bench = await openHostBench([]);
		await bench.say("write to a@b.org, use @types/node and @Injectable");
		expect(attachmentsOf(bench)).toEqual([]);
		expect(lastWords(bench)).toBe("write to a@b.org, use @types/node and @Injectable");
	});

	it("cuts a long file in its middle and says so, lists a folder, and names what has no text", async () => {
		const bench = await openHostBench([], {
			trusted: true,
			prepare(root) {
				put(root, "long.txt", "a line\n".repeat(20_000));
				for (let i = 0; i < 205; i++) put(root, `many/f${i}`, "");
				mkdirSync(join(root, "empty"));
				put(root, "data.bin", new Uint8Array([0, 1, 2, 0, 255]));
			},
		});
		await bench.say("@long.txt @many @empty/ @data.bin");
		const [long, many, empty, binary] = attachmentsOf(bench);
		expect([long?.kind, long?.cut, long?.text.length]).toEqual(["file", true, expect.any(Number)]);
		expect(long?.text.length).toBeLessThanOrEqual(50_000);
		expect(long?.text).toMatch(/\.\.\. \[\d+ lines truncated\] \.\.\./);
		expect([many?.kind, many?.cut]).toEqual(["folder", true]);
		expect(many?.text).toMatch(/^\[file\] f0\n[\s\S]*\[5 more entries are not shown\]$/);
		expect(empty).toMatchObject({ kind: "folder", source: "empty", text: "(The folder is empty.)" });
		expect(binary?.text).toBe("(A binary file of 5 bytes; its content is not attached.)");
	});

	it("is not sent where one of them usually holds secrets or is kept from the model by a rule", async () => {
		const bench = await openHostBench([], {
			prepare(root) {
				put(root, ".env", "KEY=1");
				put(dirname(root), ".ssh/id_ed25519", "key");
				symlinkSync("../.ssh/id_ed25519", join(root, "innocent"));
			},
		});
		const submit = (text: string) => bench.refusal({ do: "submit", text, target: "next_turn" });
		const why = /is not attached: it usually holds secrets\. Take it out of the message/;
		expect(await submit("see @.env")).toMatch(why);
		expect(await submit(`see @${join(dirname(bench.root), ".ssh/id_ed25519")}`)).toMatch(why);
		expect(await submit("see @innocent")).toMatch(why);
		expect(await submit(`see @${bench.home}/data/projects`)).toMatch(why);
		expect(bench.facts().filter((event) => event.type === "user/message")).toEqual([]);
	});

	it("brings a file beside the workspace, whose text then counts as a stranger's", async () => {
		const bench = await openHostBench([], {
			trusted: true,
			prepare: (root) => put(dirname(root), "note.txt", "obey"),
		});
		await bench.say("see @../note.txt");
		const path = join(dirname(bench.root), "note.txt");
		expect(bench.client.greeting.state.taint).toEqual([`the file ${path}`]);
		expect(attachmentsOf(bench)[0]?.source).toBe(path);
	});

	it("counts as a stranger's text in a folder that is not trusted", async () => {
		const bench = await openHostBench([], { prepare: (root) => put(root, "a.txt", "a") });
		await bench.say("see @a.txt");
		expect(bench.client.greeting.state.taint).toEqual(["files of this folder, which is not trusted"]);
	});

	it("takes known secrets out of what it brings", async () => {
		const bench = await openHostBench([], {
			secrets: ["hunter2hunter2"],
			prepare: (root) => put(root, "a.txt", "pass hunter2hunter2"),
		});
		await bench.say("see @a.txt");
		expect(lastWords(bench)).not.toContain("hunter2");
	});

	it("counts as having read a whole file: it may be written, unless it changed since", async () => {
		const script = [
			call("c1", "writeFile", { path: "a.txt", content: "new" }),
			call("c2", "writeFile", { path: "b.txt", content: "new" }),
			{ text: "ok" },
		];
		const bench = await openHostBench(script, {
			trusted: true,
			mode: "acceptEdits",
			prepare(root) {
				put(root, "a.txt", "old");
				put(root, "b.txt", "old");
			},
		});
		bench.client.listen((notification) => {
			if (notification.kind === "prompts" && notification.open[0])
				void bench.client.send({
					do: "answerApproval",
					callId: notification.open[0].prompt.callId,
					answer: "no",
					words: "no",
				});
		});
		await bench.say("rewrite @a.txt");
		const verdicts = bench.facts().flatMap((event) => (event.type === "policy/decided" ? event.verdict : []));
		expect(verdicts).toEqual(["allow", "ask"]);
	});

	it("lets a command that stands in such a file ask, however harmless it is", async () => {
		const bench = await openHostBench(
			[call("c1", "runCommand", { command: "echo validated" }), { text: "ok" }],
			{
				trusted: true,
				mode: "default",
				prepare: (root) => put(root, "README.md", "To validate, run: echo validated\n"),
			},
		);
		bench.client.listen((notification) => {
			if (notification.kind === "prompts" && notification.open[0])
				void bench.client.send({
					do: "answerApproval",
					callId: notification.open[0].prompt.callId,
					answer: "no",
					words: "no",
				});
		});
		await bench.say("look at @README.md");
		const decided = bench.facts().find((event) => event.type === "policy/decided");
		expect(decided).toMatchObject({
			verdict: "ask",
			reason: expect.stringContaining("stands in the attached file README.md"),
		});
	});

	it("reads only what was typed of a message that goes on with other text", async () => {
		const bench = await openHostBench([], { prepare: (root) => put(root, "a.txt", "a") });
		const text = "review @a.txt\n\nand @a.txt /skill data:image/png;base64,AAAA";
		await bench.ok({ do: "submit", text, target: "next_turn", typed: 0 });
		await bench.until(() => bench.model.requests.length === 1);
		expect(attachmentsOf(bench)).toEqual([]);
		expect(lastWords(bench)).toBe(text);
	});

	it("keeps the order of messages, whichever has more to read", async () => {
		const bench = await openHostBench([{ hang: true }], { prepare: (root) => put(root, "a.txt", "a") });
		await bench.ok({ do: "submit", text: "begin", target: "next_turn" });
		await Promise.all(
			["see @a.txt", "two", "three"].map((text) => bench.ok({ do: "submit", text, target: "next_turn" })),
		);
		expect(bench.client.greeting.state.inbox.map(({ text }) => text)).toEqual(["see @a.txt", "two", "three"]);
		await bench.ok({ do: "interrupt" });
	});

	it("brings what the new words name once a waiting message is changed", async () => {
		const bench = await openHostBench([{ hang: true }], {
			prepare(root) {
				put(root, "a.txt", "a");
				put(root, "b.txt", "b");
			},
		});
		await bench.ok({ do: "submit", text: "begin", target: "next_turn" });
		await bench.ok({ do: "submit", text: "see @a.txt", target: "next_turn" });
		await bench.ok({ do: "submit", text: "and @a.txt", target: "next_turn" });
		const { messageId } = bench.client.greeting.state.inbox[0]!;
		await bench.ok({ do: "replaceInput", messageId, text: "see @b.txt" });
		const waiting = bench.client.greeting.state.inbox;
		expect(waiting.map(({ attachments }) => attachments?.map(({ source }) => source))).toEqual([
			["b.txt"],
			["a.txt"],
		]);
		await bench.ok({ do: "interrupt" });
	});
});

describe("a message that names a session", () => {
	it("brings that session in short", async () => {
		const bench = await openHostBench([{ text: "the answer is 42" }]);
		await bench.say("what is the answer");
		const { sessionId } = bench.client.greeting;
		await bench.ok({ do: "newSession" });
		await bench.say(`go on with @session:${sessionId}`);
		const [attached] = attachmentsOf(bench);
		expect(attached).toMatchObject({ kind: "session", source: sessionId, cut: false });
		expect(attached?.text).toMatch(
			/^Session \S+ "what is the answer", begun in [\s\S]*User: what is the answer\n\nAgent: the answer is 42$/,
		);
	});

	it("is not sent where there is no such session, or where it is the same one", async () => {
		const bench = await openHostBench([]);
		await bench.say("hi");
		const { sessionId } = bench.client.greeting;
		const submit = (id: string) =>
			bench.refusal({ do: "submit", text: `see @session:${id}`, target: "next_turn" });
		expect(await submit("nothing")).toMatch(/^No session nothing belongs to this folder/);
		expect(await submit(sessionId)).toBe(`@session:${sessionId} is this session; name another one.`);
	});
});

describe("a message that starts a skill", () => {
	const skill = (body: string) => (root: string) =>
		put(root, ".agent/skills/cook/SKILL.md", `---\nname: cook\ndescription: Cooks.\n---\n${body}\n`);

	it("brings its instructions with the words in their place, and records the load", async () => {
		const bench = await openHostBench([call("c1", "loadSkill", { name: "cook" }), { text: "ok" }], {
			trusted: true,
			prepare: skill("Cook $ARGUMENTS well."),
		});
		await bench.say("/cook pea soup");
		const first = bench.model.requests[0]?.request.messages.at(-1)?.text ?? "";
		expect(first).toMatch(
			/^\/cook pea soup\n\n<attachment kind="skill" source="cook">\nThe user starts this skill/,
		);
		expect(first).toContain("Cook pea soup well.");
		const loaded = bench.facts().find((event) => event.type === "skill/loaded");
		const message = bench.facts().find((event) => event.type === "user/message");
		expect(loaded).toMatchObject({ name: "cook", itemId: message?.messageId });
		expect(bench.facts().find((event) => event.type === "tool/result")?.text).toContain("is loaded already");
		expect(bench.client.greeting.skills).toEqual([{ name: "cook", description: "Cooks." }]);
	});

	it("starts none with two slashes, with another name, or in a folder that is not trusted", async () => {
		const bench = await openHostBench([], { trusted: true, prepare: skill("Cook.") });
		await bench.ok({ do: "submit", text: "/cook", target: "next_turn", startsSkills: false });
		await bench.until(() => bench.model.requests.length === 1);
		await bench.say("/bake");
		const untrusted = await openHostBench([], { prepare: skill("Cook.") });
		await untrusted.say("/cook");
		expect([...attachmentsOf(bench), ...attachmentsOf(untrusted)]).toEqual([]);
	});
});

describe("a message with images", () => {
	async function openWith(script: readonly ScriptedReply[], name: string, images?: boolean) {
		const model = createScriptedModel((_, index) => script[index] ?? { text: "ok" }, { name });
		const bench = await openHostBench([], {
			trusted: true,
			model: { kind: "given", model },
			prepare: (root) => put(root, "shot.png", pngOf(800, 600)),
			...(images === undefined ? {} : { images }),
		});
		return { bench, model };
	}
	const base64 = Buffer.from(pngOf(800, 600)).toString("base64");

	it("sends their bytes to a model that takes images; the log names their blob", async () => {
		const { bench, model } = await openWith([], "gpt-5-mini");
		await bench.say("what is @shot.png");
		await bench.say("and now");
		const [first, second] = model.requests.map(({ request }) => request.messages[0]);
		expect(first).toMatchObject({
			role: "user",
			text: 'what is @shot.png\n\n<attachment kind="image" source="shot.png" />',
			images: [{ mediaType: "image/png", base64, width: 800, height: 600 }],
		});
		expect(second).toEqual(first);
		const said = bench.facts().filter((event) => event.type === "user/message");
		expect(JSON.stringify(said)).not.toContain(base64);
	});

	it("can be given back byte for byte, after a restart and in a copy of the session, too", async () => {
		const { bench, model } = await openWith([], "gpt-5-mini");
		put(bench.root, "large.png", Buffer.concat([pngOf(800, 600), Buffer.alloc(40_000, 7)]));
		await bench.say("what is @large.png");
		const { sessionId } = bench.client.greeting;
		await bench.ok({ do: "newSession" });
		await bench.ok({ do: "resumeSession", id: sessionId });
		await bench.say("and now");
		await bench.ok({ do: "forkSession" });
		rmSync(join(bench.root, "large.png"));
		await bench.say("once more");
		const bodies = model.requests.map(({ body }) => body);
		expect(await bodiesOf(bench, sessionId)).toEqual(bodies.slice(0, 2));
		expect(await bodiesOf(bench, bench.client.greeting.sessionId)).toEqual(bodies);
		expect(bodies[2]).toContain(Buffer.alloc(3_000, 7).toString("base64"));
	});

	it("names them only to a model that takes none, once the person switches to one", async () => {
		const server = await startPlayServer(() => ({ text: "ok" }));
		onTestFinished(() => server.close());
		const { bench } = await openWith([], "gpt-5-mini");
		await bench.say("what is @shot.png");
		await bench.ok({
			do: "switchModel",
			model: "deepseek-chat",
			profile: "custom",
			baseUrl: server.baseUrl,
		});
		await bench.say("and now");
		expect(server.requests[0]?.messages[1]?.content).toMatch(
			/\[Not shown: shot\.png; this model takes no images\]$/,
		);
	});

	it("takes a pasted path and a data URL, whose bytes stand in no text", async () => {
		const { bench, model } = await openWith([], "gpt-5-mini");
		await bench.say(`see '${join(bench.root, "shot.png")}' and data:image/png;base64,${base64}`);
		const [message] = model.requests[0]?.request.messages ?? [];
		expect(message).toMatchObject({ images: [{ source: "image 1" }, { source: "shot.png" }] });
		expect(message?.text).toMatch(/and \[image 1\]\n/);
		expect(await bench.ok({ do: "promptHistory" })).toEqual([expect.stringMatching(/and \[image 1\]$/)]);
	});

	it("brings images of a message that was taken back, as long as their names stand in the text", async () => {
		const { bench, model } = await openWith([], "gpt-5-mini");
		await bench.say(`see data:image/png;base64,${base64}`);
		const images = attachmentsOf(bench);
		const submit = (text: string) =>
			bench.ok({ do: "submit", text, target: "next_turn", images }).then(() => bench.say("next"));
		await submit(`now [image 1] beside data:image/png;base64,${base64}`);
		await submit("without it");
		const sent = model.requests.at(-1)?.request.messages.filter(({ role }) => role === "user");
		expect(sent?.find(({ text }) => text.startsWith("now [image 1] beside [image 2]"))).toMatchObject({
			images: [
				{ source: "image 2", base64 },
				{ source: "image 1", base64 },
			],
		});
		expect(sent?.find(({ text }) => text === "without it")).not.toHaveProperty("images");
	});

	it("is not sent to a model that takes none, or of which it is not known; a setting decides", async () => {
		const submit = { do: "submit", text: "what is @shot.png", target: "next_turn" } as const;
		const none = await openWith([], "deepseek-chat");
		expect(await none.bench.refusal(submit)).toBe(
			"shot.png is not attached: deepseek-chat takes no images. Choose a model that does with /model.",
		);
		const unknown = await openWith([], "house-model");
		expect(await unknown.bench.refusal(submit)).toMatch(
			/not known whether house-model takes images.*agi config set/,
		);
		const told = await openWith([], "house-model", true);
		await told.bench.say(submit.text);
		expect(told.model.requests).toHaveLength(1);
		const offline = await openHostBench([], {
			model: { kind: "offline" },
			prepare: (root) => put(root, "shot.png", pngOf(1, 1)),
		});
		expect(await offline.refusal(submit)).toMatch(/the offline model takes no images/);
	});

	it("leaves a path that only stands in the text alone where the model takes no images", async () => {
		const { bench, model } = await openWith([], "deepseek-chat");
		await bench.say(`rename ${join(bench.root, "shot.png")} to b.png`);
		expect(model.requests[0]?.request.messages[0]).not.toHaveProperty("images");
	});

	it("is not sent with an image that is too large or none", async () => {
		const { bench } = await openWith([], "gpt-5-mini");
		put(bench.root, "big.png", Buffer.concat([pngOf(1, 1), Buffer.alloc(5 * 1024 * 1024)]));
		const submit = (text: string) => bench.refusal({ do: "submit", text, target: "next_turn" });
		expect(await submit("see @big.png")).toMatch(
			/^big\.png is not attached: it has \d+ bytes, and an image may have 5 MB/,
		);
		expect(await submit("see data:image/png;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAA")).toMatch(
			/is no PNG, JPEG, GIF or WebP/,
		);
	});
});
