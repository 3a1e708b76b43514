// The slash commands where lines alone are read: the screen's own, with questions that a line answers and answers that are
// printed. What needs keys or a screen says what to do instead.

import type { Client } from "../rpc/client.ts";
import { answersOf, type CommandDesk } from "./commandDesk.ts";
import { runCommand } from "./commands.ts";
import { SLASH_COMMANDS } from "./input/slashCommands.ts";
import type { LineQuestions } from "./lineQuestions.ts";
import type { Outside } from "./outside.ts";
import { lineHelpText } from "./personView.ts";
import { openView } from "./view/reduce.ts";

/** What the desk is made of. */
export interface LineDeskParts {
	print(text: string): void;
	questions: LineQuestions;
	saveText: Outside["saveText"];
	/** Epoch milliseconds. */
	now(): number;
	/** What was spent so far; null where a price is unknown. */
	costUsd(): number | null;
	leave(): void;
}

/** A desk without a screen. */
export interface LineDesk extends CommandDesk {
	/** Whether the last answer can be approved as a plan. */
	planWaits(): boolean;
}

/** Only texts that are printed at once are made from it. */
const NO_SCREEN = { columns: 80, rows: 24 };

/** The desk of a conversation line by line. */
export function createLineDesk(client: Client, parts: LineDeskParts): LineDesk {
	const { print, questions, saveText, now, costUsd, leave } = parts;
	return {
		client,
		questions,
		outside: {
			saveText,
			editText: async () => {
				throw new Error(
					"No editor can open here, where agi reads lines. Start agi in a terminal with a screen for that.",
				);
			},
			copyText: async () => false,
		},
		clock: { now },
		view: () => ({ ...openView(client.greeting, NO_SCREEN, now()), costUsd: costUsd() }),
		show(event) {
			if (event.kind === "print" || event.kind === "notice") print(event.text);
		},
		writeRaw: () => undefined,
		answers: () => answersOf(client),
		markQueue: () => undefined,
		setDraft: (text) => print(`Your message was:\n${text}`),
		leave,
		planWaits: () => client.greeting.state.mode === "plan" && answersOf(client).length > 0,
	};
}

/** Carries a command out. What is refused is thrown as a sentence. */
export async function runLineCommand(desk: LineDesk, name: string, argument: string): Promise<void> {
	const known = SLASH_COMMANDS.find((command) => command.name === name);
	if (known?.withoutScreen !== undefined)
		throw new Error(`/${name} needs a terminal with a screen. Here, ${known.withoutScreen}.`);
	if (name === "help") return desk.show({ kind: "print", text: lineHelpText() });
	await runCommand(desk, name, argument);
}
