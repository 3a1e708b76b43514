// What the tools that search have in common: how a failed search is told, and how found paths are written.

import type { SearchError } from "../../ports/search.ts";
import type { ResolvedPath } from "../../ports/workspace.ts";
import type { ToolOutcome } from "../../types.ts";
import { failed } from "../toolResults.ts";
import { toolError } from "./filePath.ts";

/** The outcome of a search that gave none. */
export function endOfSearch(error: SearchError): ToolOutcome {
	switch (error.kind) {
		case "cancelled":
			return { status: "cancelled", text: error.message };
		case "invalid_pattern":
			return failed(toolError("INVALID_ARGUMENT", error.message, { pattern: error.message }));
		case "failed":
			return failed(toolError("FAILED", error.message));
		default:
			return error.kind satisfies never;
	}
}

/** Why a glob may have found nothing, where its own signs can be to blame; undefined where they cannot. */
export function globHint(glob: string): string | undefined {
	const signs = glob.replace(/\\./gs, "");
	const rest = signs.replace(/\[[!^]?\]?[^\]]*\]/g, "");
	if (rest.includes("[")) return `[${glob} has a [ that nothing closes, so it stands for itself.]`;
	const open = rest.split("{").length - rest.split("}").length;
	if (open > 0) return `[${glob} has a { that nothing closes, so it stands for itself.]`;
	const name = /(?:^|\/)\[([\w.]{2,})\]/.exec(signs)?.[1];
	if (name === undefined) return undefined;
	return `[In a glob [${name}] is one of these letters; \\[${name}\\] is the name with its brackets.]`;
}

/** What stands before a path that is relative to a searched folder, so that other tools take it. */
export function pathPrefix(folder: ResolvedPath): string {
	if (folder.shown === ".") return "";
	return folder.shown.endsWith("/") ? folder.shown : `${folder.shown}/`;
}
