// Reads the head of a SKILL.md by the rules of agentskills.io. Touches no disk; whatever is wrong is told as a sentence.
// Checked by hand: a schema library would cost a start more than all else of a skill.

import { parseHead, splitFrontMatter } from "./frontMatter.ts";

/** What a SKILL.md says of itself. */
export interface SkillHead {
	name: string;
	/** One line. */
	description: string;
	compatibility?: string;
	allowedTools: string[];
	manual: boolean;
}

/** A parsed SKILL.md, or why it is none. */
export type ParsedSkill = { ok: true; head: SkillHead; body: string } | { ok: false; why: string };

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Keys that hold words, and their longest. Other programs write more keys than these; they are left alone. */
const WORDS = [
	{ key: "name", most: 64, required: true },
	{ key: "description", most: 1024, required: true },
	{ key: "license", most: Infinity, required: false },
	{ key: "compatibility", most: 500, required: false },
	{ key: "allowed-tools", most: Infinity, required: false },
];

/** Parses the text of a SKILL.md that lies in a folder called `folderName`. */
export async function parseSkill(text: string, folderName: string): Promise<ParsedSkill> {
	const { head, body } = splitFrontMatter(text);
	if (head === undefined) return broken("it does not begin with a head between two lines of ---");
	let values: unknown;
	try {
		values = (await parseHead(head)) ?? {};
	} catch (error) {
		const told = error instanceof Error ? error.message : String(error);
		return broken(`its head is no YAML: ${told.split("\n", 1)[0]?.replace(/[.:]$/, "")}`);
	}
	if (!isObject(values)) return broken("its head is no list of keys and values");
	const problems = problemsOf(values, folderName);
	if (problems.length > 0) return broken(problems.join("; "));
	const words = (key: string) =>
		String(values[key] ?? "")
			.replace(/\s+/g, " ")
			.trim();
	return {
		ok: true,
		body,
		head: {
			name: words("name"),
			description: words("description"),
			allowedTools: words("allowed-tools")
				.split(" ")
				.filter((tool) => tool !== ""),
			manual: words("disable-model-invocation") === "true",
			...(words("compatibility") === "" ? {} : { compatibility: words("compatibility") }),
		},
	};
}

function broken(why: string): ParsedSkill {
	return { ok: false, why };
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function problemsOf(values: Record<string, unknown>, folderName: string): string[] {
	const problems = WORDS.flatMap(({ key, most, required }) => {
		const value = values[key];
		if (value === undefined || value === null) return required ? [`${key} is missing`] : [];
		if (typeof value !== "string") return [`${key} is no text`];
		if (required && value.trim() === "") return [`${key} is empty`];
		return value.length > most ? [`${key} is longer than ${most} letters`] : [];
	});
	const { name, metadata } = values;
	if (metadata !== undefined && metadata !== null && !isMetadata(metadata))
		problems.push("metadata is no list of keys with a text each");
	if (problems.length > 0) return problems;
	if (!NAME.test(String(name))) return ["name may hold only a-z, 0-9 and single hyphens between them"];
	return name === folderName ? [] : [`its name is ${String(name)}, but its folder is called ${folderName}`];
}

/** Numbers count as texts: nobody quotes a version. */
function isMetadata(metadata: unknown): boolean {
	return (
		isObject(metadata) &&
		Object.values(metadata).every((value) => value === null || typeof value !== "object")
	);
}
