// The conversation in a plain terminal, line by line. Whatever ends it, the session is closed before the reason is told.

import { createInterface, type Interface } from "node:readline";
import type { ExitCode } from "../types.ts";
import { COPY_QUESTION } from "../ui/forking.ts";
import { runLineMode } from "../ui/lineMode.ts";
import { visibleText } from "../ui/visibleText.ts";
import { locate } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { type Ending, settle, watchEndings } from "./endings.ts";
import type { ParsedFlags } from "./flagValues.ts";
import { openOutside } from "./outside.ts";
import { startHosted } from "./start.ts";
import { startFolder } from "./startFolder.ts";
import { askTrust, trustQuestion } from "./trust.ts";

/** How long the session may take to close, in milliseconds. */
const CLOSE_MS = 2_800;

/** Runs it to its end. */
export async function lineConversation(parsed: CommandLine<"interactive">): Promise<ExitCode> {
	const { ended } = watchEndings(() => undefined);
	const reader = createInterface({ input: process.stdin, output: process.stdout, prompt: "" });
	const { flags, notices } = await settleTrust(parsed.flags, reader);
	const started = await startHosted(flags, parsed.session, async (offer) => {
		const answer = await askLine(reader, visibleText(`${offer}\n${COPY_QUESTION} [y/N] `));
		return /^y(es)?$/i.test(answer.trim());
	});
	const { model, cwd, mode } = started.client.greeting;
	const label = started.offline ? "offline model, not an AI" : model;
	process.stdout.write(visibleText(`agi · ${label} · ${mode} · ${cwd}\n`));
	for (const notice of [...notices, ...started.notices]) process.stdout.write(visibleText(`${notice}\n`));
	const left = runLineMode(started.client, {
		lines: reader,
		write: (text) => process.stdout.write(text),
		onInterrupt: (listener) => {
			reader.on("SIGINT", listener);
		},
		saveText: openOutside(startFolder(), process.env).saveText,
		now: Date.now,
		...(parsed.prompt === undefined ? {} : { prompt: parsed.prompt }),
	}).then((): Ending => ({ code: 0 }));
	// Paused since the question about trust; now somebody listens.
	reader.resume();
	const ending = await Promise.race([left, ended]).catch((error: unknown): Ending => ({ error }));
	reader.close();
	const late = new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref());
	await Promise.race([started.close(), late]);
	return settle(ending);
}

/** Asks about a folder that nobody has said yes to, before anything of it is read. */
async function settleTrust(
	flags: ParsedFlags,
	reader: Interface,
): Promise<{ flags: ParsedFlags; notices: string[] }> {
	const place = await locate(startFolder(), process.env, false);
	const question = trustQuestion(place, flags.trust);
	if (!question) return { flags, notices: [] };
	const { trusted, notices } = await askTrust(place, question, (text) => askLine(reader, text));
	return { flags: { ...flags, trust: trusted }, notices };
}

/** The next line as the answer to a question; "" where no more lines come. */
async function askLine(reader: Interface, text: string): Promise<string> {
	const answer = await new Promise<string>((answered) => {
		reader.once("close", () => answered(""));
		reader.question(text, answered);
	});
	// Lines that are typed from here on wait for the conversation.
	reader.pause();
	return answer;
}
