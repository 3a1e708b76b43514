import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { assemble } from "../../../src/agent/context/assemble.ts";
import { contributionsOf } from "../../../src/agent/context/contributions.ts";
import { renderDocuments } from "../../../src/agent/context/documents.ts";
import { ASKED, sessionAfter } from "../../support/sessionSteps.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const tools = [{ name: "readFile", description: "Reads.", inputSchema: {} }];

describe("contributionsOf", () => {
	it("tells instructions, each document, tools, summary and messages apart, as much as the whole", () => {
		const document = {
			path: "AGENTS.md",
			digest: "d",
			bytes: 4000,
			cut: false,
			trusted: false,
			text: "rule ".repeat(800),
		};
		const { state } = sessionAfter({ do: "observeDocument", document }, ...ASKED, {
			do: "commitCheckpoint",
			version: 0,
			cause: "overflow",
			upTo: 1,
			kept: [0],
			summary: "what was done ".repeat(20),
			tokensBefore: 200,
			tokensAfter: 100,
		});
		const system = `You are agi.\n\n${renderDocuments(state.documents)}`;
		const parts = contributionsOf(state, assemble(state, { system, tools }), digest);
		expect(parts.map(({ kind, source, trust }) => [kind, source, trust])).toEqual([
			["instructions", "agi", "agi"],
			["document", "AGENTS.md", "workspace"],
			["tools", "agi", "agi"],
			["checkpoint", "summary of older parts", "agi"],
			["history", "1 messages, 1 of them new input", "workspace"],
		]);
		expect(parts.map(({ scope }) => scope)).toEqual([undefined, "project", undefined, "session", "session"]);
		expect(parts[1]!.tokens).toBeGreaterThan(900);
		expect(parts[0]!.tokens).toBeLessThan(120);
		expect(parts.every(({ tokens }) => tokens > 0)).toBe(true);
	});

	it("tells the list of skills, what came with messages and skills that were started apart", () => {
		const list = { path: "skills", digest: "d", bytes: 9, cut: false, trusted: true, text: "- a: Does a." };
		const attachment = { source: "a.txt", text: "word ".repeat(200), cut: false, digest: "d" };
		const { state } = sessionAfter(
			{ do: "observeDocument", document: { ...list, kind: "skills" } },
			{
				do: "submitInput",
				text: "look",
				target: "next_turn",
				wakeup: true,
				origin: "person",
				attachments: [
					{ ...attachment, kind: "file" },
					{ ...attachment, kind: "skill", source: "a" },
				],
			},
			{ do: "startTurn" },
			{ do: "startStep", model: { model: "m", profile: "p", baseUrl: "b", contextWindow: 9 } },
		);
		const request = assemble(state, { system: "You are agi.", tools });
		const parts = contributionsOf(state, request, digest);
		expect(parts.map(({ kind, source }) => [kind, source])).toEqual([
			["instructions", "agi"],
			["skills", "skills"],
			["tools", "agi"],
			["attachment", "file a.txt"],
			["skill", "a"],
			["history", "1 messages, 1 of them new input"],
		]);
		expect(parts.at(-3)!.tokens).toBeGreaterThan(200);
		expect(parts.at(-1)!.tokens).toBeLessThan(60);
	});
});
