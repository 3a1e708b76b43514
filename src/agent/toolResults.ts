// Turns whatever a tool gave into the one bounded text that model, screen, callbacks and log share.

import type { ToolError, ToolOutcome } from "../types.ts";
import { breakLines } from "./tools/linePage.ts";

/** Letters of a result that a model gets at most. */
export const MAX_TOOL_RESULT_LENGTH = 50_000;

/** Share of the bound that the head of a cut text keeps; the tail often holds the error. */
const HEAD_SHARE = 0.6;

/**
 * `text` cut to `maxLength` letters: its head, `... [N lines truncated] ...`, its tail. Cuts at line ends where lines
 * are short enough, and inside a line where one alone is too long. A text within the bound is returned as it is.
 */
export function truncateResult(text: string, maxLength = MAX_TOOL_RESULT_LENGTH): string {
	if (text.length <= maxLength) return text;
	const { head, lines, tail } = cutMiddle(text, maxLength);
	return `${head}\n... [${lines} lines truncated] ...\n${tail}`;
}

/**
 * A text that is longer than the bound, cut as `truncateResult` does; a line behind the cut tells where all of it is, or
 * all that was kept of it where `lostBytes` are missing from its middle.
 */
export function excerptOf(whole: string, artifactId: string, lostBytes = 0): string {
	// Measured with room for that line, which is shorter.
	const { head, lines, tail } = cutMiddle(whole, MAX_TOOL_RESULT_LENGTH - 200);
	const offset = Math.max(0, breakLines(head).length - 1);
	const all = breakLines(whole).length;
	const held =
		lostBytes === 0
			? `All ${all} lines: ${artifactId}`
			: `${artifactId} holds ${all} lines of it, without ${lostBytes} bytes of the middle that were not kept`;
	const note = `[${held}. Go on with readArtifact ${JSON.stringify({ id: artifactId, offset })}, or search it.]`;
	return `${head}\n... [${lines} lines truncated] ...\n${note}\n${tail}`;
}

/** Head and tail of a text that is too long, and how many lines are missing between them. */
function cutMiddle(text: string, maxLength: number): { head: string; lines: number; tail: string } {
	const headLength = Math.floor(maxLength * HEAD_SHARE);
	const tailLength = Math.max(0, maxLength - headLength - 60);
	const head = cutToLine(text.slice(0, headLength), "end");
	const tail = cutToLine(text.slice(text.length - tailLength), "start");
	const cut = text.slice(head.length, text.length - tail.length);
	const lines = cut.split("\n").length - (cut.endsWith("\n") ? 1 : 0);
	return {
		head: withoutHalfPair(head.replace(/\n$/, "")),
		lines,
		tail: tail.replace(/^[\udc00-\udfff]/, ""),
	};
}

/** An error as the model reads it. */
export function describeError(error: ToolError): string {
	return JSON.stringify({ ok: false, error });
}

/** An outcome that is an error. */
export function failed(error: ToolError): ToolOutcome {
	return { status: "error", text: describeError(error), error };
}

/** Shortens to whole lines where that keeps at least half. */
function cutToLine(piece: string, side: "start" | "end"): string {
	if (side === "end") {
		const at = piece.lastIndexOf("\n");
		return at > piece.length / 2 ? piece.slice(0, at + 1) : piece;
	}
	const at = piece.indexOf("\n");
	return at >= 0 && at < piece.length / 2 ? piece.slice(at + 1) : piece;
}

/** A cut between the halves of a surrogate pair would make text that is no valid UTF-8. */
function withoutHalfPair(text: string): string {
	return text.replace(/[\ud800-\udbff]$/, "");
}
