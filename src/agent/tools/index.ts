// The registry: every tool there is, and the one place where a tool's argument type is erased.

import type { AnyTool, Tool } from "../../ports/tool.ts";
import type { Toolset } from "../turn.ts";
import { askUser } from "./askUser.ts";
import { delegateToSubagent } from "./delegateToSubagent.ts";
import { deleteFile } from "./deleteFile.ts";
import { editFile } from "./editFile.ts";
import { executeCode } from "./executeCode.ts";
import { findFiles } from "./findFiles.ts";
import { listFiles } from "./listFiles.ts";
import { loadSkill } from "./loadSkill.ts";
import { memory } from "./memory.ts";
import { readArtifact } from "./readArtifact.ts";
import { readFile } from "./readFile.ts";
import { recall } from "./recall.ts";
import { runCommand } from "./runCommand.ts";
import { searchFiles } from "./searchFiles.ts";
import { createToolset } from "./toolset.ts";
import { updatePlan } from "./updatePlan.ts";
import { webFetch } from "./webFetch.ts";
import { webSearch } from "./webSearch.ts";
import { writeFile } from "./writeFile.ts";

/** Tools that read and change files. */
export const fileTools: Readonly<Record<string, AnyTool>> = byName([
	erase(readFile),
	erase(writeFile),
	erase(editFile),
	erase(listFiles),
	erase(deleteFile),
	erase(findFiles),
	erase(searchFiles),
]);

/** Tools that run programs. */
export const shellTools: Readonly<Record<string, AnyTool>> = byName([erase(runCommand), erase(executeCode)]);

/** Every tool, in the order in which a model sees them. */
export const tools: Readonly<Record<string, AnyTool>> = {
	...fileTools,
	...shellTools,
	...byName([
		erase(webSearch),
		erase(webFetch),
		erase(askUser),
		erase(updatePlan),
		erase(memory),
		erase(delegateToSubagent),
		erase(readArtifact),
		erase(recall),
		erase(loadSkill),
	]),
};

/**
 * The toolset of a session: all tools, without those that `hidden` names, and without `loadSkill` where there is no
 * skill. Where there is no key for it, `webSearch` is not offered; a model that calls it all the same reads how to set it.
 */
export function createTools(options: {
	canSearchWeb: boolean;
	hasSkills?: boolean;
	hidden?: readonly string[];
}): Toolset {
	const hidden = new Set(options.hidden ?? []);
	if (!options.hasSkills) hidden.add("loadSkill");
	const shown = Object.values(tools).filter(({ name }) => !hidden.has(name));
	const isOffered = ({ name }: AnyTool) => options.canSearchWeb || name !== "webSearch";
	return createToolset(
		shown.filter(isOffered),
		shown.filter((tool) => !isOffered(tool)),
	);
}

function byName(list: readonly AnyTool[]): Readonly<Record<string, AnyTool>> {
	return Object.fromEntries(list.map((tool) => [tool.name, tool]));
}

/** Sound because the pipeline gives a tool only what its own schema has parsed. */
function erase<I>(tool: Tool<I>): AnyTool {
	return tool as unknown as AnyTool;
}
