import { describe, expect, it } from "vitest";
import { loadSkill } from "../../../src/agent/tools/loadSkill.ts";
import type { Skill, SkillShelf } from "../../../src/ports/skills.ts";
import { createToolBench } from "../../support/toolContext.ts";

const skill = (name: string, more: Partial<Skill> = {}): Skill => ({
	name,
	description: "Does it.",
	scope: "project",
	path: `.agent/skills/${name}/SKILL.md`,
	folder: `/w/.agent/skills/${name}`,
	allowedTools: [],
	manual: false,
	...more,
});

/** A shelf with these skills, and what was recorded on it. */
function shelfOf(skills: Skill[], parts: Partial<SkillShelf> = {}) {
	const loads: string[] = [];
	const shelf: SkillShelf = {
		find: async () => skills,
		read: async () => ({
			ok: true,
			value: { body: "For $ARGUMENTS.", digest: "d", files: [], moreFiles: 0 },
		}),
		isShown: () => false,
		recordLoad: ({ name }, digest) => void loads.push(`${name} ${digest}`),
		...parts,
	};
	return { shelf, loads };
}

async function load(shelf: SkillShelf | undefined, name: string) {
	const bench = await createToolBench(shelf ? { skills: shelf } : {});
	try {
		return await bench.call(loadSkill, { name });
	} finally {
		await bench.remove();
	}
}

describe("loadSkill", () => {
	it("brings the text without a place for words that nobody gave, and records it", async () => {
		const { shelf, loads } = shelfOf([skill("a")]);
		expect(await load(shelf, "a")).toEqual({
			status: "result",
			text: "Skill a, from .agent/skills/a/SKILL.md\n\nFor .",
		});
		expect(loads).toEqual(["a d"]);
	});

	it("says only that it is there where the model has that version before it", async () => {
		const { shelf, loads } = shelfOf([skill("a")], { isShown: () => true });
		expect((await load(shelf, "a")).text).toMatch(/^The skill a is loaded already and has not changed/);
		expect(loads).toEqual([]);
	});

	it("names the skills there are where it finds none of that name", async () => {
		const { shelf } = shelfOf([skill("a"), skill("b"), skill("c", { manual: true })]);
		expect((await load(shelf, "x")).error).toMatchObject({
			type: "NOT_FOUND",
			message: "There is no skill x. The skills are: a, b.",
		});
		expect((await load(undefined, "x")).text).toBe("There is no skill x. There are none.");
	});

	it("leaves skills to the person that are meant for the person, and tells what cannot be read", async () => {
		const { shelf } = shelfOf([skill("a", { manual: true }), skill("b")], {
			read: async () => ({ ok: false, why: "b is gone" }),
		});
		expect((await load(shelf, "a")).error).toMatchObject({ type: "DENIED" });
		expect((await load(shelf, "b")).error).toMatchObject({
			type: "FAILED",
			message: "The skill b was not loaded: b is gone.",
		});
	});
});
