// Lines that go away by themselves, such as what a second Ctrl+C would do.

import type { ReactNode } from "react";
import type { NoticeView } from "../view/state.ts";
import { type StyledLine, WARN } from "../view/style.ts";
import { cutLine } from "../view/wrap.ts";
import { Lines } from "./Lines.tsx";

/** One row each. */
export function noticeLines(notices: readonly NoticeView[], width: number): StyledLine[] {
	return notices.map((notice) => cutLine([{ text: notice.text, style: WARN }], width));
}

/** Draws the newest `rows` of them. */
export function Notices({
	notices,
	width,
	rows,
}: {
	notices: readonly NoticeView[];
	width: number;
	rows: number;
}): ReactNode {
	return <Lines lines={noticeLines(notices, width).slice(Math.max(0, notices.length - rows))} />;
}
