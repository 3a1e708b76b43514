// A trace as lines for a terminal: Turns, indented below them Steps, below those Attempts and tool calls, with times.

import type {
	AttemptSpan,
	SessionTrace,
	StepSpan,
	ToolSpan,
	TraceTotals,
	TurnSpan,
} from "../session/trace.ts";
import { millisecondsBetween } from "../session/trace.ts";
import type { Usage } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";

const OWNERS: Record<NonNullable<AttemptSpan["owner"]>, string> = {
	checkpoint: "for a summary",
	memory: "for memory",
};

/** The trace of a session, subagents nested; ends with a newline. */
export function traceText(trace: SessionTrace): string {
	return visibleText(`${sessionLines(trace).join("\n")}\n`);
}

function sessionLines(trace: SessionTrace): string[] {
	const title = trace.title === "" ? "" : `: ${trace.title}`;
	return [
		`Session ${trace.sessionId} in ${trace.cwd}${title}`,
		...totalLines(trace.totals),
		...trace.turns.flatMap((turn) => ["", ...turnLines(turn)]),
	];
}

function totalLines(totals: TraceTotals): string[] {
	const { turns, steps, attempts, retries, toolCalls, failedCalls } = totals;
	const counts = [
		counted(turns, "turn"),
		counted(steps, "step"),
		counted(attempts, "request") + (retries > 0 ? ` (${retries} again after a failure)` : ""),
		counted(toolCalls, "tool call") + (failedCalls > 0 ? ` (${failedCalls} without a result)` : ""),
	];
	const times = [
		`model ${seconds(totals.modelMs)}`,
		`tools ${seconds(totals.toolMs)}`,
		...(totals.retryWaitMs > 0 ? [`waiting after failures ${seconds(totals.retryWaitMs)}`] : []),
		...(totals.personWaitMs > 0 ? [`waiting for answers ${seconds(totals.personWaitMs)}`] : []),
	];
	return [counts.join(", "), times.join(", "), tokens(totals.usage)];
}

function turnLines(turn: TurnSpan): string[] {
	const reason = turn.status === "completed" || turn.reason === undefined ? "" : `: ${turn.reason}`;
	const end = turn.status === undefined ? "still open" : `${turn.status}${reason}`;
	const prompt = turn.prompt === "" ? "" : `  "${turn.prompt}"`;
	return [`${turn.id}  ${turn.start}  ${length(turn)}  ${end}${prompt}`, ...turn.steps.flatMap(stepLines)];
}

function stepLines(step: StepSpan): string[] {
	return [
		`  ${step.id}  ${length(step)}  ${step.outcome ?? "still open"}  ${step.model.model}`,
		...step.attempts.map(attemptLine),
		...step.tools.flatMap(toolLines),
	];
}

function attemptLine(attempt: AttemptSpan): string {
	const { outcome, finish, failure, usage, usageEstimated, waitedMs, durationMs } = attempt;
	const parts = [
		attempt.id,
		...(attempt.owner === undefined ? [] : [OWNERS[attempt.owner]]),
		durationMs === undefined ? "still open" : seconds(durationMs),
		...(outcome === undefined ? [] : [outcome + (finish === undefined ? "" : ` (${finish})`)]),
		...(usage === undefined ? [] : [tokens(usage) + (usageEstimated ? ", estimated" : "")]),
		...(waitedMs > 0 ? [`after a wait of ${seconds(waitedMs)}`] : []),
		...(failure === undefined ? [] : [failure]),
	];
	return `    ${parts.join("  ")}`;
}

function toolLines(tool: ToolSpan): string[] {
	const { decision, approval, child } = tool;
	const time = tool.durationMs === undefined ? "still open" : seconds(tool.durationMs);
	const lines = [`    ${tool.name} (${tool.id})  ${time}  ${tool.status ?? "no end yet"}`];
	if (decision) lines.push(`      ${decision.verdict} by ${decision.rule}: ${decision.reason}`);
	if (approval) {
		const { answer, by, waitedMs } = approval;
		lines.push(
			answer === undefined
				? "      waits for an answer"
				: `      answered ${answer} by ${by ?? "nobody"} after ${seconds(waitedMs ?? 0)}`,
		);
	}
	if (tool.error) lines.push(`      ${tool.error.type}: ${tool.error.message}`);
	if (child) lines.push(...childLines(child));
	return lines;
}

function childLines({ agent, sessionId, status, trace }: NonNullable<ToolSpan["child"]>): string[] {
	if (!trace) return [`      ${agent}, ${status}: its session ${sessionId} cannot be read`];
	return [
		`      ${agent}, ${status}:`,
		...sessionLines(trace).map((line) => (line === "" ? "" : `        ${line}`)),
	];
}

function length({ start, end }: { start: string; end?: string }): string {
	return end === undefined ? "-" : seconds(millisecondsBetween(start, end));
}

function seconds(milliseconds: number): string {
	return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

function tokens({ inputTokens, cachedInputTokens, outputTokens }: Usage): string {
	const cached = cachedInputTokens > 0 ? ` (${cachedInputTokens.toLocaleString("en-US")} cached)` : "";
	return `${inputTokens.toLocaleString("en-US")} tokens in${cached}, ${outputTokens.toLocaleString("en-US")} out`;
}

function counted(count: number, word: string): string {
	return `${count} ${word}${count === 1 ? "" : "s"}`;
}
