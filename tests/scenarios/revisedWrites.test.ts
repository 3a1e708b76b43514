// A person takes a proposed write in part, or changes it: what was accepted is written, and the model is told the rest.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ApprovalAnswer, ApprovalPrompt } from "../../src/session/live.ts";
import { createTurnBench } from "../support/turnBench.ts";

const OLD = Array.from({ length: 30 }, (_, at) => `line ${at}\r\n`).join("");
const NEW = OLD.replace("line 2\r", "two\r").replace("line 27\r", "twenty-seven\r");

async function answer(
	given: Omit<ApprovalAnswer, "by" | "answer">,
	call?: { name: string; args: Record<string, unknown> },
) {
	const prompts: ApprovalPrompt[] = [];
	const bench = await createTurnBench({
		files: { "a.txt": OLD },
		script: [
			{ calls: [{ name: "readFile", args: { path: "a.txt" } }] },
			{ calls: [call ?? { name: "writeFile", args: { path: "a.txt", content: NEW.replaceAll("\r", "") } }] },
			{ text: "ok" },
		],
		secrets: ["hunter2-hunter2"],
		approver: async (prompt) => {
			prompts.push(prompt);
			return { answer: "yes", by: "person", ...given };
		},
	});
	onTestFinished(() => bench.remove());
	await bench.say("go");
	const events = await bench.events();
	const result = events.filter((event) => event.type === "tool/result").at(-1)!;
	return { prompts, result, events, text: readFileSync(join(bench.root, "a.txt"), "utf8") };
}

describe("a write that is accepted in part", () => {
	it("is carried out so far, and the model reads which part was refused", async () => {
		const { result, text, prompts } = await answer({ hunks: [1] });
		expect(prompts).toHaveLength(1);
		expect(text).toBe(OLD.replace("line 27\r", "twenty-seven\r"));
		expect(result).toMatchObject({ status: "result" });
		expect(result.text).toContain("refused 1 of its 2 parts");
		expect(result.text).toMatch(/-line 2\r?\n[+]two/);
		expect(result.text).not.toContain("twenty-seven");
	});

	it("is a denial where every part is refused, and whole where none is", async () => {
		const none = await answer({ hunks: [] });
		expect([none.result.status, none.text]).toEqual(["denied", OLD]);
		const all = await answer({ hunks: [0, 1] });
		expect([all.result.text, all.text]).toEqual([expect.stringMatching(/^Successfully wrote/), NEW]);
	});

	it("writes nothing for a part that there is not", async () => {
		const { result, text } = await answer({ hunks: [7] });
		expect([result.status, text]).toEqual(["error", OLD]);
	});
});

describe("a write that is amended", () => {
	it("is written as amended, with the file's line ends, and the model reads the difference", async () => {
		const amended = NEW.replaceAll("\r", "").replace("two\n", "zwei\n");
		const { result, text, prompts, events } = await answer({ amended });
		expect(prompts[0]!.proposal).toBe(NEW.replaceAll("\r", ""));
		expect(text).toBe(NEW.replace("two\r", "zwei\r"));
		expect(result.text).toContain("The user changed the text before it was written");
		expect(result.text).toMatch(/-two\r?\n[+]zwei/);
		expect(events.find((event) => event.type === "approval/resolved")).toMatchObject({
			answer: "yes",
			amended,
		});
	});

	it("holds for an edit, too, and keeps a secret out of the log", async () => {
		const edit = { name: "editFile", args: { path: "a.txt", oldString: "line 5", newString: "five" } };
		const amended = `${OLD.replaceAll("\r", "")}hunter2-hunter2\n`;
		const { text, events } = await answer({ amended }, edit);
		expect(text).toBe(`${OLD}hunter2-hunter2\r\n`);
		expect(JSON.stringify(events)).not.toContain("hunter2");
	});

	it("is refused for a call that has no text to amend", async () => {
		const { result } = await answer({ amended: "x" }, { name: "runCommand", args: { command: "touch n" } });
		expect(result).toMatchObject({
			status: "denied",
			text: expect.stringContaining("runCommand cannot be changed"),
		});
	});
});
