// A copy of what a project and its person tell the model: AGENTS.md, skills, memory. Cases are run beside it, so that an
// evaluation asks with their prompts and nothing that it does can reach the originals. No settings, rules or logs come
// along, and no link is followed out of the folder that it stands in.

import { realpathSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { foldersUp } from "../extensions/skills/skillPlaces.ts";

/** Where the originals are. */
export interface PromptSource {
	/** Real path of the folder that agi would be started in. */
	cwd: string;
	/** The person's folder of settings. */
	configFolder: string;
	/** Whether what acts on agi (skills, memory) is read of the folder too. */
	trusted: boolean;
}

/** Where the copy is: a start of agi there finds the same prompts. */
export interface PromptCopy {
	cwd: string;
	env: { AGI_HOME: string };
	trusted: boolean;
}

/** Told to the model of any folder, and only of a trusted one; names relative to a folder of the workspace. */
const DOCUMENTS = ["AGENTS.md", "CLAUDE.md"];
const TRUSTED = [".agent/MEMORY.md", ".agent/skills", ".agents/skills", ".claude/skills"];
/** What of a person's folder of settings is told. */
const OWN = ["AGENTS.md", "USER.md", "skills"];

/** Parts of a project's `.agent` that are told to the model. */
export const TOLD_OF_AGENT_FOLDER: readonly string[] = ["MEMORY.md", "skills"];

/** Copies the prompts below `scratch`, an empty folder. */
export async function copyPrompts(source: PromptSource, scratch: string): Promise<PromptCopy> {
	const { cwd, configFolder, trusted } = source;
	const copy = join(scratch, "workspace");
	const home = join(scratch, "home");
	const folders = foldersUp(cwd);
	const root = folders.at(-1) ?? cwd;
	const here = join(copy, relative(root, cwd));
	await mkdir(here, { recursive: true });
	// The copy ends here, whatever folders stand above it.
	await mkdir(join(copy, ".git"), { recursive: true });
	for (const folder of folders)
		await copyNamed(
			[...DOCUMENTS, ...(trusted ? TRUSTED : [])],
			folder,
			join(copy, relative(root, folder)),
			root,
		);
	await copyOwnPrompts(configFolder, home);
	return { cwd: realpathSync(here), env: { AGI_HOME: home }, trusted };
}

/** Copies what the person tells the model everywhere into the `AGI_HOME` of a run. */
export function copyOwnPrompts(configFolder: string, home: string): Promise<void> {
	return copyNamed(OWN, configFolder, join(home, "config"), configFolder);
}

async function copyNamed(names: readonly string[], from: string, to: string, within: string): Promise<void> {
	for (const name of names) {
		const path = join(from, name);
		if (!isInside(path, within)) continue;
		await cp(path, join(to, name), {
			recursive: true,
			dereference: true,
			filter: (part) => isInside(part, within),
		});
	}
}

/** Whether something stands there, links followed, that is below `folder`. */
function isInside(path: string, folder: string): boolean {
	try {
		return realpathSync(path).startsWith(realpathSync(folder) + sep);
	} catch {
		return false;
	}
}
