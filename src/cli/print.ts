// The headless start: reads what is piped in, runs one turn, ends with its exit code. It never waits for a person.

import { fstatSync, readFileSync } from "node:fs";
import { AgiError, type ExitCode } from "../types.ts";
import { runPrint } from "../ui/print.ts";
import type { CommandLine } from "./arguments.ts";
import type { Interruption } from "./interruption.ts";
import { say } from "./say.ts";
import { type Started, start } from "./start.ts";

/** How long an open pipe may stay silent before the run goes on without it, in milliseconds. */
const STDIN_PATIENCE_MS = 3_000;

/** Runs `agi -p`. `interruption`: the signals that may end it. */
export async function printCommand(
	parsed: CommandLine<"print">,
	interruption: Interruption,
): Promise<ExitCode> {
	const prompt = await wholePrompt(parsed.prompt, interruption);
	const started = await start(parsed.flags, parsed.session, false);
	if (!parsed.flags.ephemeral) interruption.isStored();
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
	interruption.settled();
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

/** The prompt, and after a blank line what was piped in. */
async function wholePrompt(given: string | undefined, { signal, exitCode }: Interruption): Promise<string> {
	const piped = await readPiped(signal);
	if (piped?.includes("\0"))
		throw new AgiError(
			"BINARY_INPUT",
			"What was piped in is binary or not UTF-8. Pipe in UTF-8 text, or name the file in the prompt.",
			{ exitCode: 42 },
		);
	const prompt = [given, piped].filter((part) => part !== undefined && part.trim() !== "").join("\n\n");
	if (prompt === "" && signal.aborted)
		throw new AgiError("CANCELLED", "Ended by a signal before there was a prompt.", {
			exitCode: exitCode() ?? 130,
		});
	if (prompt === "")
		throw new AgiError("NO_PROMPT", 'There is no prompt. Write agi -p "what to do", or pipe it in.', {
			exitCode: 42,
		});
	return prompt;
}

/** What stands on stdin where it is a pipe or a file; a terminal and /dev/null hold nothing. */
async function readPiped(signal: AbortSignal): Promise<string | undefined> {
	let kind: ReturnType<typeof fstatSync>;
	try {
		kind = fstatSync(0);
	} catch {
		return undefined;
	}
	if (kind.isFile()) return readFileSync(0, "utf8");
	if (!kind.isFIFO() && !kind.isSocket()) return undefined;
	return readPipe(process.stdin, signal);
}

function readPipe(stdin: NodeJS.ReadStream, signal: AbortSignal): Promise<string | undefined> {
	return new Promise((resolve, reject) => {
		let text = "";
		const leave = () => {
			clearTimeout(silence);
			stdin.pause();
			stdin.unref();
			resolve(undefined);
		};
		const silence = setTimeout(() => {
			say(`Nothing came on stdin within ${STDIN_PATIENCE_MS / 1000} s; going on without it.`);
			leave();
		}, STDIN_PATIENCE_MS);
		if (signal.aborted) return leave();
		signal.addEventListener("abort", leave, { once: true });
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
