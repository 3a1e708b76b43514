// The list of steps that the model keeps, while it has steps to do.

import type { ReactNode } from "react";
import type { PlanItem } from "../../session/events.ts";
import { planRows } from "../view/planRows.ts";
import { DIM, type StyledLine } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

/** The rows of a plan with steps to do; none where all is done. */
export function planLines(items: readonly PlanItem[], width: number): StyledLine[] {
	const done = items.filter((item) => item.status === "completed").length;
	if (done === items.length) return [];
	const head: StyledLine = [{ text: `Plan, ${done} of ${items.length} done (Ctrl+T hides)`, style: DIM }];
	return [cutLine(head, width), ...planRows(items, width)];
}

/** Draws a plan in `rows` rows; where they are too few, the steps around the one that runs now stay. */
export function PlanList({
	items,
	width,
	rows,
}: {
	items: readonly PlanItem[];
	width: number;
	rows: number;
}): ReactNode {
	const lines = planLines(items, width);
	if (lines.length <= rows) return <Lines lines={lines} />;
	const current = items.findIndex((item) => item.status !== "completed");
	const from = planRows(items.slice(0, Math.max(0, current)), width).length;
	const body = lines.slice(1);
	const start = Math.max(0, Math.min(from, body.length - (rows - 1)));
	return <Lines lines={[...lines.slice(0, 1), ...body.slice(start, start + rows - 1)].slice(0, rows)} />;
}
