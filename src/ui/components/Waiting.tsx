// The line that says what is waited for.

import { Box } from "ink";
import type { ReactNode } from "react";
import { DIM, WARN } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";
import { Spinner } from "./Spinner.tsx";

/** One row. A wait for the person has no spinner: nothing is done meanwhile. */
export function Waiting({
	text,
	needsPerson,
	width,
	now,
}: {
	text: string;
	needsPerson: boolean;
	width: number;
	now: number;
}): ReactNode {
	if (needsPerson) return <Lines lines={[cutLine([{ text: `? ${text}`, style: WARN }], width)]} />;
	return (
		<Box>
			<Spinner now={now} />
			<Lines lines={[cutLine([{ text: `${text}  (Esc interrupts)`, style: DIM }], width - 2)]} />
		</Box>
	);
}
