// /compact: shows the summary that would stand for older parts and what it saves; the person takes it, edits it or leaves
// it. Nothing is changed before that.

import type { Client } from "../rpc/client.ts";
import type { CompactionPreview } from "../rpc/protocol.ts";
import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { countOf, formatTokens } from "./view/format.ts";

const USE = "Use it";
const EDIT = "Edit it";
const LEAVE = "Leave everything as it is";

/** Conversations in which a summary is written or waits for an answer: another one would only stand behind it. */
const underWay = new WeakSet<Client>();

/** Sums up older parts, with `focus` above all; `undo` takes the last summary back. */
export async function compact(desk: CommandDesk, focus: string): Promise<void> {
	if (focus === "undo") {
		await obtain(desk, { do: "undoCompaction" });
		return print(desk, "The last summary was taken back; the model sees all of it again.", "dim");
	}
	if (underWay.has(desk.client))
		throw new Error("A summary is being written or waits for your answer. Finish that one first.");
	underWay.add(desk.client);
	try {
		await summarize(desk, focus);
	} finally {
		underWay.delete(desk.client);
	}
}

async function summarize(desk: CommandDesk, focus: string): Promise<void> {
	print(desk, "Writing a summary…", "dim");
	const preview = await obtain(desk, { do: "compact", ...(focus === "" ? {} : { focus }) });
	print(desk, previewText(preview));
	const answer = await desk.questions.ask("Use this summary?", { options: [USE, EDIT, LEAVE] });
	if (answer !== USE && answer !== EDIT) return;
	const text = answer === EDIT ? await desk.outside.editText(preview.summary) : preview.summary;
	const { tokensBefore, tokensAfter } = await obtain(desk, { do: "acceptCompaction", text });
	print(
		desk,
		`Done: ${savingOf(tokensBefore, tokensAfter)}. The log keeps everything; /compact undo takes it back.`,
		"dim",
	);
}

function previewText({ summary, tokensBefore, tokensAfter, items }: CompactionPreview): string {
	return `${summary}\n\nIt stands for ${countOf(items, "message")}: ${savingOf(tokensBefore, tokensAfter)}.`;
}

function savingOf(before: number, after: number): string {
	return `≈${formatTokens(before)} → ≈${formatTokens(after)} tokens`;
}
