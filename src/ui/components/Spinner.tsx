// A sign of life beside a call that runs. It takes two columns and turns with the view's time, so that many of them cost no
// frame of their own, and all stand while a person is asked.

import { Text } from "ink";
import type { ReactNode } from "react";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** How long each of its pictures stands, in milliseconds; whoever draws it redraws as often. */
const SPINNER_MS = 250;

/** The picture of this moment (epoch milliseconds). */
export function Spinner({ now }: { now: number }): ReactNode {
	return <Text>{`${FRAMES[Math.floor(now / SPINNER_MS) % FRAMES.length]} `}</Text>;
}
