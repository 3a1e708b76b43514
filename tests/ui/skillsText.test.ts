import { describe, expect, it } from "vitest";
import { skillsText } from "../../src/ui/skillsText.ts";

const none = { skills: [], broken: [], shadowed: [], trusted: true, offered: false };

describe("skillsText", () => {
	it("says how to make one where there is none", () => {
		expect(skillsText(none)).toBe(
			"There are no skills here. One is a folder .agent/skills/NAME with a SKILL.md.",
		);
	});

	it("tells of each where it is from and how it stands, and of those left out why", () => {
		const text = skillsText({
			skills: [
				{ name: "a", description: "Does a.", path: "p/a/SKILL.md", loaded: true, manual: true },
				{ name: "b", description: "Does b.", path: "p/b/SKILL.md", loaded: false, manual: false },
			],
			broken: [{ path: "p/c/SKILL.md", why: "name is missing" }],
			shadowed: [{ name: "a", path: "q/a/SKILL.md", by: "p/a/SKILL.md" }],
			trusted: false,
			offered: false,
		});
		expect(text.split("\n")).toEqual([
			"/a (loaded, only you start it)",
			"  Does a.",
			"  p/a/SKILL.md",
			"/b",
			"  Does b.",
			"  p/b/SKILL.md",
			"Left out: p/c/SKILL.md: name is missing.",
			"Left out: q/a/SKILL.md: a of p/a/SKILL.md is nearer.",
			"Skills of this folder are not read, because you have not said that you trust it.",
			"The model can load them from the next session on; you can start them now.",
		]);
	});
});
