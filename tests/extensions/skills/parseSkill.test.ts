import { describe, expect, it } from "vitest";
import { parseSkill } from "../../../src/extensions/skills/parseSkill.ts";

const skill = (head: string) => `---\n${head}\n---\nDo it.\n`;

describe("parseSkill", () => {
	it("reads everything that the format knows", async () => {
		const head = [
			"name: pdf-tools",
			"description: |",
			"  Reads PDF files.",
			"  Use it for forms.",
			"license: MIT",
			"compatibility: needs pdftotext",
			"metadata:",
			"  author: me",
			"  version: 1.0",
			"allowed-tools: readFile  runCommand",
			"disable-model-invocation: true",
			"model: another-program's-key",
		].join("\n");
		expect(await parseSkill(skill(head), "pdf-tools")).toEqual({
			ok: true,
			body: "Do it.\n",
			head: {
				name: "pdf-tools",
				description: "Reads PDF files. Use it for forms.",
				compatibility: "needs pdftotext",
				allowedTools: ["readFile", "runCommand"],
				manual: true,
			},
		});
	});

	it.each([
		["no head at all", "# Skill\n", "a", "it does not begin with a head between two lines of ---"],
		["no name", skill("description: x"), "a", "name is missing"],
		["no description", skill("name: a"), "a", "description is missing"],
		["an empty description", skill('name: a\ndescription: "  "'), "a", "description is empty"],
		[
			"a long description",
			skill(`name: a\ndescription: ${"x".repeat(1025)}`),
			"a",
			"longer than 1024 letters",
		],
		[
			"a long name",
			skill(`name: ${"a".repeat(65)}\ndescription: x`),
			"a".repeat(65),
			"name is longer than 64",
		],
		["capitals in its name", skill("name: PDF\ndescription: x"), "PDF", "may hold only a-z, 0-9"],
		["two hyphens in its name", skill("name: a--b\ndescription: x"), "a--b", "single hyphens"],
		["another name than its folder", skill("name: a\ndescription: x"), "b", "its folder is called b"],
		[
			"long words of what it needs",
			skill(`name: a\ndescription: x\ncompatibility: ${"x".repeat(501)}`),
			"a",
			"500",
		],
		["lists where words belong", skill("name: a\ndescription: [x, y]"), "a", "description is no text"],
		[
			"metadata that holds more than texts",
			skill("name: a\ndescription: x\nmetadata:\n  a: [1]"),
			"a",
			"metadata",
		],
		["a head that is no YAML", skill("name: a\ndescription: x: y: z"), "a", "its head is no YAML"],
		["a head that is a list", skill("- a\n- b"), "a", "no list of keys and values"],
	])("says what is wrong with %s", async (_, text, folder, why) => {
		const parsed = await parseSkill(text, folder);
		expect(parsed).toEqual({ ok: false, why: expect.stringContaining(why) });
	});
});
