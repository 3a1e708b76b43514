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
		expect(parts[1]!.tokens).toBeGreaterThan(900);
		expect(parts[0]!.tokens).toBeLessThan(120);
		expect(parts.every(({ tokens }) => tokens > 0)).toBe(true);
	});
});
