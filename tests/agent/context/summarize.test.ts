import { afterEach, describe, expect, it } from "vitest";
import { summarize } from "../../../src/agent/context/summarize.ts";
import { sizeOfRequest } from "../../../src/agent/context/tokenEstimator.ts";
import type { HistoryItem } from "../../../src/session/state.ts";
import { estimateSize, UNKNOWN_TOKENIZER } from "../../../src/session/tokenAccount.ts";
import { createTurnBench, type TurnBench } from "../../support/turnBench.ts";

let bench: TurnBench | undefined;

afterEach(async () => {
	await bench?.remove();
	bench = undefined;
});

const said = (text: string): HistoryItem => ({
	kind: "assistant",
	messageId: text.slice(0, 9),
	text,
	reasoning: "",
	origin: "",
	calls: [],
});

async function summarized(items: HistoryItem[], window: number, fail?: (index: number) => boolean) {
	bench = await createTurnBench({
		script: (_, index) =>
			fail?.(index)
				? { failure: { kind: "overloaded", message: "busy", retryable: true } }
				: { text: `## Confirmed facts\n- part ${index}` },
	});
	const summary = await summarize(bench.contextFor(new AbortController().signal), items, {
		window,
		before: "## Plan\n- old",
	});
	await bench.session.flush({ wait: true });
	return {
		summary,
		requests: bench.model.requests.map(({ request }) => request),
		events: await bench.events(),
	};
}

describe("summarize", () => {
	it("splits what is too large for one request, each within the window and without tools, and joins the answers", async () => {
		const items = Array.from({ length: 60 }, (_, i) => said(`note ${i}: ${"some words ".repeat(60)}`));
		const { summary, requests, events } = await summarized(items, 4_000);
		expect(requests.length).toBeGreaterThan(1);
		for (const request of requests) {
			expect(estimateSize(UNKNOWN_TOKENIZER, sizeOfRequest(request))).toBeLessThan(4_000);
			expect(request.tools).toEqual([]);
		}
		expect(requests[0]!.messages[0]!.text).toContain("- old");
		expect(requests.at(-1)!.messages[0]!.text).toContain("note 59");
		expect(summary).toEqual({
			ok: true,
			parts: requests.map((_, i) => ({ facts: [`part ${i}`] })),
		});
		const ends = events.filter((event) => event.type === "attempt/end");
		expect(ends.map(({ outcome, owner, usage }) => [outcome, owner?.kind, usage?.inputTokens])).toEqual(
			requests.map(() => ["accepted", "checkpoint", 100]),
		);
	});

	it("asks a second time after a failure that may pass, then gives up, each try recorded", async () => {
		const again = await summarized([said("a note")], 8_000, (index) => index === 0);
		expect(again.summary).toMatchObject({ ok: true });
		await bench?.remove();
		const never = await summarized([said("a note")], 8_000, () => true);
		expect(never.summary).toMatchObject({ ok: false, cancelled: false, failure: { message: "busy" } });
		expect(never.events.filter(({ type }) => type === "attempt/end")).toHaveLength(2);
	});
});
