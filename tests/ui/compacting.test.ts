import { describe, expect, it } from "vitest";
import type { CommandDesk } from "../../src/ui/commandDesk.ts";
import { compact } from "../../src/ui/compacting.ts";
import { openHostBench } from "../support/hostBench.ts";

/** A desk over a long session, whose person gives that answer and edits the text to `edited`. */
async function desk(answer: string | undefined, edited = "") {
	const bench = await openHostBench([
		...Array.from({ length: 6 }, () => ({ text: "words about the old work. ".repeat(80) })),
		{ text: "## Confirmed facts\n- the model's own words" },
		{ text: "ok" },
	]);
	for (let i = 0; i < 6; i++) await bench.say(`question ${i}`);
	const printed: string[] = [];
	const made = {
		client: bench.client,
		questions: { ask: async () => answer },
		outside: { editText: async () => edited },
		show: (event: { text: string }) => void printed.push(event.text),
	} as unknown as CommandDesk;
	const seen = async () => {
		await bench.say("go on");
		return JSON.stringify(bench.model.requests.at(-1)!.request.messages);
	};
	return { bench, desk: made, printed, seen };
}

describe("compact", () => {
	it("shows the summary with what it saves and uses it after a yes", async () => {
		const { bench, desk: d, printed, seen } = await desk("Use it");
		await compact(d, "");
		expect(printed[1]).toMatch(/the model's own words[\s\S]*stands for \d+ messages: ≈.* → ≈.* tokens/);
		expect(printed[2]).toMatch(/^Done: ≈/);
		expect(await seen()).toContain("the model's own words");
		await bench.close();
	});

	it("uses the text that the person made of it", async () => {
		const { bench, desk: d, seen } = await desk("Edit it", "only 4711 matters");
		await compact(d, "numbers");
		expect(await seen()).toContain("only 4711 matters");
		await bench.close();
	});

	it.each(["Leave everything as it is", undefined])("changes nothing after %j", async (answer) => {
		const { bench, desk: d, seen } = await desk(answer);
		await compact(d, "");
		expect(await seen()).not.toContain("the model's own words");
		await bench.close();
	});

	it("refuses a second one until the first is answered", async () => {
		const { bench, desk: d, printed } = await desk(undefined);
		const answered = Promise.withResolvers<undefined>();
		const asked = Promise.withResolvers<void>();
		d.questions.ask = () => {
			asked.resolve();
			return answered.promise;
		};
		const first = compact(d, "");
		await asked.promise;
		await expect(compact(d, "numbers")).rejects.toThrow(/waits for your answer/);
		answered.resolve(undefined);
		await first;
		await expect(compact(d, "")).resolves.toBeUndefined();
		expect(printed.filter((text) => text.startsWith("Writing"))).toHaveLength(2);
		await bench.close();
	});

	it("takes the last summary back", async () => {
		const { bench, desk: d, seen } = await desk("Use it");
		await compact(d, "");
		await compact(d, "undo");
		expect(await seen()).not.toContain("the model's own words");
		await bench.close();
	});
});
