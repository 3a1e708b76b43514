// What streams and is not complete yet: its last rows, or a line that counts the reasoning.

import type { ReactNode } from "react";
import { keepTail } from "../view/fitHeight.ts";
import { countOf } from "../view/format.ts";
import type { Block, StreamView } from "../view/state.ts";
import { DIM, type StyledLine } from "../view/style.ts";
import { Lines } from "./Lines.tsx";

/** The rows that stand below the transcript; an empty row parts them from a block of another kind. */
export function streamLines(stream: StreamView, lastBlock: Block | undefined): StyledLine[] {
	const reasoning: StyledLine[] =
		stream.reasoningLines > 0
			? [[{ text: `∴ thinking, ${countOf(stream.reasoningLines, "line")}`, style: { ...DIM, italic: true } }]]
			: [];
	const rows = [...reasoning, ...stream.partial];
	const isApart = rows.length > 0 && lastBlock !== undefined && lastBlock.kind !== "answer";
	return isApart ? [[], ...rows] : rows;
}

/** Draws the last `rows` of them. */
export function StreamTail({
	stream,
	lastBlock,
	rows,
}: {
	stream: StreamView;
	lastBlock: Block | undefined;
	rows: number;
}): ReactNode {
	return <Lines lines={keepTail(streamLines(stream, lastBlock), rows)} />;
}
