// `agi stats`: how the work went, counted from the logs of this folder or of all. It only reads, takes no lock, and sends
// nothing anywhere.

import type { Sessions } from "../runtime/sessions.ts";
import { sumWork, type WorkSums } from "../session/sums.ts";
import type { ExitCode, Usage } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { recordedCost } from "../wire/activeModel.ts";
import { locate, openSessions } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";

/** One line of the table: a day, a model and a project. Rates are null where nothing was counted. */
export interface StatRow extends Omit<WorkSums, "model"> {
	model: string;
	project: string;
	completionRate: number | null;
	takeOverRate: number | null;
	/** Denied calls and undone turns, for each call. */
	wrongActionRate: number | null;
	/** Share of the input that the server had in its cache. */
	cacheHitShare: number | null;
	/** Share of the tokens that subagents used. */
	subagentTokenShare: number | null;
	/** Share of the turns with a subagent that were completed, to be held against `completionRate`. */
	completionRateWithSubagents: number | null;
	/** Share of the request that summaries left of it. */
	compactionRetention: number | null;
	tokensPerTurn: number | null;
	secondsPerTurn: number | null;
	/** Sessions: each has the goal that its first message names. */
	sessions: number;
	tokensPerSession: number | null;
	secondsPerSession: number | null;
	costPerSessionUsd: number | null;
	/** US dollars; null where a price is not known. */
	costUsd: number | null;
}

/** Runs `agi stats`. Damaged logs count as far as they can be read. */
export async function statsCommand(
	parsed: CommandLine<"stats">,
	around: Surroundings = ownSurroundings(),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const sessions = openSessions(place);
	const ids = parsed.all ? (await sessions.marks()).map(({ sessionId }) => sessionId) : await sessions.ids();
	const rows = (await collect(sessions, ids, around)).sort((a, b) => b.day.localeCompare(a.day));
	around.out(parsed.json ? `${JSON.stringify(rows)}\n` : tableOf(rows));
	return 0;
}

interface Group {
	sums: WorkSums;
	project: string;
	costUsd: number | null;
	childTokens: number;
	sessions: number;
}

async function collect(sessions: Sessions, ids: readonly string[], around: Surroundings): Promise<StatRow[]> {
	const groups = new Map<string, Group>();
	for (const id of ids) {
		try {
			const { commits } = await sessions.read(id, { onLostText: () => undefined });
			const created = commits[0]?.events.find((event) => event.type === "session/created");
			for (const sums of sumWork(commits))
				addSums(groups, sums, created?.cwd ?? "", created?.parent !== undefined);
		} catch (error) {
			around.err(`Session ${id} is left out: ${error instanceof Error ? error.message : String(error)}`);
		}
	}
	return [...groups.values()].map(rowOf);
}

/** A subagent's tokens belong to the work it was done for; its turns are none of a person's. */
function addSums(groups: Map<string, Group>, sums: WorkSums, project: string, isChild: boolean): void {
	const key = JSON.stringify([sums.day, sums.model.model, sums.model.profile, project]);
	const costUsd = recordedCost(sums.model, sums.usage) ?? null;
	const childTokens = isChild ? tokensOf(sums.usage) : 0;
	const own = isChild ? { ...sums, turns: 0, completed: 0, takenOver: 0, turnMs: 0 } : sums;
	const known = groups.get(key);
	const sessions = isChild ? 0 : 1;
	if (!known) {
		groups.set(key, { sums: own, project, costUsd, childTokens, sessions });
		return;
	}
	known.sessions += sessions;
	known.costUsd = known.costUsd === null || costUsd === null ? null : known.costUsd + costUsd;
	known.childTokens += childTokens;
	known.sums = added(known.sums, own);
}

function added(one: WorkSums, other: WorkSums): WorkSums {
	const sum = { ...one, usage: { ...one.usage } };
	for (const key of COUNTS) sum[key] += other[key];
	for (const key of Object.keys(sum.usage) as (keyof Usage)[]) sum.usage[key] += other.usage[key];
	return sum;
}

const COUNTS = [
	"turns",
	"completed",
	"takenOver",
	"toolCalls",
	"denied",
	"failed",
	"outcomeUnknown",
	"undone",
	"subagents",
	"subagentsCompleted",
	"turnsWithSubagents",
	"completedWithSubagents",
	"compactions",
	"compactionsUndone",
	"tokensBeforeCompaction",
	"tokensAfterCompaction",
	"turnMs",
] as const;

function rowOf({ sums, project, costUsd, childTokens, sessions }: Group): StatRow {
	const { model, ...counts } = sums;
	const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
	const { turns, usage } = counts;
	return {
		...counts,
		model: model.model,
		project,
		completionRate: share(counts.completed, turns),
		takeOverRate: share(counts.takenOver, turns),
		wrongActionRate: share(counts.denied + counts.undone, counts.toolCalls),
		cacheHitShare: share(usage.cachedInputTokens, usage.inputTokens),
		subagentTokenShare: share(childTokens, tokensOf(usage)),
		completionRateWithSubagents: share(counts.completedWithSubagents, counts.turnsWithSubagents),
		compactionRetention: share(counts.tokensAfterCompaction, counts.tokensBeforeCompaction),
		tokensPerTurn: share(tokensOf(usage), turns),
		secondsPerTurn: share(counts.turnMs / 1000, turns),
		sessions,
		tokensPerSession: share(tokensOf(usage), sessions),
		secondsPerSession: share(counts.turnMs / 1000, sessions),
		costPerSessionUsd: costUsd === null ? null : share(costUsd, sessions),
		costUsd,
	};
}

function tokensOf(usage: Usage): number {
	return usage.inputTokens + usage.outputTokens;
}

const HEADS = [
	"DAY",
	"MODEL",
	"TURNS",
	"DONE",
	"TAKEN OVER",
	"WRONG",
	"UNKNOWN",
	"TOKENS/TURN",
	"S/TURN",
	"CACHED",
	"SUBAGENTS",
	"DONE WITH",
	"KEPT",
	"TOKENS/SESSION",
	"COST",
	"PROJECT",
];

function tableOf(rows: readonly StatRow[]): string {
	if (rows.length === 0) return "Nothing is recorded yet.\n";
	const cells = [HEADS, ...rows.map(cellsOf)];
	const widths = HEADS.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
	const lines = cells.map((row) =>
		row
			.map((cell, at) => cell.padEnd(widths[at] ?? 0))
			.join("  ")
			.trimEnd(),
	);
	return `${lines.join("\n")}\n`;
}

function cellsOf(row: StatRow): string[] {
	const percent = (share: number | null) => (share === null ? "-" : `${Math.round(share * 100)} %`);
	const number = (value: number | null) => (value === null ? "-" : String(Math.round(value)));
	return [
		row.day,
		visibleText(row.model),
		String(row.turns),
		percent(row.completionRate),
		percent(row.takeOverRate),
		percent(row.wrongActionRate),
		String(row.outcomeUnknown),
		number(row.tokensPerTurn),
		number(row.secondsPerTurn),
		percent(row.cacheHitShare),
		percent(row.subagentTokenShare),
		percent(row.completionRateWithSubagents),
		percent(row.compactionRetention),
		number(row.tokensPerSession),
		row.costUsd === null ? "-" : `$${row.costUsd.toFixed(4)}`,
		visibleText(row.project),
	];
}
