// Which of the allow rules that a person took over from a project still hold: those of this very project, whose settings
// file is what it was then. Loaded only where there are such rules.

import { hash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RuleImport, RuleSource } from "../policy/rules.ts";
import { readSmallFile } from "./smallFile.ts";

/** The mark of a project as it is now; undefined where it has no settings file that can be read. */
export async function importMark(agentFolder: string): Promise<RuleImport | undefined> {
	const file = await readSmallFile(join(agentFolder, "settings.json"), { refuseLink: true });
	if (file.state !== "text") return undefined;
	const project = await realpath(dirname(agentFolder)).catch(() => dirname(agentFolder));
	return { project, digest: hash("sha256", file.text, "hex") };
}

/**
 * The rules that count here: the person's own, and those taken over from the project of `agentFolder` as it is now.
 * Without one (none, or none that is trusted) only their own do. `notice` tells that rules of this project no longer count.
 */
export async function importsThatHold(
	rules: readonly RuleSource[],
	agentFolder: string | undefined,
): Promise<{ rules: RuleSource[]; notice?: string }> {
	const now = agentFolder === undefined ? undefined : await importMark(agentFolder);
	let outdated = 0;
	const held = rules.filter((source) => {
		if (typeof source === "string" || !source.from) return true;
		if (source.from.project !== now?.project) return false;
		const holds = source.from.digest === now.digest;
		if (!holds) outdated++;
		return holds;
	});
	if (outdated === 0 || agentFolder === undefined) return { rules: held };
	const count = outdated === 1 ? "The rule that you took over" : `The ${outdated} rules that you took over`;
	const no = outdated === 1 ? "no longer counts" : "no longer count";
	return {
		rules: held,
		notice: `${count} from ${join(agentFolder, "settings.json")} ${no}: the file has changed since. Look at it, then agi permissions import takes it over again.`,
	};
}
