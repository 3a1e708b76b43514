import { describe, expect, it } from "vitest";
import type { CommandDesk } from "../../src/ui/commandDesk.ts";
import { showContext } from "../../src/ui/contextCommand.ts";
import { openHostBench } from "../support/hostBench.ts";

/** A desk over a session in which one file was read. */
async function desk() {
	const bench = await openHostBench([
		{ text: "I look.", calls: [{ name: "readFile", args: { path: "a.txt" } }] },
		{ text: "It is long." },
		{ text: "ok" },
		{ text: "ok" },
	]);
	bench.write("a.txt", "alpha beta gamma\n".repeat(200));
	await bench.say("read a.txt");
	const printed: string[] = [];
	const made = {
		client: bench.client,
		show: (event: { text: string }) => void printed.push(event.text),
	} as unknown as CommandDesk;
	const lastMessages = () => bench.model.requests.at(-1)!.request.messages;
	return { bench, desk: made, printed, lastMessages };
}

/** The number of the line that tells of `what`. */
const refOf = (printed: string, what: string) =>
	printed
		.split("\n")
		.find((line) => line.includes(what))!
		.trim()
		.split(/\s/)[0]!;

describe("showContext", () => {
	it("masks a result for the model alone, opens it all the same, and shows it again", async () => {
		const { bench, desk: d, printed, lastMessages } = await desk();
		await showContext(d, "");
		const ref = refOf(printed[0]!, "result: readFile a.txt");
		await showContext(d, `mask ${ref}`);
		const { contextTokens, contextEstimated } = bench.client.greeting.state;
		const listed = await bench.ok({ do: "contextItems" });
		expect([contextTokens, contextEstimated]).toEqual([listed.tokens, true]);
		expect(printed[1]).toMatch(/readFile a\.txt: masked\. .*≈\S+ tokens\. .*cache starts anew/);
		await bench.say("go on");
		const [, call, result] = lastMessages();
		expect(call).toMatchObject({ role: "assistant", calls: [{ args: { path: "a.txt" } }] });
		expect(result!.text).toMatch(
			/^<tool_result name="readFile">\n\[masked: result of readFile, \d+ tokens\]\n</,
		);
		await showContext(d, `open ${ref}`);
		expect(printed[2]).toContain("alpha beta gamma");
		await showContext(d, `unmask #${ref}`);
		await bench.say("and now");
		expect(lastMessages()[2]!.text).toContain("alpha beta gamma");
		await bench.close();
	});

	it("pins several at once, and lists them so", async () => {
		const { bench, desk: d, printed } = await desk();
		await showContext(d, "pin 1, 4");
		expect(printed).toEqual([
			expect.stringContaining("1, user: read a.txt: pinned."),
			expect.stringContaining("4, answer: It is long.: pinned."),
		]);
		await showContext(d, "all");
		expect(printed[2]!.match(/\[pinned\]/g)).toHaveLength(2);
		await showContext(d, "unpin 1");
		expect([...bench.client.greeting.state.pinned]).toEqual(["message-3"]);
		await bench.close();
	});

	it.each([
		["mask 99", "There is no item 99"],
		["mask", "Say which item"],
		["mask p1", "agi's own part of each request"],
		["hide 3", "Say /context, /context all"],
	])("refuses %j with a sentence", async (argument, sentence) => {
		const { bench, desk: d } = await desk();
		await expect(showContext(d, argument)).rejects.toThrow(sentence);
		await bench.close();
	});
});
