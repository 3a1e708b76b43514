// Finds skills on the disk and reads them. The nearest of several with one name is taken; a broken one is left out with
// the reason. Bounded in files and bytes; nothing is run, and no link leads out of the place that a skill belongs to.

import { type Dirent, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { withoutHidden } from "../../policy/hiddenCharacters.ts";
import { isInside } from "../../policy/sandboxProfile.ts";
import type { Skill, Skills, SkillsFound, SkillText } from "../../ports/skills.ts";
import type { ReadTextFile } from "../../ports/textFile.ts";
import { splitFrontMatter } from "./frontMatter.ts";
import { parseSkill } from "./parseSkill.ts";
import type { SkillPlace } from "./skillPlaces.ts";

const MAX_SKILL_BYTES = 256 * 1024;
const MAX_SKILLS = 200;
const MAX_FILES = 100;
const MAX_DEPTH = 4;

/** What finding works with. */
export interface SkillSources {
	/** The nearest first. */
	places: readonly SkillPlace[];
	/** Real path of the workspace. */
	cwd: string;
	readText: ReadTextFile;
	/** SHA-256 in hex. */
	digest(text: string): string;
}

/** The skills at these places. Looks at the disk at each call and keeps nothing but what `mark` compares. */
export function createSkills(sources: SkillSources): Skills {
	let candidates: Candidate[] | undefined;
	return {
		async find() {
			candidates = candidatesOf(sources.places);
			return findAll(candidates, sources);
		},
		read: async (skill) => readSkill(skill, sources),
		mark() {
			candidates ??= candidatesOf(sources.places);
			const files = [...sources.places.map(({ folder }) => folder), ...candidates.map(({ file }) => file)];
			return files.map(markOf).join();
		},
	};
}

/** A folder in which a SKILL.md may stand. */
interface Candidate {
	name: string;
	file: string;
	place: SkillPlace;
}

function candidatesOf(places: readonly SkillPlace[]): Candidate[] {
	return places.flatMap((place) =>
		entriesOf(place.folder)
			.filter((entry) => !entry.name.startsWith(".") && (entry.isDirectory() || entry.isSymbolicLink()))
			.map(({ name }) => ({ name, file: join(place.folder, name, "SKILL.md"), place })),
	);
}

async function findAll(candidates: readonly Candidate[], sources: SkillSources): Promise<SkillsFound> {
	const byName = new Map<string, Skill>();
	const found: SkillsFound = { skills: [], broken: [], shadowed: [] };
	/** Programs link to one another's skills. */
	const seen = new Set<string>();
	for (const { name, file, place } of candidates) {
		const { scope, within } = place;
		const reading = sources.readText(file, { maxBytes: MAX_SKILL_BYTES, within });
		if (reading.state === "absent") continue;
		const path = shownPath(reading.state === "text" ? reading.real : file, file, place, sources.cwd);
		const isBroken = (why: string) => found.broken.push({ path, why: shownLine(why) });
		if (reading.state === "unusable") isBroken(reading.why);
		else if (reading.cut) isBroken(`it has ${reading.bytes} bytes; at most ${MAX_SKILL_BYTES} are read`);
		else if (!seen.has(reading.real)) {
			seen.add(reading.real);
			const parsed = await parseSkill(withoutHidden(reading.text).text, name);
			const known = byName.get(name);
			if (!parsed.ok) isBroken(parsed.why);
			else if (!hasOwnFolder(reading.real, place))
				isBroken(`it is a link to ${reading.real}; link the whole folder of the skill instead`);
			else if (known) found.shadowed.push({ name, path, by: known.path });
			else if (byName.size >= MAX_SKILLS) isBroken(`there are more than ${MAX_SKILLS} skills`);
			else byName.set(name, { ...parsed.head, scope, path, folder: dirname(reading.real) });
		}
	}
	found.skills = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
	return found;
}

/** Its folder is listed and, of the person's own, read unasked: it must be no more than the skill's. */
function hasOwnFolder(real: string, { scope, within }: SkillPlace): boolean {
	return basename(real) === "SKILL.md" && (scope === "project" || dirname(real) !== within);
}

function readSkill(skill: Skill, sources: SkillSources): Awaited<ReturnType<Skills["read"]>> {
	const { folder, scope } = skill;
	// A link may have come in its place since it was found.
	const place = sources.places.find((one) => one.scope === scope && isInside(folder, one.within));
	if (!place) return { ok: false, why: `${skill.path} is gone` };
	const reading = sources.readText(join(folder, "SKILL.md"), {
		maxBytes: MAX_SKILL_BYTES,
		within: place.within,
	});
	if (reading.state === "absent") return { ok: false, why: `${skill.path} is gone` };
	if (reading.state === "unusable") return { ok: false, why: `${skill.path} cannot be read: ${reading.why}` };
	if (reading.cut) return { ok: false, why: `${skill.path} has grown to ${reading.bytes} bytes` };
	const { text } = withoutHidden(reading.text);
	const files = filesBelow(folder, MAX_DEPTH).map((path) => {
		const real = join(folder, path);
		return shownPath(real, real, place, sources.cwd);
	});
	const value: SkillText = {
		body: splitFrontMatter(text).body.trim(),
		digest: sources.digest(text),
		files: files.slice(0, MAX_FILES),
		moreFiles: Math.max(0, files.length - MAX_FILES),
	};
	return { ok: true, value };
}

/** Plain files of a skill, relative to its folder; what a link leads to is none of them. */
function filesBelow(folder: string, depth: number, above = ""): string[] {
	const paths: string[] = [];
	for (const entry of entriesOf(join(folder, above))) {
		const path = above === "" ? entry.name : `${above}/${entry.name}`;
		if (/^\.|[\x00-\x1f\x7f]/.test(entry.name) || path === "SKILL.md") continue;
		if (entry.isFile()) paths.push(path);
		else if (entry.isDirectory() && depth > 1 && paths.length <= 10 * MAX_FILES)
			paths.push(...filesBelow(folder, depth - 1, path));
	}
	return paths;
}

/** By name. Of a folder that cannot be read nothing. */
function entriesOf(folder: string): Dirent[] {
	try {
		return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
	} catch {
		return [];
	}
}

/** A project's as the workspace's tools name it, the person's own by its real path. */
function shownPath(real: string, file: string, { scope }: SkillPlace, cwd: string): string {
	return scope === "user" ? real : relative(cwd, file).split(sep).join("/");
}

/** Reasons quote what stands in a file. */
function shownLine(text: string): string {
	return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ");
}

function markOf(path: string): string {
	try {
		const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
		return stats ? `${stats.ino}/${stats.size}/${stats.mtimeNs}` : "";
	} catch {
		return "?";
	}
}
