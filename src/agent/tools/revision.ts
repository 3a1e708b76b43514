// What a person made of a proposed write: parts refused, or the text changed. Gives the text to write instead, and what
// the model must be told of it.

import type { Revision } from "../../ports/tool.ts";
import type { ToolError } from "../../types.ts";
import { previewDiff } from "./diffPreview.ts";
import { toolError } from "./filePath.ts";
import { applyHunks, diffHunks, hunkText } from "./hunks.ts";

/** The text to write, and a note for the model. */
export interface Revised {
	text: string;
	note: string;
}

/** Carries a revision out on a write that would make `after` of `before`, texts with their own line ends. */
export async function reviseText(
	path: string,
	before: string,
	after: string,
	revision: Revision,
): Promise<Revised | ToolError> {
	return "amended" in revision
		? amend(path, after, revision.amended)
		: pick(path, before, after, new Set(revision.hunks));
}

async function amend(path: string, proposed: string, amended: string): Promise<Revised> {
	if (amended === proposed) return { text: amended, note: "" };
	const change = await previewDiff(path, proposed, amended);
	return {
		text: amended,
		note: `The user changed the text before it was written; what stands in the file differs from your proposal so:\n${change}`,
	};
}

async function pick(
	path: string,
	before: string,
	after: string,
	accepted: ReadonlySet<number>,
): Promise<Revised | ToolError> {
	const hunks = await diffHunks(before, after);
	if (hunks === undefined || [...accepted].some((index) => hunks[index] === undefined))
		return toolError(
			"INVALID_ARGUMENT",
			`The change of ${path} cannot be taken apart so; nothing was written.`,
		);
	const refused = hunks.filter((_, index) => !accepted.has(index));
	if (refused.length === hunks.length)
		return toolError("DENIED", `The user refused every part of this change of ${path}. Nothing was written.`);
	if (refused.length === 0) return { text: after, note: "" };
	const count = `${refused.length} of its ${hunks.length} parts`;
	return {
		text: applyHunks(before, hunks, accepted),
		note: `The user refused ${count}: what was refused is not written, the rest is. Refused:\n${refused.map(hunkText).join("\n")}`,
	};
}
