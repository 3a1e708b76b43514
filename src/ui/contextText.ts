// What `/context` prints: how full the window is, what fills it by kind, and the items. Pure. Estimates say so by `≈`.

import type { ContextItem, ContextItems } from "../session/contextItems.ts";
import { countOf, formatTokens, percentOf } from "./view/format.ts";

/** Items that are printed where not all are asked for. */
const BIGGEST = 20;

const BAR_COLUMNS = 40;
const GROUP_COLUMNS = 20;

/** How a kind is called; others stand as they are. */
const GROUPS: Record<string, string> = {
	document: "documents",
	checkpoint: "summary",
	user: "your messages",
	answer: "answers",
	result: "tool results",
	notice: "notices",
};

/** The report: the biggest items, or `all` in their order. */
export function contextText(context: ContextItems, all = false): string {
	const { items } = context;
	const shown = all ? items : items.toSorted((a, b) => b.tokens - a.tokens).slice(0, BIGGEST);
	const rest = items.filter((item) => !shown.includes(item));
	return [
		...headOf(context),
		"",
		...groupLines(items),
		"",
		...itemLines(shown),
		...(rest.length > 0
			? [`and ${countOf(rest.length, "smaller item")} of ≈${formatTokens(sumOf(rest))} tokens: /context all`]
			: []),
		"",
		"/context mask N takes an item out of the model's sight, pin N keeps it word for word in every summary, open N shows it; unmask N and unpin N take that back.",
	].join("\n");
}

function headOf({ tokens, usedTokens, usedEstimated, contextWindow }: ContextItems): string[] {
	const share = percentOf(tokens, contextWindow);
	const full = Math.round((share / 100) * BAR_COLUMNS);
	const used = `The last request and its reply took ${usedEstimated ? "≈" : ""}${formatTokens(usedTokens)} tokens${usedEstimated ? "" : " by the server's count"}.`;
	return [
		`The next request: ≈${formatTokens(tokens)} of ${formatTokens(contextWindow)} tokens (${share}%)`,
		"█".repeat(full) + "░".repeat(BAR_COLUMNS - full),
		...(usedTokens > 0 ? [used] : []),
	];
}

function groupLines(items: readonly ContextItem[]): string[] {
	const groups = new Map<string, number>();
	for (const { kind, tokens } of items) {
		const name = GROUPS[kind] ?? kind;
		groups.set(name, (groups.get(name) ?? 0) + tokens);
	}
	const total = Math.max(1, sumOf(items));
	const widest = Math.max(0, ...[...groups.keys()].map((name) => name.length));
	return [...groups].map(([name, tokens]) => {
		const bar = "█".repeat(Math.round((tokens / total) * GROUP_COLUMNS));
		return `${name.padEnd(widest)}  ${`≈${formatTokens(tokens)}`.padStart(7)}  ${bar}`.trimEnd();
	});
}

function itemLines(items: readonly ContextItem[]): string[] {
	const widest = Math.max(1, ...items.map(({ ref }) => ref.length));
	return items.map((item) => {
		const tokens = `≈${formatTokens(item.tokens)}`.padStart(7);
		return `${item.ref.padStart(widest)}  ${tokens}  ${itemTitle(item)}${marksOf(item)}`;
	});
}

/** An item by its kind and what it is. */
export function itemTitle({ kind, source }: ContextItem): string {
	return kind === source ? kind : `${kind}: ${source}`;
}

function marksOf({ masked, pinned }: ContextItem): string {
	const marks = [
		...(masked === undefined ? [] : [`masked, hides ≈${formatTokens(masked)}`]),
		...(pinned ? ["pinned"] : []),
	];
	return marks.length > 0 ? ` [${marks.join("; ")}]` : "";
}

function sumOf(items: readonly ContextItem[]): number {
	return items.reduce((sum, { tokens }) => sum + tokens, 0);
}
