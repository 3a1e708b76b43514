// Everything below the transcript, from what streams down to the status line. It is always lower than the screen, so that
// no redraw scrolls; what is cut where is decided by `liveHeights`.

import { Box } from "ink";
import type { ReactNode } from "react";
import type { InputView } from "../view/inputView.ts";
import type { ViewState } from "../view/state.ts";
import { textColumns } from "../view/transcript.ts";
import { showsProgress, waitingText } from "../view/waiting.ts";
import { Help } from "./Help.tsx";
import { Input, Palette } from "./Input.tsx";
import { Lines } from "./Lines.tsx";
import { liveHeights, PARTS, type Part } from "./liveHeights.ts";
import { Notices } from "./Notices.tsx";
import { PlanList } from "./PlanList.tsx";
import { Question } from "./Question.tsx";
import { Queue } from "./Queue.tsx";
import { SessionPicker } from "./SessionPicker.tsx";
import { Status } from "./Status.tsx";
import { StreamTail } from "./StreamTail.tsx";
import { ToolApproval } from "./ToolApproval.tsx";
import { ToolCalls } from "./ToolCall.tsx";
import { Waiting } from "./Waiting.tsx";

/** Draws the live area. */
export function LiveArea({ view, input }: { view: ViewState; input: InputView }): ReactNode {
	const heights = liveHeights(view, input);
	return (
		<Box flexDirection="column">
			{PARTS.filter((part) => (heights.get(part) ?? 0) > 0).map((part) => (
				<LivePart key={part} part={part} view={view} input={input} rows={heights.get(part) ?? 0} />
			))}
		</Box>
	);
}

function LivePart({
	part,
	view,
	input,
	rows,
}: {
	part: Part;
	view: ViewState;
	input: InputView;
	rows: number;
}) {
	const width = textColumns(view);
	const prompt = view.prompts[0];
	const waiting = waitingText(view);
	const { dialog, picker, help } = input;
	switch (part) {
		case "stream":
			return <StreamTail stream={view.stream} lastBlock={view.blocks.at(-1)} rows={rows} />;
		case "calls":
			return <ToolCalls calls={view.calls} width={width} rows={rows} now={view.now} />;
		case "waiting":
			return waiting ? <Waiting {...waiting} isStill={showsProgress(view)} width={width} /> : null;
		case "plan":
			return <PlanList items={view.plan} width={width} rows={rows} />;
		case "queue":
			return <Queue queue={view.queue} width={width} rows={rows} marked={input.marked} />;
		case "notices":
			return <Notices notices={view.notices} width={width} rows={rows} />;
		case "gap":
			return <Lines lines={[[]]} />;
		case "dialog":
			if (!prompt || !dialog) return null;
			return prompt.kind === "approval" ? (
				<ToolApproval prompt={prompt} dialog={dialog} width={width} rows={rows} />
			) : (
				<Question prompt={prompt} dialog={dialog} width={width} rows={rows} />
			);
		case "picker":
			return picker ? <SessionPicker picker={picker} width={width} rows={rows} /> : null;
		case "help":
			return help ? <Help help={help} width={width} rows={rows} /> : null;
		case "editor":
			return <Input input={input} width={width} rows={rows} />;
		case "palette":
			return <Palette input={input} width={width} rows={rows} />;
		case "status":
			return <Status facts={view} width={width} />;
		default:
			return part satisfies never;
	}
}
