// What agi needs of the Agent Skills that a person or a project brings (agentskills.io): folders with a SKILL.md.

/** A skill as the head of its SKILL.md tells it. */
export interface Skill {
	/** Its folder's name too. */
	name: string;
	/** One line. */
	description: string;
	scope: "user" | "project";
	/** Of SKILL.md: relative to the workspace where the project brought it, absolute and real for the person's own. */
	path: string;
	/** Real path of its folder. */
	folder: string;
	/** What it needs of the machine, in words. */
	compatibility?: string;
	/** Tools it would like to have. They grant nothing. */
	allowedTools: string[];
	/** Only the person starts it, never the model. */
	manual: boolean;
}

/** All skills there are, and what was not taken. */
export interface SkillsFound {
	/** By name; of several with one name the nearest. */
	skills: Skill[];
	broken: { path: string; why: string }[];
	/** Left out because the skill at `by` has the same name and is nearer. */
	shadowed: { name: string; path: string; by: string }[];
}

/** A skill as it is loaded. */
export interface SkillText {
	/** SKILL.md without its head and without hidden characters. */
	body: string;
	/** SHA-256 of the whole file's text, in hex. */
	digest: string;
	/** Its other files as paths that the file tools take, at most 100. */
	files: string[];
	/** How many more there are. */
	moreFiles: number;
}

/** None of these throws, whatever stands on the disk. */
export interface Skills {
	find(): Promise<SkillsFound>;
	/** The text as it stands now, or why there is none. */
	read(skill: Skill): Promise<{ ok: true; value: SkillText } | { ok: false; why: string }>;
	/** Changes whenever a skill comes, goes or changes; quick enough for every step. */
	mark(): string;
}

/** The skills of a session, as its tools see them. */
export interface SkillShelf {
	find(): Promise<Skill[]>;
	read: Skills["read"];
	/** Whether the model has this very text before it. */
	isShown(name: string, digest: string): boolean;
	/** Records that the result of this call brings the skill's text. */
	recordLoad(skill: Skill, digest: string): void;
}
