// Messages that wait, in the order in which they leave, each with what it waits for.

import type { ReactNode } from "react";
import { countOf } from "../view/format.ts";
import { oneLine } from "../view/oneLine.ts";
import type { QueuedView } from "../view/state.ts";
import { ACCENT, DIM, type StyledLine } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

const MAX_SHOWN = 3;
const WAITS_FOR: Record<QueuedView["target"], string> = {
	next_step: "next step",
	next_turn: "next turn",
};

/** A row for each message around the marked one, or of the first ones, and one that tells the keys. */
export function queueLines(queue: readonly QueuedView[], width: number, marked?: string): StyledLine[] {
	if (queue.length === 0) return [];
	const at = queue.findIndex(({ messageId }) => messageId === marked);
	const first = Math.max(0, Math.min(at - 1, queue.length - MAX_SHOWN));
	const rows = queue.slice(first, first + MAX_SHOWN).map((message) => {
		const isMarked = message.messageId === marked;
		const text = `${isMarked ? "❯" : "⧗"} ${WAITS_FOR[message.target]} · ${oneLine(message.rawText)}`;
		return cutLine([{ text, style: isMarked ? ACCENT : DIM }], width);
	});
	const left = queue.length - rows.length;
	const more = left > 0 ? `and ${countOf(left, "more message")}, ` : "";
	const keys =
		at < 0
			? "Alt+Up edits the last, Alt+Q goes through them"
			: "Enter edits, Alt+Up and Alt+Down move, Delete deletes, Esc leaves";
	return [...rows, cutLine([{ text: `  ${more}${keys}`, style: DIM }], width)];
}

/** Draws the first `rows` of them. */
export function Queue({
	queue,
	width,
	rows,
	marked,
}: {
	queue: readonly QueuedView[];
	width: number;
	rows: number;
	marked?: string | undefined;
}): ReactNode {
	return <Lines lines={queueLines(queue, width, marked).slice(0, rows)} />;
}
