// A plan as rows, for the transcript and for the live area.

import type { PlanItem } from "../../session/events.ts";
import { oneLine } from "./oneLine.ts";
import { ACCENT, DIM, GOOD, type StyledLine } from "./style.ts";
import { wrapLine } from "./wrap.ts";

/** A box by state for each step; the one that runs now stands out. */
export function planRows(items: readonly PlanItem[], width: number): StyledLine[] {
	return items.flatMap(({ content, status }) => {
		const box = status === "completed" ? "☑ " : status === "in_progress" ? "▸ " : "☐ ";
		const style = status === "completed" ? DIM : status === "in_progress" ? ACCENT : undefined;
		const mark = { text: box, style: status === "completed" ? GOOD : style };
		return wrapLine([mark, { text: oneLine(content), style }], width, { indent: 2 });
	});
}
