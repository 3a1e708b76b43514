// The interactive start in a plain terminal, line by line.

import { createInterface } from "node:readline";
import type { ExitCode } from "../types.ts";
import { runLineMode } from "../ui/lineMode.ts";
import { visibleText } from "../ui/visibleText.ts";
import type { CommandLine } from "./arguments.ts";
import { say } from "./say.ts";
import { startHosted } from "./start.ts";

/** Runs `agi`. Without a terminal on both sides there is nobody to talk to: exit 2, naming `-p`. */
export async function interactiveCommand(parsed: CommandLine<"interactive">): Promise<ExitCode> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		say('agi needs a terminal for a conversation. For scripts use: agi -p "what to do"');
		return 2;
	}
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
