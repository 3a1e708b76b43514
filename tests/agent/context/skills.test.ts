import { describe, expect, it } from "vitest";
import { fillArguments, renderSkills, skillCatalogue, skillText } from "../../../src/agent/context/skills.ts";
import { estimateTokens } from "../../../src/agent/context/tokenEstimator.ts";
import type { Skill } from "../../../src/ports/skills.ts";

const skill = (name: string, description = "Does it.", more: Partial<Skill> = {}): Skill => ({
	name,
	description,
	scope: "project",
	path: `.agent/skills/${name}/SKILL.md`,
	folder: `/w/.agent/skills/${name}`,
	allowedTools: [],
	manual: false,
	...more,
});

describe("skillCatalogue", () => {
	it("lists names and descriptions, without skills that only the person starts", () => {
		const skills = [skill("a"), skill("b", "Other."), skill("c", "Deploys.", { manual: true })];
		expect(skillCatalogue(skills)).toEqual({ text: "- a: Does it.\n- b: Other.", cut: false });
		expect(skillCatalogue([])).toEqual({ text: "", cut: false });
	});

	it("shortens descriptions before it leaves out names, keeps to the budget, and says so", () => {
		const skills = Array.from({ length: 30 }, (_, i) => skill(`skill-${i}`, "word ".repeat(100).trim()));
		const { text, cut } = skillCatalogue(skills);
		expect(cut).toBe(true);
		expect(estimateTokens(text)).toBeLessThanOrEqual(800);
		for (const { name } of skills) expect(text).toContain(`- ${name}: word`);
		expect(text).toMatch(/…\n\[Descriptions are shortened\.\]$/);
	});

	it("counts the names that do not fit", () => {
		const skills = Array.from({ length: 200 }, (_, i) => skill(`a-rather-long-name-of-skill-${i}`));
		const { text } = skillCatalogue(skills, 300);
		expect(estimateTokens(text)).toBeLessThanOrEqual(300);
		const [names = "", note] = text.split("\n");
		const left = 200 - names.split(", ").length;
		expect(note).toBe(`[${left} more skills are not listed; loadSkill knows them by name.]`);
	});
});

describe("renderSkills", () => {
	it("gives nothing where no skill was told", () => {
		const gone = { path: "skills", kind: "skills", digest: "", bytes: 0, cut: false, trusted: true } as const;
		expect([renderSkills([]), renderSkills([{ ...gone, text: "" }])]).toEqual([undefined, undefined]);
		expect(renderSkills([{ ...gone, text: "- a: x" }])).toMatch(/^# Skills\n[\s\S]*\n- a: x$/);
	});
});

describe("skillText", () => {
	it("brings instructions, needs and files, and says that its tools are not granted", () => {
		const needy = skill("a", "Does it.", { compatibility: "git", allowedTools: ["runCommand"] });
		const text = skillText(needy, { body: "Step 1.", digest: "", files: ["x/run.sh"], moreFiles: 2 });
		expect(text.split("\n")).toEqual([
			"Skill a, from .agent/skills/a/SKILL.md",
			"It needs: git",
			"It would use runCommand; what is allowed is decided as ever.",
			"",
			"Step 1.",
			"",
			"Its files; read or run them when the instructions call for it:",
			"- x/run.sh",
			"(and 2 more)",
		]);
	});
});

describe("fillArguments", () => {
	it("puts the words in as they are, at every place", () => {
		expect(fillArguments("a $ARGUMENTS b $ARGUMENTS", "$& $1")).toBe("a $& $1 b $& $1");
	});
});
