// The conversation in a plain terminal, line by line. Whatever ends it, the session is closed before the reason is told.

import { createInterface } from "node:readline";
import type { ExitCode } from "../types.ts";
import { runLineMode } from "../ui/lineMode.ts";
import { visibleText } from "../ui/visibleText.ts";
import type { CommandLine } from "./arguments.ts";
import { type Ending, settle, watchEndings } from "./endings.ts";
import { startHosted } from "./start.ts";

/** How long the session may take to close, in milliseconds. */
const CLOSE_MS = 2_800;

/** Runs it to its end. */
export async function lineConversation(parsed: CommandLine<"interactive">): Promise<ExitCode> {
	const { ended } = watchEndings(() => undefined);
	const started = await startHosted(parsed.flags, parsed.session);
	const { model, cwd, mode } = started.client.greeting;
	const label = started.offline ? "offline model, not an AI" : model;
	process.stdout.write(visibleText(`agi · ${label} · ${mode} · ${cwd}\n`));
	for (const notice of started.notices) process.stdout.write(visibleText(`${notice}\n`));
	const reader = createInterface({ input: process.stdin, output: process.stdout, prompt: "" });
	const left = runLineMode(started.client, {
		lines: reader,
		write: (text) => process.stdout.write(text),
		onInterrupt: (listener) => {
			reader.on("SIGINT", listener);
		},
		...(parsed.prompt === undefined ? {} : { prompt: parsed.prompt }),
	}).then((): Ending => ({ code: 0 }));
	const ending = await Promise.race([left, ended]).catch((error: unknown): Ending => ({ error }));
	reader.close();
	const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
	await Promise.race([started.close(), late]);
	return settle(ending);
}
