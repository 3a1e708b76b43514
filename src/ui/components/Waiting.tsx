// The line that says what is waited for.

import { Box, Text } from "ink";
import Dots from "ink-spinner";
import type { ReactNode } from "react";
import { DIM, WARN } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

/** Columns of the dots and the blank behind them. */
const DOTS_WIDTH = 4;

/**
 * One row. A wait for the person has no dots: nothing is done meanwhile. Dots that move redraw the live area by
 * themselves, 2.5 times a second; they stand still where `isStill`.
 */
export function Waiting({
	text,
	needsPerson,
	isStill,
	width,
}: {
	text: string;
	needsPerson: boolean;
	isStill: boolean;
	width: number;
}): ReactNode {
	if (needsPerson) return <Lines lines={[cutLine([{ text: `? ${text}`, style: WARN }], width)]} />;
	return (
		<Box>
			<Box width={DOTS_WIDTH}>{isStill ? <Text>...</Text> : <Dots type="simpleDots" />}</Box>
			<Lines lines={[cutLine([{ text: `${text}  (Esc interrupts)`, style: DIM }], width - DOTS_WIDTH)]} />
		</Box>
	);
}
