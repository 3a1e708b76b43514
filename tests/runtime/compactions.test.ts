import { describe, expect, it } from "vitest";
import { openHostBench } from "../support/hostBench.ts";

const LONG = "words about the old work, again and again. ".repeat(40);
const SUMMARY = "## Goal and corrections\n- the model's own words";

/** A host after six long turns, whose model then writes a summary and answers. */
async function longTalk() {
	const bench = await openHostBench([
		...Array.from({ length: 6 }, () => ({ text: LONG })),
		{ text: SUMMARY },
		...Array.from({ length: 6 }, () => ({ text: "ok" })),
	]);
	for (let i = 0; i < 6; i++) await bench.say(`question ${i}`);
	return bench;
}

const lastRequest = (bench: Awaited<ReturnType<typeof longTalk>>) =>
	JSON.stringify(bench.model.requests.at(-1)!.request.messages);

describe("createCompactions", () => {
	it("shows a summary with what it saves, and changes nothing until it is accepted", async () => {
		const bench = await longTalk();
		const preview = await bench.ok({ do: "compact", focus: "the numbers" });
		expect(preview.summary).toContain("user: question 0");
		expect(preview.summary).toContain("the model's own words");
		expect(preview.tokensAfter).toBeLessThan(preview.tokensBefore);
		const asked = bench.model.requests.at(-1)!.request;
		expect(asked.tools).toEqual([]);
		expect(asked.messages[0]!.text).toContain("kept above all: the numbers");
		await bench.say("left as it was");
		expect(lastRequest(bench)).toContain(LONG.slice(0, 50));
		expect(lastRequest(bench)).not.toContain("the model's own words");
		await bench.close();
	});

	it("puts the person's own text in place, and takes it back", async () => {
		const bench = await longTalk();
		await bench.ok({ do: "compact" });
		await bench.ok({ do: "acceptCompaction", text: "All that matters is 4711." });
		await bench.say("go on");
		expect(lastRequest(bench)).toContain("All that matters is 4711.");
		expect(lastRequest(bench)).not.toContain("question 0");
		await bench.ok({ do: "undoCompaction" });
		await bench.say("and now");
		expect(lastRequest(bench)).toContain("question 0");
		expect(lastRequest(bench)).not.toContain("4711");
		expect(await bench.refusal({ do: "undoCompaction" })).toBe("There is no summary to take back.");
		await bench.close();
	});

	it("tells how large the request is again after a summary was taken back", async () => {
		const bench = await longTalk();
		await bench.ok({ do: "compact" });
		const { tokensBefore } = await bench.ok({ do: "acceptCompaction" });
		await bench.ok({ do: "undoCompaction" });
		const undone = await bench.until(() => bench.facts().find(({ type }) => type === "checkpoint/undone"));
		expect(undone).toMatchObject({ tokens: tokensBefore });
		await bench.close();
	});

	it("holds after turns that came between, but not after a rewind", async () => {
		const bench = await longTalk();
		await bench.ok({ do: "compact" });
		await bench.say("one more");
		await bench.ok({ do: "rewind", turnId: "turn-7", what: "conversation" });
		expect(await bench.refusal({ do: "acceptCompaction" })).toContain("was changed since");
		expect(await bench.refusal({ do: "acceptCompaction" })).toContain("No summary waits");
		await bench.close();
	});

	it("accepts a summary after a turn that came between, and keeps that turn as it is", async () => {
		const bench = await longTalk();
		await bench.ok({ do: "compact" });
		await bench.say("between");
		await bench.ok({ do: "acceptCompaction" });
		await bench.say("after");
		expect(lastRequest(bench)).toMatch(/own words.*between.*ok.*after/s);
		await bench.close();
	});

	it("refuses an empty text, and where there is too little", async () => {
		const bench = await openHostBench([{ text: "ok" }]);
		expect(await bench.refusal({ do: "compact" })).toContain("too little");
		const long = await longTalk();
		await long.ok({ do: "compact" });
		expect(await long.refusal({ do: "acceptCompaction", text: "  " })).toContain("empty");
		await bench.close();
		await long.close();
	});
});
