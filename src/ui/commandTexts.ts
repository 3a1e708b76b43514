// What commands print: the session's reports as lines. Pure.

import type {
	ArtifactLine,
	CommandTest,
	CostReport,
	FoundSession,
	ListedRule,
	PermissionsReport,
	SessionGreeting,
} from "../rpc/protocol.ts";
import type { PickerItem } from "./input/picker.ts";
import { countOf, formatCost, formatTokens, meterText } from "./view/format.ts";
import { modelLabel, type ViewState } from "./view/state.ts";

/** `/cost`. */
export function costText({ models, costUsd }: CostReport): string {
	if (models.length === 0) return "Nothing was used yet.";
	const lines = models.map(({ model, profile, usage, costUsd: usd, estimated }) => {
		const { inputTokens, cachedInputTokens, outputTokens, reasoningTokens } = usage;
		const cached = cachedInputTokens > 0 ? ` (${formatTokens(cachedInputTokens)} cached)` : "";
		const thought = reasoningTokens > 0 ? ` (${formatTokens(reasoningTokens)} reasoning)` : "";
		const about = estimated ? "≈" : "";
		return `${model} (${profile}): ${about}${formatTokens(inputTokens)} in${cached}, ${about}${formatTokens(outputTokens)} out${thought}, ${price(usd, about)}`;
	});
	const anyAbout = models.some(({ estimated }) => estimated);
	const why = anyAbout ? " (≈: the server told no usage of some requests, so agi counted by itself)" : "";
	return [...lines, `In all: ${price(costUsd, anyAbout ? "≈" : "")}${why}`].join("\n");
}

function price(usd: number | null, about = ""): string {
	return usd === null ? "price unknown" : about + (formatCost(usd) || "$0");
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
			rules.length === 0 ? ["none of your own; /permissions add allow RULE makes one"] : rules.map(ruleText),
		),
		...part("Allowed in this session", granted),
		...part("Suggested by the project, not in force (/permissions import)", suggested.map(ruleText)),
		...part("Text of unknown intent came from", taint),
		...part("Last question", asked ?? []),
	].join("\n");
}

/** A rule in a line, with whose word it is. */
export function ruleText({ effect, rule, layer, origin }: ListedRule): string {
	return `${effect} ${rule} (${layer}: ${origin})`;
}

/** What would happen to a command: the verdict on each of its parts, then on the whole. */
export function commandTestText({ command, parts, opaque, offers, ...whole }: CommandTest): string {
	const lines = [...(parts.length > 1 ? parts : []), { command, ...whole }].map(
		({ command: text, verdict, reason, rule }, at, all) =>
			`${verdict.padEnd(5)}  ${at === all.length - 1 && parts.length > 1 ? "the whole" : text}\n       ${reason} [${rule}]`,
	);
	if (opaque !== undefined) lines.push(`       It cannot be judged part by part: ${opaque}.`);
	for (const offer of offers ?? []) lines.push(`       A yes could be kept as: allow ${offer}`);
	return lines.join("\n");
}

/** `/status`. */
export function statusText(greeting: SessionGreeting, view: ViewState): string {
	const { sessionId, cwd, version, profile, trusted, tools } = greeting;
	const rows: [string, string][] = [
		["agi", version],
		["model", `${modelLabel(greeting)} (${profile})`],
		["mode", view.mode],
		["sandbox", sandboxText(view.sandbox)],
		[
			"folder",
			`${cwd}${view.branch === "" ? "" : ` (${view.branch})`}, ${trusted ? "trusted" : "untrusted"}`,
		],
		["session", `${sessionId}${view.title === "" ? "" : `: ${view.title}`}`],
		["context", `${meterText(view.meter)} tokens`],
		["cost", price(view.costUsd)],
		["tools", tools.join(", ")],
	];
	return rows.map(([name, value]) => `${name.padEnd(8)} ${value}`).join("\n");
}

function sandboxText({ level, network, external, notice }: ViewState["sandbox"]): string {
	if (external) return "external: agi confines nothing, you vouch that this machine is confined";
	const reach = level === "none" ? "commands run with your full rights" : `network ${network ? "on" : "off"}`;
	return notice === undefined ? `${level}, ${reach}` : `${level}. ${notice}`;
}

/** `/artifacts`. */
export function artifactsText(artifacts: readonly ArtifactLine[], now: number): string {
	if (artifacts.length === 0) return "No result was cut so far.";
	return artifacts
		.map(({ id, bytes, at, summary }) => {
			const age = ageOf(now - Date.parse(at));
			return `${id}  ${Math.ceil(bytes / 1000)} kB  ${age}  ${summary}`;
		})
		.join("\n");
}

/** The list of `/resume`. */
export function sessionItems(sessions: readonly FoundSession[], now: number): PickerItem[] {
	return sessions.map(({ id, title, turns, updated, model, snippet }) => ({
		id,
		label: title === "" ? id : title,
		detail: [ageOf(now - Date.parse(updated)), snippet ?? `${countOf(turns, "turn")} · ${model}`].join(" · "),
	}));
}

function ageOf(milliseconds: number): string {
	const minutes = Math.floor(milliseconds / 60_000);
	if (!(minutes >= 1)) return "just now";
	if (minutes < 60) return `${minutes} min ago`;
	const hours = Math.floor(minutes / 60);
	return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
