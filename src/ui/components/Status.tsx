// The last line: mode, model, meter, sandbox, cost, queue, branch, trust, folder. On a narrow screen the least telling ones go first.

import type { ReactNode } from "react";
import type { Mode } from "../../types.ts";
import { formatCost } from "../view/format.ts";
import type { ViewState } from "../view/state.ts";
import { ACCENT, BAD, DIM, GOOD, type Span, type Style, type StyledLine, WARN } from "../view/style.ts";
import { cutLine, displayWidth } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";
import { meterSpan } from "./TokenUsage.tsx";

/** What the line tells. */
export type StatusFacts = Pick<
	ViewState,
	"mode" | "model" | "meter" | "sandbox" | "costUsd" | "queue" | "branch" | "trusted" | "cwd"
>;

const SEPARATOR: Span = { text: " | ", style: DIM };

const MODE_STYLES: Record<Mode, Style> = {
	default: DIM,
	acceptEdits: GOOD,
	plan: ACCENT,
	bypassPermissions: BAD,
};

/** The parts in the order of the line; `rank`: 0 stays the longest. */
function partsOf(facts: StatusFacts): (Span & { rank: number })[] {
	const cost = formatCost(facts.costUsd);
	const folder = facts.cwd.split("/").at(-1) || facts.cwd;
	const parts = [
		{ text: facts.mode, style: MODE_STYLES[facts.mode], rank: 0 },
		{ text: facts.model, style: DIM, rank: 1 },
		{ ...meterSpan(facts.meter), rank: 2 },
		sandboxPart(facts.sandbox),
		{ text: cost, style: DIM, rank: 5 },
		{ text: facts.queue.length > 0 ? `${facts.queue.length} queued` : "", style: WARN, rank: 4 },
		{ text: facts.branch, style: DIM, rank: 9 },
		{
			text: facts.trusted ? "trusted" : "untrusted",
			style: facts.trusted ? DIM : WARN,
			rank: facts.trusted ? 8 : 6,
		},
		{ text: folder, style: DIM, rank: 10 },
	];
	return parts.filter((part) => part.text !== "");
}

/** Whatever is less than a whole sandbox without network stays longer than what goes without saying. */
function sandboxPart({ level, network, external }: StatusFacts["sandbox"]): Span & { rank: number } {
	const text = `sandbox ${external ? "external" : level}, net ${network ? "on" : "off"}`;
	const isWhole = (level === "full" || level === "checking") && !network;
	return { text, style: isWhole ? DIM : WARN, rank: isWhole ? 7 : 3 };
}

/** The line in at most `width` columns. */
function statusLine(facts: StatusFacts, width: number): StyledLine {
	let parts = partsOf(facts);
	const columns = () =>
		parts.reduce((sum, part) => sum + displayWidth(part.text), 0) +
		SEPARATOR.text.length * (parts.length - 1);
	while (parts.length > 1 && columns() > width) {
		const last = Math.max(...parts.map((part) => part.rank));
		parts = parts.filter((part) => part.rank !== last);
	}
	const spans = parts.flatMap(({ text, style }, i) =>
		i === 0 ? [{ text, style }] : [SEPARATOR, { text, style }],
	);
	return cutLine(spans, width);
}

/** Draws the line. */
export function Status({ facts, width }: { facts: StatusFacts; width: number }): ReactNode {
	return <Lines lines={[statusLine(facts, width)]} />;
}
