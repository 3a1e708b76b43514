// Tells a person who looks elsewhere that a long turn has ended.

import type { TerminalDevice } from "./device.ts";

/** Turns that take longer are told, in milliseconds. */
const LONG_TURN_MS = 10_000;

/** Whether the end of a turn that took so long is told to a person who looks here, or elsewhere. */
export function isEndTold(turnMs: number, looksHere: boolean): boolean {
	return !looksHere && turnMs > LONG_TURN_MS;
}

/** The bytes that tell it: a desktop notification (OSC 9) where the terminal knows it, else the bell. */
export function notificationBytes(by: TerminalDevice["notifies"]): string {
	return by === "osc9" ? "\x1b]9;agi is ready\x07" : "\x07";
}

/** How the terminal of this environment is told. OSC 9 means something else to some others, so they get the bell. */
export function notificationFor(env: Readonly<Record<string, string | undefined>>): "bell" | "osc9" {
	const { TERM_PROGRAM = "", TERM = "", TMUX } = env;
	if (TMUX) return "bell";
	return /^(iTerm\.app|WezTerm|ghostty)$/.test(TERM_PROGRAM) || TERM === "xterm-ghostty" ? "osc9" : "bell";
}
