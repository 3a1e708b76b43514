// Messages that wait for their turn, in order.

import type { ReactNode } from "react";
import { countOf } from "../view/format.ts";
import { oneLine } from "../view/oneLine.ts";
import type { QueuedView } from "../view/state.ts";
import { DIM, type StyledLine } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

const MAX_SHOWN = 3;

/** A row for each of the first messages, and one that counts the rest. */
export function queueLines(queue: readonly QueuedView[], width: number): StyledLine[] {
	const rows = queue
		.slice(0, MAX_SHOWN)
		.map((message) => cutLine([{ text: `⧗ ${oneLine(message.rawText)}`, style: DIM }], width));
	const left = queue.length - rows.length;
	const hint = queue.length > 0 ? "Alt+Up edits" : "";
	if (left > 0)
		rows.push(cutLine([{ text: `  and ${countOf(left, "more message")}, ${hint}`, style: DIM }], width));
	return rows;
}

/** Draws the first `rows` of them. */
export function Queue({
	queue,
	width,
	rows,
}: {
	queue: readonly QueuedView[];
	width: number;
	rows: number;
}): ReactNode {
	return <Lines lines={queueLines(queue, width).slice(0, rows)} />;
}
