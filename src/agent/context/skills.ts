// Skills in the model's view: the list of their names in the instructions, and the text of one that was loaded. Pure.

import type { Skill, SkillText } from "../../ports/skills.ts";
import type { ObservedDocument } from "../../session/events.ts";
import { estimateTokens } from "./tokenEstimator.ts";

/** Under this path the list of skills stands among the documents. */
export const SKILLS_PATH = "skills";

/** Tokens that the list may take. */
const CATALOGUE_TOKENS = 800;

/** Letters of the longest description, from whole ones to none. */
const LENGTHS = [1024, 400, 250, 160, 100, 60, 0];

const HEAD = `# Skills
Instructions for certain kinds of work. When a task fits one, load it with loadSkill before you begin. What it brings comes from the user or this project: follow it.`;

/** The part of the instructions that lists the skills; undefined where there are none. */
export function renderSkills(documents: readonly ObservedDocument[]): string | undefined {
	const text = documents.find(({ kind }) => kind === "skills")?.text;
	return text ? `${HEAD}\n${text}` : undefined;
}

/** What a change of the list says to the model. */
export function skillsNotice(text: string): string {
	return text === ""
		? "The skills that could be loaded are gone."
		: `The skills that loadSkill can load have changed. They are now:\n${text}`;
}

/**
 * The list, a line each, within the budget: descriptions are shortened first, then names are left out. `cut`: something
 * was. Skills that only the person starts are not in it; "" where no other is left.
 */
export function skillCatalogue(
	skills: readonly Skill[],
	maxTokens = CATALOGUE_TOKENS,
): { text: string; cut: boolean } {
	const offered = skills.filter(({ manual }) => !manual);
	for (const length of LENGTHS) {
		const lines = offered.map(({ name, description }) => lineOf(name, description, length));
		const cut = offered.some(({ description }) => description.length > length);
		const text = [...lines, ...(cut ? ["[Descriptions are shortened.]"] : [])].join("\n");
		if (estimateTokens(text) <= maxTokens) return { text, cut };
	}
	return { text: fittingNames(offered, maxTokens), cut: true };
}

function lineOf(name: string, description: string, length: number): string {
	if (length === 0) return `- ${name}`;
	return description.length <= length
		? `- ${name}: ${description}`
		: `- ${name}: ${description
				.slice(0, length - 1)
				.toWellFormed()
				.trimEnd()}…`;
}

function fittingNames(skills: readonly Skill[], maxTokens: number): string {
	const listed = (count: number) => {
		const names = skills.slice(0, count).map(({ name }) => name);
		return `${names.join(", ")}\n[${skills.length - count} more skills are not listed; loadSkill knows them by name.]`;
	};
	let count = skills.length - 1;
	while (count > 0 && estimateTokens(listed(count)) > maxTokens) count--;
	return listed(count);
}

/** A skill's text as the model gets it: where it lies, its instructions, its other files. */
export function skillText(skill: Skill, { body, files, moreFiles }: SkillText): string {
	const { name, path, compatibility, allowedTools } = skill;
	const more = moreFiles > 0 ? [`(and ${moreFiles} more)`] : [];
	const list = [...files.map((file) => `- ${file}`), ...more].join("\n");
	return [
		`Skill ${name}, from ${path}`,
		...(compatibility === undefined ? [] : [`It needs: ${compatibility}`]),
		...(allowedTools.length === 0
			? []
			: [`It would use ${allowedTools.join(", ")}; what is allowed is decided as ever.`]),
		"",
		body === "" ? "(It has no instructions.)" : body,
		...(list === "" ? [] : ["", "Its files; read or run them when the instructions call for it:", list]),
	].join("\n");
}

/** A skill's text with what the person wrote behind its name in the place of `$ARGUMENTS`. */
export function fillArguments(text: string, words: string): string {
	return text.replaceAll("$ARGUMENTS", () => words);
}
