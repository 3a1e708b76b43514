// A message that begins with the name of a skill brings the skill's instructions along.

import { fillArguments, skillText } from "../agent/context/skills.ts";
import type { Skill, Skills } from "../ports/skills.ts";
import type { Attachment, LoadedSkill } from "../session/events.ts";

/** The skills that a message can start. */
export interface StartableSkills {
	find(): Promise<{ skills: Skill[] }>;
	read: Skills["read"];
	/** The fact that this version was loaded, but for the item that brings it. */
	loaded(skill: Skill, digest: string): Omit<LoadedSkill, "itemId">;
}

/** What the message brings, or why it is not sent. */
export type StartedSkill =
	| { ok: true; attachment: Attachment; loaded: Omit<LoadedSkill, "itemId"> }
	| { ok: false; message: string };

const CALL = /^\s*\/([a-z0-9][a-z0-9-]*)(?:\s+([\s\S]*))?$/;

/** The skill that `text` starts, as `/name words`; undefined where it starts none. */
export async function startSkill(
	text: string,
	skills: StartableSkills | undefined,
): Promise<StartedSkill | undefined> {
	const [, name, words = ""] = CALL.exec(text) ?? [];
	if (name === undefined || !skills) return undefined;
	const skill = (await skills.find()).skills.find((one) => one.name === name);
	if (!skill) return undefined;
	const read = await skills.read(skill);
	if (!read.ok) return { ok: false, message: `The skill ${name} cannot be started: ${read.why}.` };
	const body = fillArguments(skillText(skill, read.value), words.trim());
	return {
		ok: true,
		attachment: {
			kind: "skill",
			source: name,
			text: `The user starts this skill: follow it.\n${body}`,
			cut: false,
			digest: read.value.digest,
		},
		loaded: skills.loaded(skill, read.value.digest),
	};
}
