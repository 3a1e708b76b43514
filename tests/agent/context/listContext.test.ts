import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { assemble } from "../../../src/agent/context/assemble.ts";
import { renderDocuments } from "../../../src/agent/context/documents.ts";
import {
	contextText,
	type Listed,
	listContext,
	markedTokens,
} from "../../../src/agent/context/listContext.ts";
import { sizeOfRequest } from "../../../src/agent/context/tokenEstimator.ts";
import type { Command } from "../../../src/session/commands.ts";
import { itemOf } from "../../../src/session/modelView.ts";
import { originOf } from "../../../src/session/state.ts";
import { estimateSize, UNKNOWN_TOKENIZER } from "../../../src/session/tokenAccount.ts";
import {
	ASKED,
	accept,
	decided,
	endCall,
	MODEL,
	readCall,
	sessionAfter,
	startCall,
} from "../../support/sessionSteps.ts";

const digest = (text: string) => createHash("sha256").update(text).digest("hex");
const tools = [{ name: "readFile", description: "Reads a file of the workspace.", inputSchema: {} }];

const document: Command = {
	do: "observeDocument",
	document: {
		path: "AGENTS.md",
		digest: "d",
		bytes: 900,
		cut: false,
		trusted: true,
		text: "Use tabs, not spaces. ".repeat(40),
	},
};

/** After one call was read, with documents, a mode change and whatever else is done. */
function listedAfter(...commands: Command[]): Listed {
	const { state } = sessionAfter(
		document,
		...ASKED,
		accept("I look into it.", readCall("a.txt")),
		decided("a.txt", "allow"),
		startCall("a.txt"),
		endCall("a.txt"),
		{ do: "changeMode", mode: "plan", by: "person" },
		...commands,
	);
	const system = `You are agi, a coding agent.\n\n${renderDocuments(state.documents)}`;
	const request = assemble(state, { system, tools, contextWindow: 8000 });
	return { state, request, model: MODEL, window: 8000, digest };
}

describe("listContext", () => {
	it("names every part and item of the request once, in its order, as much together as the whole", () => {
		const listed = listedAfter();
		const items = listContext(listed);
		expect(items.map(({ ref, kind, source }) => [ref, kind, source])).toEqual([
			["p1", "instructions", "agi"],
			["p2", "document", "AGENTS.md"],
			["p3", "tools", "agi"],
			["1", "user", "hi"],
			["2", "answer", "I look into it."],
			["3", "result", "readFile a.txt"],
			["4", "notice", expect.stringMatching(/^Plan mode is on/)],
		]);
		const whole = estimateSize({ weights: UNKNOWN_TOKENIZER.weights }, sizeOfRequest(listed.request));
		const sum = items.reduce((total, { tokens }) => total + tokens, 0);
		expect(Math.abs(sum - whole)).toBeLessThanOrEqual(items.length + whole * 0.02);
	});

	it("is as much together as the server counted, whatever its newest texts taught of letters", () => {
		const listed = listedAfter();
		const size = sizeOfRequest(listed.request);
		listed.state.accounts.set(originOf(MODEL), {
			weights: { letters: 2, signs: 3, wide: 2 },
			last: { size, told: 400 },
		});
		const items = listContext(listed);
		const sum = items.reduce((total, { tokens }) => total + tokens, 0);
		expect(sum).toBeGreaterThanOrEqual(400);
		expect(sum).toBeLessThanOrEqual(400 + items.length);
	});

	it("lists skills and memory behind documents, as they stand in the instructions, whenever they were read", () => {
		const also = (path: string, kind: "memory" | "skills"): Command => ({
			do: "observeDocument",
			document: { path, kind, digest: path, bytes: 9, cut: false, trusted: true, text: `text of ${path}` },
		});
		const { state } = sessionAfter(
			also(".agent/MEMORY.md", "memory"),
			also("skills", "skills"),
			document,
			...ASKED,
		);
		const request = assemble(state, { system: "s".repeat(4000), tools });
		const items = listContext({ state, request, model: MODEL, window: 8000, digest });
		expect(items.slice(0, 5).map(({ kind }) => kind)).toEqual([
			"instructions",
			"document",
			"skills",
			"memory",
			"tools",
		]);
	});

	it("keeps an item's number over a checkpoint, which it lists first", () => {
		const items = listContext(
			listedAfter({
				do: "commitCheckpoint",
				version: 0,
				cause: "person",
				upTo: 3,
				kept: [0],
				summary: "what was done",
				tokensBefore: 100,
				tokensAfter: 50,
			}),
		);
		expect(items.slice(3).map(({ ref, kind }) => [ref, kind])).toEqual([
			["5", "checkpoint"],
			["1", "user"],
			["4", "notice"],
		]);
	});

	it("tells what a mask hides beside what the mark costs, and that an item is pinned", () => {
		const long: Command = { ...(endCall("a.txt") as Command & { do: "endCall" }), text: "word ".repeat(900) };
		const { state } = sessionAfter(
			...ASKED,
			accept("", readCall("a.txt")),
			decided("a.txt", "allow"),
			startCall("a.txt"),
			long,
			{ do: "maskItem", itemId: "a.txt", masked: true, tokens: 1125, by: "person" },
			{ do: "pinItem", itemId: "message-1", pinned: true, by: "person" },
		);
		const request = assemble(state, { system: "s", tools });
		const items = listContext({ state, request, model: MODEL, window: 8000, digest });
		expect(items.at(-1)).toMatchObject({ itemId: "a.txt", masked: 1125, source: "readFile a.txt" });
		expect(items.at(-1)!.tokens).toBeLessThan(40);
		expect(items.find(({ kind }) => kind === "user")).toMatchObject({ itemId: "message-1", pinned: true });
	});
});

describe("contextText", () => {
	it("gives the whole text of a part or item, and nothing for a number that names none", () => {
		const listed = listedAfter();
		expect(contextText(listed, "p1")).toContain("You are agi");
		expect(contextText(listed, "p2")).toMatch(/^Use tabs/);
		expect(contextText(listed, "p3")).toContain('"name": "readFile"');
		expect(contextText(listed, "2")).toBe('I look into it.\nreadFile {"path":"a.txt"}');
		expect(contextText(listed, "3")).toBe("result of a.txt");
		for (const ref of ["p9", "99", "0", "x", ""]) expect(contextText(listed, ref)).toBeUndefined();
	});
});

describe("markedTokens", () => {
	it("counts by rule of thumb, whatever a server has taught", () => {
		const { state } = listedAfter();
		state.accounts.set("x", { weights: { letters: 6, signs: 6, wide: 6 } });
		expect(markedTokens(itemOf(state.history, "a.txt")!)).toBe(4);
	});
});
