// How many colours a terminal has, told by its environment.

import type { ColourLevel } from "../view/style.ts";

/** NO_COLOR (https://no-color.org) turns them off, FORCE_COLOR sets them, else COLORTERM and TERM tell. */
export function colourLevel(env: Readonly<Record<string, string | undefined>>): ColourLevel {
	const { NO_COLOR, FORCE_COLOR, COLORTERM = "", TERM = "" } = env;
	if (NO_COLOR) return 0;
	if (FORCE_COLOR === "0" || FORCE_COLOR === "false") return 0;
	if (FORCE_COLOR === "2") return 2;
	if (FORCE_COLOR === "3") return 3;
	if (TERM === "dumb") return 0;
	if (/truecolor|24bit/.test(COLORTERM)) return 3;
	return TERM.includes("256") ? 2 : 1;
}
