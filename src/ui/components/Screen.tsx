// The whole screen: the transcript, and below it the live area. Layout only; all it draws comes in.

import { Box } from "ink";
import type { ReactNode } from "react";
import type { InputView } from "../view/inputView.ts";
import type { ViewState } from "../view/state.ts";
import type { ColourLevel } from "../view/style.ts";
import { ColourContext } from "./Lines.tsx";
import { LiveArea } from "./LiveArea.tsx";
import { MessageList } from "./MessageList.tsx";

/** Draws the view and the person's side. */
export function Screen({
	view,
	input,
	level,
}: {
	view: ViewState;
	input: InputView;
	level: ColourLevel;
}): ReactNode {
	return (
		<ColourContext value={level}>
			<Box flexDirection="column">
				<MessageList blocks={view.blocks} />
				<LiveArea view={view} input={input} />
			</Box>
		</ColourContext>
	);
}
