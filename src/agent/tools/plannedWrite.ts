// The common second half of every tool that writes a file: bytes, stamps, preview, and a run that writes only where the
// file still is what the preview was made from.

import { countMarks } from "../../policy/redact.ts";
import type { PreparedCall, Revision, ToolContext } from "../../ports/tool.ts";
import type { FileContent, ResolvedPath, TextEncoding } from "../../ports/workspace.ts";
import type { FileStamp, ToolError } from "../../types.ts";
import { failed } from "../toolResults.ts";
import { previewChange } from "./diffPreview.ts";
import { describePath, folderName, pathFacts, toolError, toToolError } from "./filePath.ts";
import { fromLineFeeds, toLineFeeds } from "./lineEnds.ts";
import { reviseText } from "./revision.ts";

/** Longest proposal that is handed out for amending, in UTF-16 units. */
const MAX_PROPOSAL = 1_000_000;

/** A write as its tool worked it out. */
export interface WritePlan {
	path: ResolvedPath;
	/** What stands there now; undefined for no file. */
	old: FileContent | undefined;
	/** The whole new text, with the line ends it will have. */
	text: string;
	encoding: TextEncoding;
	/** As in "Edit". */
	verb: string;
	overwritesUnread: boolean;
	/** The result's text once it is written. */
	done: string;
}

/** Prepares the write, or says which character the file's encoding does not have. */
export async function prepareWrite(context: ToolContext, plan: WritePlan): Promise<PreparedCall | ToolError> {
	const { path, old, text, encoding } = plan;
	const misnamed = folderName(path);
	if (misnamed !== undefined) return misnamed;
	// A model that copies what it was shown would put the mark where the secret stands.
	if (countMarks(text) > countMarks(old?.text ?? "")) return copiedMark(path.given);
	const encoded = context.workspace.encode(text, encoding);
	if (!encoded.ok) return { ...toToolError(encoded.error), type: "INVALID_ARGUMENT" };
	const { bytes, digest } = encoded.value;
	const change = await previewChange(describePath(path), readable(old), toLineFeeds(text, encoding));
	const before: FileStamp = old?.stamp ?? { path: path.real, digest: null };
	return {
		resources: [{ kind: "file", key: path.real, access: "write" }],
		summary: `${plan.verb} ${describePath(path)}`,
		preview: change.text,
		...(old?.text !== undefined && isEven(text, encoding) && change.hunks > 0 ? { hunks: change.hunks } : {}),
		before: [before],
		after: [{ path: path.real, digest, size: bytes.length }],
		facts: { ...pathFacts(path), ...(plan.overwritesUnread ? { overwritesUnread: true } : {}) },
		...(text.length <= MAX_PROPOSAL ? { proposal: toLineFeeds(text, encoding) } : {}),
		revise: (revision) => revise(context, plan, revision),
		async run({ workspace }) {
			const written = await workspace.write(path, bytes, { expectedDigest: before.digest });
			if (!written.ok) return failed(toToolError(written.error));
			return { status: "result", text: plan.done, observed: [written.value] };
		},
	};
}

async function revise(
	context: ToolContext,
	plan: WritePlan,
	revision: Revision,
): Promise<PreparedCall | ToolError> {
	const { path, old, encoding } = plan;
	const wish = "amended" in revision ? { amended: fromLineFeeds(revision.amended, encoding) } : revision;
	const revised = await reviseText(path.shown, old?.text ?? "", plan.text, wish);
	if ("type" in revised) return revised;
	const { text, note } = revised;
	return prepareWrite(context, {
		...plan,
		text,
		done: note === "" ? plan.done : `${path.given} was written. ${note}`,
	});
}

/** Whether hunks of the preview are those of the text: every line ends alike, and so that a diff sees it. */
function isEven(text: string, encoding: TextEncoding): boolean {
	const { eol, mixedEol } = encoding;
	return !mixedEol && eol !== "\r" && fromLineFeeds(toLineFeeds(text, encoding), encoding) === text;
}

function copiedMark(path: string): ToolError {
	const message = `${path} was not written: the text holds "[redacted: …]", which stands for a secret that agi keeps from you. Leave that line as it is in the file (edit around it), or ask the person to put the value in.`;
	return toolError("INVALID_ARGUMENT", message);
}

/** A file's text for a preview; a file without text is told by its size. */
export function readable(content: FileContent | undefined): string | undefined {
	if (content === undefined) return undefined;
	const { text, encoding, bytes } = content;
	return text === undefined || encoding === undefined
		? `(binary file of ${bytes.length} bytes)`
		: toLineFeeds(text, encoding);
}
