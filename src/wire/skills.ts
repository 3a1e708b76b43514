// Joins a session with the skills of its workspace and its person: found at its start, looked at before each step, a part
// of its prompt, loaded by a call or by the person.

import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { readTextFile } from "../adapters/textFile.ts";
import { renderSkills, SKILLS_PATH, skillCatalogue } from "../agent/context/skills.ts";
import type { PromptState } from "../agent/system/prompt.ts";
import { createSkills } from "../extensions/skills/findSkills.ts";
import { skillPlaces } from "../extensions/skills/skillPlaces.ts";
import type { Skill, SkillShelf, Skills, SkillsFound } from "../ports/skills.ts";
import type { SkillsReport } from "../rpc/protocol.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { toldDocuments } from "../session/documents.ts";
import type { LoadedSkill } from "../session/events.ts";
import { isSkillShown } from "../session/skills.ts";

/** Sentences about broken skills that a start tells; the rest is counted. */
const TOLD_BROKEN = 3;

export interface SkillParts {
	session: LiveSession;
	/** Real path of the workspace, and the user's folder of settings. */
	cwd: string;
	configFolder: string;
	env: Readonly<Record<string, string | undefined>>;
	trusted: boolean;
	redact(text: string): string;
	/** SHA-256 in hex. */
	digest(text: string): string;
}

/** The skills of one session. */
export interface SessionSkills {
	/** Whether `loadSkill` is among its tools: settled at its first step, so that the list of tools never changes. */
	offered: boolean;
	/** Records a change of the list. */
	observe(): Promise<void>;
	withSkills(prompt: PromptState): PromptState;
	/** For one call. */
	shelf(callId: string): SkillShelf;
	find(): Promise<SkillsFound>;
	read: Skills["read"];
	/** What was found last. */
	known(): readonly Skill[];
	notices: string[];
}

/** Skills of the workspace `cwd` (a real path), outside of any session. */
export function openSkillFinder({
	cwd,
	configFolder,
	env,
	trusted,
	digest,
}: Omit<SkillParts, "session" | "redact">): Skills {
	// Who moves agi's folders elsewhere wants nothing of the usual ones: tests and evaluations rest on it.
	const home = env["AGI_HOME"] ? undefined : realFolder(env["HOME"] || homedir());
	const places = skillPlaces(cwd, { home, config: realFolder(configFolder), trusted });
	return createSkills({ places, cwd, readText: readTextFile, digest });
}

/** Finds the skills of a session; a new one is told of them at once. */
export async function openSkills(parts: SkillParts): Promise<SessionSkills> {
	const { session } = parts;
	const skills = openSkillFinder(parts);
	const isNew = session.state.made.step === 0;
	let found = await skills.find();
	// An older session may have been told another list.
	let mark = isNew ? skills.mark() : undefined;
	let length = session.state.history.length;
	const find = async () => {
		found = await skills.find();
		return found;
	};
	if (isNew) recordList(parts, found.skills);
	const offered = session.state.documents.some(({ kind }) => kind === "skills");
	return {
		offered,
		notices: brokenNotices(found),
		async observe() {
			if (!offered) return;
			const now = skills.mark();
			// A shorter history is one that was gone back in: what it had told may be gone.
			if (now === mark && session.state.history.length >= length) return;
			recordList(parts, (await find()).skills);
			mark = now;
			length = session.state.history.length;
		},
		withSkills(prompt) {
			const text = renderSkills(session.state.documents);
			return text === undefined ? prompt : { ...prompt, skills: text };
		},
		shelf: (callId) => ({
			find: async () => (await find()).skills,
			read: skills.read,
			isShown: (name, digest) => isSkillShown(session.state, name, digest),
			recordLoad: (skill, digest) =>
				void session.record({ do: "recordSkill", skill: loadedSkill(skill, digest, callId) }),
		}),
		find,
		read: skills.read,
		known: () => found.skills,
	};
}

/** The fact that an item of the history brings this version of a skill. Only trusted ones are ever found. */
export function loadedSkill(skill: Skill, digest: string, itemId: string): LoadedSkill {
	const { name, path, scope, folder } = skill;
	return { name, path, digest, trusted: true, itemId, ...(scope === "user" ? { folder } : {}) };
}

/** What `/skills` shows. */
export async function skillsReport(
	{ state }: LiveSession,
	skills: SessionSkills | undefined,
	trusted: boolean,
): Promise<SkillsReport> {
	const { skills: found = [], broken = [], shadowed = [] } = (await skills?.find()) ?? {};
	const loaded = new Set(state.skills.map(({ path }) => path));
	return {
		skills: found.map(({ name, description, path, manual }) => ({
			name,
			description,
			path,
			loaded: loaded.has(path),
			manual,
		})),
		broken,
		shadowed,
		trusted,
		offered: skills?.offered ?? false,
	};
}

/** What a person is told of skills that were not taken. */
function brokenNotices({ broken }: SkillsFound): string[] {
	const told = broken.slice(0, TOLD_BROKEN).map(({ path, why }) => `Skill ${path} was left out: ${why}.`);
	const more = broken.length - told.length;
	return more > 0 ? [...told, `${more} more skills were left out; /skills says why.`] : told;
}

/** Records the list where the model was told another. Before the first step an empty one is none. */
function recordList({ session, redact, digest }: SkillParts, skills: readonly Skill[]): void {
	const { text: list, cut } = skillCatalogue(skills);
	const text = redact(list);
	const known = toldDocuments(session.state).find(({ kind }) => kind === "skills");
	if ((known?.text ?? "") === text) return;
	const isGone = text === "" && session.state.made.step === 0;
	session.record({
		do: "observeDocument",
		document: {
			kind: "skills",
			path: SKILLS_PATH,
			digest: isGone ? "" : digest(text),
			bytes: new TextEncoder().encode(text).length,
			cut,
			trusted: true,
			text: isGone ? null : text,
		},
	});
}

/** With links followed; a folder that is not there as it is written. */
function realFolder(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return path;
	}
}
