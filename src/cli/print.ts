// The headless start: reads what is piped in, runs one turn, ends with its exit code. It never waits for a person.

import { fstatSync, readFileSync } from "node:fs";
import { AgiError, type ExitCode } from "../types.ts";
import { runPrint } from "../ui/print.ts";
import type { CommandLine } from "./arguments.ts";
import { say } from "./say.ts";
import { type Started, start } from "./start.ts";

/** How long an open pipe may stay silent before the run goes on without it, in milliseconds. */
const STDIN_PATIENCE_MS = 3_000;

/** How long an orderly end may take after a signal, in milliseconds. */
const CLOSE_PATIENCE_MS = 3_000;

/** Runs `agi -p`. */
export async function printCommand(parsed: CommandLine<"print">): Promise<ExitCode> {
	const interruption = listenForSignals();
	const prompt = await wholePrompt(parsed.prompt);
	const started = await start(parsed.flags, parsed.session, false);
	for (const notice of started.notices) say(notice);
	const code = await runPrint(started.client, {
		prompt,
		typed: parsed.prompt?.trim() ? parsed.prompt.length : 0,
		format: parsed.outputFormat,
		includePartialMessages: parsed.includePartialMessages,
		write: (text) => process.stdout.write(text),
		say,
		// Monotonic too, and there at once: `performance` is loaded when it is first used.
		now: () => process.uptime() * 1000,
		interrupted: interruption.signal,
	});
	return close(started, interruption.exitCode() ?? code);
}

/** The result is out by now, so a fault of the end must not become a second one. */
async function close(started: Started, code: ExitCode): Promise<ExitCode> {
	try {
		await started.close();
		return code;
	} catch (error) {
		// A run that failed has told its reason: a log that could not be saved fails again here, with the same words.
		if (code === 0) say(error instanceof Error ? error.message : String(error));
		return code === 0 ? 1 : code;
	}
}

/** The first signal cancels the turn, so that everything is settled; a second one, or 3 s, ends the program at once. */
function listenForSignals(): { signal: AbortSignal; exitCode(): ExitCode | undefined } {
	const controller = new AbortController();
	let exitCode: ExitCode | undefined;
	const endNow = (code: ExitCode, why: string) => {
		say(`Ended before everything was settled: ${why}. \`agi -c\` settles it and goes on.`);
		process.exit(code);
	};
	const end = (code: ExitCode) => () => {
		if (exitCode !== undefined) endNow(exitCode, "a second signal came");
		exitCode = code;
		controller.abort();
		const late = `it took more than ${CLOSE_PATIENCE_MS / 1000} s after the signal`;
		setTimeout(endNow, CLOSE_PATIENCE_MS, code, late).unref();
	};
	process.on("SIGINT", end(130));
	process.on("SIGTERM", end(143));
	process.on("SIGHUP", end(143));
	return { signal: controller.signal, exitCode: () => exitCode };
}

/** The prompt, and after a blank line what was piped in. */
async function wholePrompt(given: string | undefined): Promise<string> {
	const piped = await readPiped();
	if (piped?.includes("\0"))
		throw new AgiError(
			"BINARY_INPUT",
			"What was piped in is binary or not UTF-8. Pipe in UTF-8 text, or name the file in the prompt.",
			{ exitCode: 42 },
		);
	const prompt = [given, piped].filter((part) => part !== undefined && part.trim() !== "").join("\n\n");
	if (prompt === "")
		throw new AgiError("NO_PROMPT", 'There is no prompt. Write agi -p "what to do", or pipe it in.', {
			exitCode: 42,
		});
	return prompt;
}

/** What stands on stdin where it is a pipe or a file; a terminal and /dev/null hold nothing. */
async function readPiped(): Promise<string | undefined> {
	let kind: ReturnType<typeof fstatSync>;
	try {
		kind = fstatSync(0);
	} catch {
		return undefined;
	}
	if (kind.isFile()) return readFileSync(0, "utf8");
	if (!kind.isFIFO() && !kind.isSocket()) return undefined;
	return readPipe(process.stdin);
}

function readPipe(stdin: NodeJS.ReadStream): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		let text = "";
		const silence = setTimeout(() => {
			say(`Nothing came on stdin within ${STDIN_PATIENCE_MS / 1000} s; going on without it.`);
			stdin.pause();
			stdin.unref();
			resolve(undefined);
		}, STDIN_PATIENCE_MS);
		stdin.setEncoding("utf8");
		stdin.on("data", (part: string) => {
			clearTimeout(silence);
			text += part;
		});
		stdin.on("end", () => {
			clearTimeout(silence);
			resolve(text);
		});
		stdin.on("error", (cause) =>
			reject(
				new AgiError(
					"STDIN",
					`Standard input cannot be read: ${cause.message}. Give the whole prompt behind -p, and stdin from /dev/null.`,
					{ exitCode: 42, cause },
				),
			),
		);
	});
}
