// Turns a command line into a run: arguments, settings, model, session, client. Every way out of the program is here, so
// that each ends with its exit code, a sentence on stderr, and nothing lost.

import { AgiError, type ExitCode } from "../types.ts";
import { VERSION } from "../version.ts";
import { parseArguments } from "./arguments.ts";
import { interactiveCommand } from "./interactive.ts";
import { listenForSignals } from "./interruption.ts";
import { say } from "./say.ts";
import { startFolder } from "./startFolder.ts";

/** Runs the program for these arguments and ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
	const parsed = parseArguments(argv);
	// On screen a terminal that goes away ends the conversation; elsewhere the work goes on to its end and is recorded.
	const unwritten = parsed.command === "interactive" ? () => undefined : watchOutput();
	let code: number;
	try {
		code = await run(parsed);
	} catch (error) {
		code = reportFailure(error, parsed);
	}
	await drained(process.stdout);
	const lost = unwritten();
	if (lost !== undefined) say(`The output could not be written: ${lost}. Mend that and run agi again.`);
	process.exit(lost !== undefined && code === 0 ? 1 : code);
}

/** Tells at the end what kept stdout from being written; a reader that left early (`| head`) has what it wanted. */
function watchOutput(): () => string | undefined {
	let lost: string | undefined;
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") lost ??= error.message;
	});
	process.stderr.on("error", () => undefined);
	return () => lost;
}

/** Resolves with the exit code: one of agi's own, or that of the command it ran. */
async function run(parsed: ReturnType<typeof parseArguments>): Promise<number> {
	switch (parsed.command) {
		case "usage":
			say(parsed.message);
			return parsed.exitCode;
		case "version":
			process.stdout.write(`${VERSION}\n`);
			return 0;
		case "help": {
			const { helpText } = await import("./help.ts");
			process.stdout.write(helpText(parsed.topic));
			return 0;
		}
		default:
			// Before anything is loaded: some vendors read the folder as they load, and fail in words of their own.
			startFolder();
			return runInFolder(parsed);
	}
}

type InFolder = Exclude<ReturnType<typeof parseArguments>, { command: "usage" | "version" | "help" }>;

async function runInFolder(parsed: InFolder): Promise<number> {
	switch (parsed.command) {
		case "print": {
			const interruption = listenForSignals();
			const { printCommand } = await import("./print.ts");
			return printCommand(parsed, interruption);
		}
		case "interactive": {
			return interactiveCommand(parsed);
		}
		case "setup": {
			const { setupCommand } = await import("./setup.ts");
			return setupCommand(parsed);
		}
		case "sessions": {
			const { sessionsCommand } = await import("./sessions.ts");
			return sessionsCommand(parsed);
		}
		case "models": {
			const { modelsCommand } = await import("./models.ts");
			return modelsCommand(parsed);
		}
		case "stats": {
			const { statsCommand } = await import("./stats.ts");
			return statsCommand(parsed);
		}
		case "eval": {
			const { evalCommand } = await import("./eval.ts");
			return evalCommand(parsed);
		}
		case "sandbox": {
			const { sandboxCommand } = await import("./sandbox.ts");
			return sandboxCommand(parsed);
		}
		case "doctor": {
			const { doctorCommand } = await import("./doctor.ts");
			return doctorCommand(parsed);
		}
		case "permissions": {
			const { permissionsCommand } = await import("./permissions.ts");
			return permissionsCommand(parsed);
		}
		case "config": {
			const { configCommand } = await import("./config.ts");
			return configCommand(parsed);
		}
		default: {
			const unknown: never = parsed;
			throw new AgiError("BUG", `no command ${JSON.stringify(unknown)}`);
		}
	}
}

/** One sentence, and in a JSON run a result line: the result comes on every path. */
function reportFailure(error: unknown, parsed: ReturnType<typeof parseArguments>): ExitCode {
	const debug = "flags" in parsed && parsed.flags.debug;
	const known = error instanceof AgiError;
	const reason = error instanceof Error ? error.message : String(error);
	const message = known ? reason : `agi failed: ${reason}${debug ? "" : " (--debug shows where)"}`;
	const code = known ? error.exitCode : 1;
	if (parsed.command === "print" && parsed.outputFormat !== "text")
		process.stdout.write(failureLine(message, code, known ? error.sessionId : undefined));
	if (debug && error instanceof Error) process.stderr.write(`${error.stack ?? ""}\n`);
	say(message);
	return code;
}

function failureLine(message: string, code: ExitCode, sessionId = ""): string {
	return `${JSON.stringify({
		type: "result",
		subtype: code === 41 ? "error_auth" : code === 54 ? "error_blocked" : "error",
		is_error: true,
		result: message,
		session_id: sessionId,
		num_steps: 0,
		duration_ms: Math.round(performance.now()),
		usage: { input_tokens: 0, output_tokens: 0, cached_input_tokens: 0, reasoning_tokens: 0 },
		total_cost_usd: null,
		permission_denials: [],
		error: message,
	})}\n`;
}

function drained(stream: NodeJS.WriteStream): Promise<void> {
	return new Promise((resolve) => {
		stream.write("", () => resolve());
	});
}
