// A sign of life where something is waited for. It takes two columns and turns eight times a second.

import { Text, useAnimation } from "ink";
import type { ReactNode } from "react";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 125;

/** Turns as long as it is drawn. */
export function Spinner(): ReactNode {
	const { frame } = useAnimation({ interval: INTERVAL_MS });
	return <Text>{`${FRAMES[frame % FRAMES.length]} `}</Text>;
}
