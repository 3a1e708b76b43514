// What `/skills` prints. Pure.

import type { SkillsReport } from "../rpc/protocol.ts";

/** The skills with where they are from and how they stand, those that were left out with why. */
export function skillsText({ skills, broken, shadowed, trusted, offered }: SkillsReport): string {
	const lines = skills.flatMap(({ name, description, path, loaded, manual }) => {
		const marks = [...(loaded ? ["loaded"] : []), ...(manual ? ["only you start it"] : [])];
		const state = marks.length === 0 ? "" : ` (${marks.join(", ")})`;
		return [`/${name}${state}`, `  ${description}`, `  ${path}`];
	});
	const notes = [
		...(skills.length === 0
			? ["There are no skills here. One is a folder .agent/skills/NAME with a SKILL.md."]
			: []),
		...broken.map(({ path, why }) => `Left out: ${path}: ${why}.`),
		...shadowed.map(({ name, path, by }) => `Left out: ${path}: ${name} of ${by} is nearer.`),
		...(trusted ? [] : ["Skills of this folder are not read, because you have not said that you trust it."]),
		...(skills.length > 0 && !offered
			? ["The model can load them from the next session on; you can start them now."]
			: []),
	];
	return [...lines, ...notes].join("\n");
}
