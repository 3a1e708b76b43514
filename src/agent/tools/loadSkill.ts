// The tool `loadSkill`: brings a skill's instructions into the conversation. Its scripts and references stay where they
// are, for the ordinary tools and under the ordinary policy.

import * as z from "zod";
import type { Skill, SkillShelf } from "../../ports/skills.ts";
import type { Tool } from "../../ports/tool.ts";
import type { ToolError, ToolOutcome } from "../../types.ts";
import { fillArguments, skillText } from "../context/skills.ts";
import { failed } from "../toolResults.ts";
import { toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";

const schema = lazySchema(() => z.strictObject({ name: z.string() }));

/** The tool `loadSkill`. */
export const loadSkill: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "loadSkill",
	description: "Load the instructions of one of the listed skills.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ name }, { skills: shelf }) {
		const all = (await shelf?.find()) ?? [];
		const skill = all.find((one) => one.name === name);
		if (!shelf || !skill) return unknownSkill(name, all);
		if (skill.manual)
			return toolError("DENIED", `Only the user starts the skill ${name}, by typing /${name}.`);
		return {
			resources: [{ kind: "session", key: "skills", access: "write" }],
			summary: `Load the skill ${name}`,
			run: () => load(shelf, skill),
		};
	},
};

async function load(shelf: SkillShelf, skill: Skill): Promise<ToolOutcome> {
	const read = await shelf.read(skill);
	if (!read.ok) return failed(toolError("FAILED", `The skill ${skill.name} was not loaded: ${read.why}.`));
	const { digest } = read.value;
	if (shelf.isShown(skill.name, digest))
		return {
			status: "result",
			text: `The skill ${skill.name} is loaded already and has not changed; its instructions stand above.`,
		};
	shelf.recordLoad(skill, digest);
	return { status: "result", text: fillArguments(skillText(skill, read.value), "") };
}

function unknownSkill(name: string, all: readonly Skill[]): ToolError {
	const names = all.filter(({ manual }) => !manual).map((skill) => skill.name);
	const known = names.length === 0 ? "There are none." : `The skills are: ${names.join(", ")}.`;
	return toolError("NOT_FOUND", `There is no skill ${name}. ${known}`, { name: "unknown" });
}
