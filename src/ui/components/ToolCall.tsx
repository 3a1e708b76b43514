// Tool calls that have no end yet: name, what about, for how long, and the last lines that they wrote.

import { Box } from "ink";
import type { ReactNode } from "react";
import { callHead, runningRows } from "../view/calls.ts";
import { fitHeight, keepTail } from "../view/fitHeight.ts";
import { countOf, formatElapsed } from "../view/format.ts";
import type { CallView } from "../view/state.ts";
import { DIM, type StyledLine } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";
import { Spinner } from "./Spinner.tsx";

const NOTES = { checked: "", asking: "waits for your answer", running: "" };

/** Rows that all calls want. */
export function callsHeight(calls: readonly CallView[], width: number): number {
	return calls.reduce((sum, call) => sum + 1 + runningRows(call, width).length, 0);
}

/** One call in `rows` rows: its head, and as much of its last output as fits. */
export function ToolCall({
	call,
	width,
	rows,
	now,
}: {
	call: CallView;
	width: number;
	rows: number;
	now: number;
}): ReactNode {
	const isRunning = call.phase === "running";
	const note = isRunning ? formatElapsed(now - call.since) : NOTES[call.phase];
	const [mark, ...named] = callHead(call, DIM, note);
	const head: StyledLine = isRunning ? named : [mark!, ...named];
	const body = keepTail(runningRows(call, width), rows - 1);
	return (
		<Box flexDirection="column">
			<Box>
				{isRunning && <Spinner now={now} />}
				<Lines lines={[cutLine(head, isRunning ? width - 2 : width)]} />
			</Box>
			<Lines lines={body} />
		</Box>
	);
}

/** All calls in `rows` rows: each keeps its head first; those that have no room are counted. */
export function ToolCalls({
	calls,
	width,
	rows,
	now,
}: {
	calls: readonly CallView[];
	width: number;
	rows: number;
	now: number;
}): ReactNode {
	if (rows <= 0) return null;
	const isCut = calls.length > rows;
	const shown = isCut ? calls.slice(0, rows - 1) : calls;
	const wishes = shown.map((call) => ({
		name: call.callId,
		least: 1,
		wanted: 1 + runningRows(call, width).length,
	}));
	const heights = fitHeight(wishes, isCut ? rows - 1 : rows);
	return (
		<Box flexDirection="column">
			{shown.map((call) => (
				<ToolCall
					key={call.callId}
					call={call}
					width={width}
					rows={heights.get(call.callId) ?? 1}
					now={now}
				/>
			))}
			{isCut && (
				<Lines
					lines={[
						cutLine([{ text: `… ${countOf(calls.length - shown.length, "more call")}`, style: DIM }], width),
					]}
				/>
			)}
		</Box>
	);
}
