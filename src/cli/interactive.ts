// `agi` without -p: which way of talking this terminal allows. It loads nothing heavy before the first frame.

import type { ExitCode } from "../types.ts";
import type { CommandLine } from "./arguments.ts";
import { say } from "./say.ts";

/** Runs `agi`. Without a terminal on both sides there is nobody to talk to: exit 2, naming `-p`. */
export async function interactiveCommand(parsed: CommandLine<"interactive">): Promise<ExitCode> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		say('agi needs a terminal for a conversation. For scripts use: agi -p "what to do"');
		return 2;
	}
	if (process.env["TERM"] === "dumb") {
		const { lineConversation } = await import("./lineConversation.ts");
		return lineConversation(parsed);
	}
	const { screenConversation } = await import("./screenConversation.ts");
	return screenConversation(parsed);
}
