// The conversation in a plain terminal, line by line.

import { createInterface } from "node:readline";
import type { ExitCode } from "../types.ts";
import { runLineMode } from "../ui/lineMode.ts";
import { visibleText } from "../ui/visibleText.ts";
import type { CommandLine } from "./arguments.ts";
import { startHosted } from "./start.ts";

/** Runs it to its end. */
export async function lineConversation(parsed: CommandLine<"interactive">): Promise<ExitCode> {
	const started = await startHosted(parsed.flags, parsed.session);
	const { model, cwd, mode } = started.client.greeting;
	const label = started.offline ? "offline model, not an AI" : model;
	process.stdout.write(visibleText(`agi · ${label} · ${mode} · ${cwd}\n`));
	for (const notice of started.notices) process.stdout.write(visibleText(`${notice}\n`));
	const reader = createInterface({ input: process.stdin, output: process.stdout, prompt: "" });
	try {
		await runLineMode(started.client, {
			lines: reader,
			write: (text) => process.stdout.write(text),
			onInterrupt: (listener) => {
				reader.on("SIGINT", listener);
			},
			...(parsed.prompt === undefined ? {} : { prompt: parsed.prompt }),
		});
	} finally {
		reader.close();
		await started.close();
	}
	return 0;
}
