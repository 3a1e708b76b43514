// The built program's screen in a pseudo-terminal, with an emulator that shows what a person would see. Keys are sent as
// bytes; nothing waits for a time, only for what is on the screen.

import { join } from "node:path";
import { spawn } from "@lydell/node-pty";
import { Terminal } from "@xterm/headless";
import { afterAll } from "vitest";
import { storeTrust } from "../../src/adapters/trustStore.ts";
import { AGI, cleanEnvironment, type Project, until } from "./program.ts";

export interface ScreenOptions {
	columns?: number;
	rows?: number;
	env?: Record<string, string>;
	/** What is run instead of agi alone, such as a shell that starts it; `AGI` is in its environment. */
	shell?: string;
	/** Whether the person has said yes to the project's folder before; default true. */
	trusted?: boolean;
	/** Keys that are sent at once, before the program has said anything. */
	typedAhead?: string;
}

/** A run that somebody looks at. */
export interface ScreenRun {
	pid: number;
	/** Everything that was written, byte for byte. */
	raw(): string;
	/** What stands on the visible screen, without blank ends of lines. */
	screen(): string;
	/** Scrollback and screen. */
	everything(): string;
	/** The cursor on the screen, both from 0. */
	cursor(): { x: number; y: number };
	/** What the program has switched on and not off again. */
	modes(): { bracketedPaste: boolean; focus: boolean; alternate: boolean; cursorHidden: boolean };
	/** Sends keys. */
	type(keys: string | Uint8Array): void;
	/** Sends a paste as terminals do. */
	paste(text: string): void;
	resize(columns: number, rows: number): void;
	kill(signal: string): void;
	/** Resolves once the visible screen matches. */
	shows(pattern: RegExp): Promise<void>;
	/** Resolves once scrollback or screen match. */
	printed(pattern: RegExp): Promise<void>;
	/** Resolves once `check` holds, with the screen in the error where it never does. */
	comes(what: string, check: () => unknown): Promise<void>;
	/** The exit code, once all that was written is drawn; 128 + signal where one ended it. */
	ended: Promise<number>;
}

export const KEYS = {
	enter: "\r",
	escape: "\x1b",
	up: "\x1b[A",
	down: "\x1b[B",
	left: "\x1b[D",
	altUp: "\x1b[1;3A",
	altQ: "\x1bq",
	delete: "\x1b[3~",
	shiftTab: "\x1b[Z",
	backspace: "\x7f",
	ctrlC: "\x03",
	ctrlD: "\x04",
	ctrlG: "\x07",
	ctrlO: "\x0f",
	ctrlR: "\x12",
	ctrlZ: "\x1a",
	undo: "\x1f",
} as const;

/** Starts agi on a screen. A run that a test leaves behind is killed with the file. */
export function openScreen(
	project: Project,
	args: readonly string[],
	options: ScreenOptions = {},
): ScreenRun {
	const { columns: cols = 80, rows = 24, shell, trusted = true } = options;
	if (trusted) storeTrust(join(project.home, "data"), project.root, "2026-01-01T00:00:00.000Z");
	const emulator = new Terminal({ cols, rows, scrollback: 20_000, allowProposedApi: true });
	const env = cleanEnvironment(project, {
		// A scripted server has no answer for requests that no test speaks of.
		MEMORY_EXTRACT_EVERY_N_TURNS: "0",
		TERM: "xterm-256color",
		SHELL: "/bin/sh",
		AGI,
		...options.env,
	});
	const [file, argv] = shell === undefined ? [AGI, [...args]] : ["/bin/bash", ["--norc", "-ic", shell]];
	const pty = spawn(file, argv, { cols, rows, cwd: project.root, env, encoding: null });
	const decoder = new TextDecoder();
	let raw = "";
	let hasEnded = false;
	pty.onData((bytes) => {
		const text = decoder.decode(bytes as unknown as Uint8Array, { stream: true });
		raw += text;
		emulator.write(text);
	});
	emulator.onData((report) => {
		// What a terminal answers to a question; a test that must see none looks for it.
		pty.write(report);
	});
	const ended = new Promise<number>((resolve) => {
		pty.onExit(({ exitCode, signal }) => {
			hasEnded = true;
			// The emulator draws a moment after it was given something: what was written last is to be on the screen.
			emulator.write("", () => resolve(signal ? 128 + signal : exitCode));
		});
	});
	afterAll(() => {
		if (!hasEnded) process.kill(pty.pid, "SIGKILL");
	});
	const screen = () => linesOf(emulator, emulator.buffer.active.baseY);
	const everything = () => linesOf(emulator, 0);
	const comes = async (what: string, check: () => unknown) => {
		try {
			await until(what, check);
		} catch (error) {
			throw new Error(`${what} never came; the screen:\n${screen()}`, { cause: error });
		}
	};
	if (options.typedAhead !== undefined) pty.write(options.typedAhead);
	return {
		pid: pty.pid,
		raw: () => raw,
		screen,
		everything,
		cursor: () => ({ x: emulator.buffer.active.cursorX, y: emulator.buffer.active.cursorY }),
		modes: () => ({
			bracketedPaste: emulator.modes.bracketedPasteMode,
			focus: emulator.modes.sendFocusMode,
			alternate: emulator.buffer.active.type === "alternate",
			cursorHidden: raw.lastIndexOf("\x1b[?25l") > raw.lastIndexOf("\x1b[?25h"),
		}),
		// node-pty takes bytes too, its types say text only.
		type: (keys) => pty.write(typeof keys === "string" ? keys : (Buffer.from(keys) as unknown as string)),
		paste: (text) => pty.write(`\x1b[200~${text}\x1b[201~`),
		resize(columns, newRows) {
			emulator.resize(columns, newRows);
			pty.resize(columns, newRows);
		},
		kill: (signal) => process.kill(pty.pid, signal),
		shows: (pattern) => comes(String(pattern), () => pattern.test(screen())),
		printed: (pattern) => comes(String(pattern), () => pattern.test(everything())),
		comes,
		ended,
	};
}

/** Waits until a dialog that is on the screen now may be answered: keys of its first half second are not for it. */
export async function dialogAnswers(run: ScreenRun): Promise<void> {
	const since = performance.now();
	await run.comes("the end of the dialog's first moment", () => performance.now() - since > 700);
}

function linesOf(emulator: Terminal, from: number): string {
	const { active } = emulator.buffer;
	const lines: string[] = [];
	for (let y = from; y < active.length; y++) lines.push(active.getLine(y)?.translateToString(true) ?? "");
	return lines.join("\n").trimEnd();
}
