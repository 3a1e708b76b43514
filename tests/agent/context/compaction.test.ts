import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelMessage } from "ai";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactConversation } from "../../../src/agent/context/compaction.ts";
import { type ChatServer, startChatServer } from "../../adapters/models/chatServer.ts";

let server: ChatServer;
let home: string;
const before = { cwd: process.cwd(), env: { ...process.env } };

beforeEach(async () => {
	home = await realpath(await mkdtemp(join(tmpdir(), "agi-compact-")));
	process.chdir(home);
	const frames = [
		{ d: { content: "## Goal and corrections\n- short" } },
		{ d: {}, f: "stop" },
		"DONE" as const,
	];
	server = await startChatServer([{ frames }]);
	process.env = {
		PATH: before.env["PATH"],
		AGI_HOME: join(home, "home"),
		LLM_BASE_URL: server.baseUrl,
		LLM_API_KEY: "key-of-the-test",
		LLM_MODEL: "m",
	};
});

afterEach(async () => {
	process.chdir(before.cwd);
	process.env = { ...before.env };
	await server.close();
	await rm(home, { recursive: true, force: true });
});

const talk = (n: number): ModelMessage[] => [
	{ role: "system", content: "be brief" },
	...Array.from({ length: n }, (_, i): ModelMessage[] => [
		{ role: "user", content: `question ${i}` },
		{ role: "assistant", content: "many words about the work ".repeat(60) },
	]).flat(),
	{ role: "user", content: "the last request" },
];

describe("compactConversation", () => {
	it("puts one summary in place of older messages and keeps the last request", async () => {
		const compacted = await compactConversation(talk(10), "another");
		expect(compacted.length).toBeLessThan(10);
		expect(compacted[0]).toMatchObject({
			role: "user",
			content: expect.stringContaining("- user: question 0"),
		});
		expect(compacted[0]!.content).toContain("- short");
		expect(compacted.at(-1)).toEqual({ role: "user", content: "the last request" });
		const { model, tools } = JSON.parse(server.requests[0]!.body) as { model: string; tools?: unknown };
		expect([model, tools]).toEqual(["another", undefined]);
	});

	it("gives a short conversation back as it is, and asks nobody", async () => {
		const short: ModelMessage[] = [
			{ role: "user", content: "hi" },
			{ role: "assistant", content: "hello" },
		];
		expect(await compactConversation(short)).toEqual(short);
		expect(server.requests).toHaveLength(0);
	});
});
