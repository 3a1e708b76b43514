// The built program line by line in a plain pseudo-terminal, with an emulator that shows what a person would see. Keys are
// sent as bytes; nothing waits for a time, only for what is on the screen.

import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { storeTrust } from "../../src/adapters/trustStore.ts";
import { AGI, atFileEnd, cleanEnvironment, type Project, until } from "./program.ts";

/** A run that somebody looks at. */
export interface TerminalRun {
	/** Everything that was written, byte for byte. */
	raw(): string;
	/** What stands in scrollback and on the screen by now, without blank ends of lines. */
	screen(): Promise<string>;
	/** Sends keys. */
	type(keys: string): void;
	/** Sends a line and Enter. */
	enter(line: string): void;
	/** Resolves once the screen, after the last keys that were sent, matches. */
	shows(pattern: RegExp): Promise<void>;
	kill(signal: NodeJS.Signals): void;
	ended: Promise<number>;
}

export const CTRL_C = "\x03";

export interface TerminalOptions {
	/** What the terminal calls itself; default `dumb`. */
	term?: string;
	/** Whether the person has said yes to the project's folder before; default true. */
	trusted?: boolean;
	env?: Record<string, string>;
}

/** Starts agi in a terminal of 100 by 40. One that a test leaves behind is ended with the file. */
export function openTerminal(
	project: Project,
	args: readonly string[],
	{ term = "dumb", trusted = true, env: more = {} }: TerminalOptions = {},
): TerminalRun {
	const emulator = new Terminal({ cols: 100, rows: 40, scrollback: 5000, allowProposedApi: true });
	const env = cleanEnvironment(project, {
		TERM: term,
		// A scripted server has no answer for requests that no test speaks of.
		MEMORY_EXTRACT_EVERY_N_TURNS: "0",
		...more,
	});
	if (trusted) storeTrust(join(project.home, "data"), project.root, "2026-11-29T00:00:00.000Z");
	const pty = spawn(AGI, [...args], { cols: 100, rows: 40, cwd: project.root, env });
	let raw = "";
	let seen = 0;
	let hasEnded = false;
	pty.onData((text) => {
		raw += text;
		emulator.write(text);
	});
	const ended = new Promise<number>((resolve) => {
		pty.onExit(({ exitCode, signal }) => {
			hasEnded = true;
			resolve(signal ? 128 + signal : exitCode);
		});
	});
	atFileEnd(() => {
		if (!hasEnded) pty.kill("SIGKILL");
	});
	const type = (keys: string) => {
		seen = raw.length;
		pty.write(keys);
	};
	return {
		raw: () => raw,
		screen: async () => {
			// The emulator reads in its own time; this comes after all that was written.
			await new Promise<void>((read) => emulator.write("", read));
			return screenOf(emulator);
		},
		type,
		enter: (line) => type(`${line}\r`),
		shows: async (pattern) => {
			await until(`${pattern} in ${JSON.stringify(raw.slice(seen))}`, () => pattern.test(raw.slice(seen)));
		},
		kill: (signal) => pty.kill(signal),
		ended,
	};
}

function screenOf(emulator: Terminal): string {
	const { active } = emulator.buffer;
	const lines = Array.from(
		{ length: active.length },
		(_, y) => active.getLine(y)?.translateToString(true) ?? "",
	);
	return lines.join("\n").trimEnd();
}
