// The token meter: how much of the window the conversation takes, and how near that is to being too much.

import type { ReactNode } from "react";
import { meterText } from "../view/format.ts";
import type { ViewState } from "../view/state.ts";
import { BAD, GOOD, type Span, type Style, WARN } from "../view/style.ts";
import { Lines } from "./Lines.tsx";

/** Share of the threshold from which the meter warns. */
const WARN_SHARE = 0.75;

/** Green, yellow from 75 % of the threshold, red at it. `threshold` is a share of the window. */
export function meterStyle({ tokens, window, threshold }: ViewState["meter"]): Style {
	const limit = window * threshold;
	if (limit > 0 && tokens >= limit) return BAD;
	return limit > 0 && tokens >= limit * WARN_SHARE ? WARN : GOOD;
}

/** The meter as a span, such as `12% of 128k`; `≈` where the server told no count. */
export function meterSpan(meter: ViewState["meter"]): Span {
	const text = meterText(meter);
	return { text, style: meterStyle(meter) };
}

/** Draws the meter alone. */
export function TokenUsage({ meter }: { meter: ViewState["meter"] }): ReactNode {
	return <Lines lines={[[meterSpan(meter)]]} />;
}
