// What commands print: the session's reports as lines. Pure.

import type {
	ContextReport,
	CostReport,
	ListedRule,
	PermissionsReport,
	SessionGreeting,
	SessionSummary,
} from "../rpc/protocol.ts";
import type { PickerItem } from "./input/picker.ts";
import { countOf, formatCost, formatTokens, percentOf } from "./view/format.ts";
import { modelLabel, type ViewState } from "./view/state.ts";

/** `/cost`. */
export function costText({ models, costUsd }: CostReport): string {
	if (models.length === 0) return "Nothing was used yet.";
	const lines = models.map(({ model, profile, usage, costUsd: usd }) => {
		const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage;
		const cached = cachedInputTokens > 0 ? ` (${formatTokens(cachedInputTokens)} cached)` : "";
		const thought = reasoningTokens > 0 ? ` (${formatTokens(reasoningTokens)} reasoning)` : "";
		return `${model} (${profile}): ${formatTokens(inputTokens)} in${cached}, ${formatTokens(outputTokens)} out${thought}, ${price(usd)}`;
	});
	return [...lines, `In all: ${price(costUsd)}`].join("\n");
}

function price(usd: number | null): string {
	return usd === null ? "price unknown" : formatCost(usd) || "$0";
}

/** `/permissions`. */
export function permissionsText(report: PermissionsReport): string {
	const { rules, granted, suggested, taint, lastQuestion } = report;
	const part = (title: string, lines: string[]) =>
		lines.length === 0 ? [] : [`${title}:`, ...lines.map((l) => `  ${l}`)];
	const asked = lastQuestion && [
		`${lastQuestion.tool}: ${lastQuestion.reason} (${lastQuestion.rule}; ${lastQuestion.answer ?? "not answered yet"})`,
	];
	return [
		`Mode: ${report.mode}`,
		...part(
			"Rules",
			rules.length === 0 ? ["none of your own; agi permissions add RULE makes one"] : rules.map(ruleText),
		),
		...part("Allowed in this session", granted),
		...part("Suggested by the project, not in force", suggested.map(ruleText)),
		...part("Text of unknown intent came from", taint),
		...part("Last question", asked ?? []),
	].join("\n");
}

function ruleText({ effect, rule, layer, origin }: ListedRule): string {
	return `${effect} ${rule} (${layer}: ${origin})`;
}

const BAR_COLUMNS = 20;

/** `/context`. */
export function contextText({ contributions, usedTokens, contextWindow }: ContextReport): string {
	if (contributions.length === 0) return "Nothing was sent yet.";
	const total = contributions.reduce((sum, { tokens }) => sum + tokens, 0);
	const names = contributions.map(({ kind, source }) => (kind === source ? kind : `${kind}: ${source}`));
	const widest = Math.max(...names.map((name) => name.length));
	const lines = contributions.map(({ tokens }, i) => {
		const bar = "█".repeat(Math.round((tokens / Math.max(1, total)) * BAR_COLUMNS));
		return `${(names[i] ?? "").padEnd(widest)}  ${formatTokens(tokens).padStart(6)}  ${bar}`;
	});
	const used =
		usedTokens > 0
			? `The last request took ${formatTokens(usedTokens)} of ${formatTokens(contextWindow)} tokens (${percentOf(usedTokens, contextWindow)}%).`
			: `The window has ${formatTokens(contextWindow)} tokens.`;
	return [...lines, `${used} Parts are estimates.`].join("\n");
}

/** `/status`. */
export function statusText(greeting: SessionGreeting, view: ViewState): string {
	const { sessionId, cwd, version, profile, trusted, tools } = greeting;
	const rows: [string, string][] = [
		["agi", version],
		["model", `${modelLabel(greeting)} (${profile})`],
		["mode", view.mode],
		[
			"folder",
			`${cwd}${view.branch === "" ? "" : ` (${view.branch})`}, ${trusted ? "trusted" : "untrusted"}`,
		],
		["session", `${sessionId}${view.title === "" ? "" : `: ${view.title}`}`],
		[
			"context",
			`${percentOf(view.meter.tokens, view.meter.window)}% of ${formatTokens(view.meter.window)} tokens`,
		],
		["cost", price(view.costUsd)],
		["tools", tools.join(", ")],
	];
	return rows.map(([name, value]) => `${name.padEnd(8)} ${value}`).join("\n");
}

/** The list of `/resume`. */
export function sessionItems(sessions: readonly SessionSummary[], now: number): PickerItem[] {
	return sessions.map(({ id, title, turns, updated, model }) => ({
		id,
		label: title === "" ? id : title,
		detail: `${ageOf(now - Date.parse(updated))} · ${countOf(turns, "turn")} · ${model}`,
	}));
}

function ageOf(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	if (!(minutes >= 1)) return "just now";
	if (minutes < 60) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
