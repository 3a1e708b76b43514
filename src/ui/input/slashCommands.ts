// The commands of the prompt line and what a submitted text is: a message, a command, a shell command, a plain word.
// Pure: it names what is meant; carrying it out is another's work.

/** A command as `/help` and the palette show it. */
export interface SlashCommand {
	/** Without the slash. */
	name: string;
	aliases: readonly string[];
	/** What may follow, as shown; empty where nothing does. Never required. */
	argument: string;
	does: string;
	/** It needs keys or a screen: what to do instead where lines alone are read. */
	withoutScreen?: string;
}

/** All commands, in the order in which they are shown. */
export const SLASH_COMMANDS: readonly SlashCommand[] = [
	command("help", "", "show commands and keys"),
	command("plan", "TASK", "plan read-only first; without a task, switch to plan mode"),
	command("approve", "", "take the last answer as the plan and start the work"),
	command("model", "NAME", "choose the model"),
	needsScreen(
		command("login", "", "set up a model: server, key, test call"),
		"agi setup does the same line by line",
	),
	command("cost", "", "what this session has used and cost", "usage", "stats"),
	command(
		"context",
		"all | mask N | pin N | open N",
		"what fills the window; hide, keep or show one item of it",
	),
	command("init", "WISH", "draft AGENTS.md from this repository, or better the one that is there"),
	command("memory", "user | edit | delete N", "what is kept over sessions; edit it, or delete a line"),
	command("skills", "", "skills that can be loaded or started by /NAME, and those that were left out"),
	command("artifacts", "", "results that were cut and are kept whole"),
	command(
		"permissions",
		"ACTION",
		"rules in force, and why the last question was asked; add, remove, test or import rules",
	),
	command("compact", "FOCUS", "sum up older parts of the conversation; undo takes the last summary back"),
	needsScreen(
		command("queue", "", "go through the messages that wait: edit, move, delete"),
		"Ctrl+C ends the running turn, and what waits stays",
	),
	command("clear", "", "start a new session", "new"),
	command("resume", "SEARCH", "go on with an earlier session", "continue", "sessions"),
	command("fork", "STEP", "go on in a copy of this session, whole or up to an earlier step"),
	command("rename", "TITLE", "give this session a title"),
	command("undo", "", "put the last turn's files back"),
	command("rewind", "", "go back to before an earlier turn (also Esc Esc)"),
	command("redo", "", "take the last rewind back"),
	command("diff", "", "what has changed in the files"),
	command("export", "FILE", "write the conversation to a file: .md, .json or .html"),
	needsScreen(
		command("copy", "N", "copy the last answer, or the Nth last"),
		"/export writes the conversation to a file",
	),
	command("status", "", "model, mode, folder, session, version"),
	command("exit", "", "leave agi", "quit"),
];

/** What a submitted text is. */
export type Submission =
	| { kind: "empty" }
	| { kind: "message"; text: string }
	/** `name` is the command's own, whatever alias was typed. */
	| { kind: "command"; name: string; argument: string }
	| { kind: "unknownCommand"; typed: string; suggestions: string[] }
	| { kind: "shell"; command: string }
	/** A plain word that stands alone; `text` is it as typed, for where it means nothing. */
	| { kind: "word"; word: PlainWord; text: string };

/** Words that act without a slash. `e` (open the plan in an editor) counts only while a plan waits. */
export type PlainWord = "approve" | "exit" | "quit" | "e";

/**
 * Reads a submitted text. `//x` is the message `/x`, and a first word that holds a second slash or a dot is a path, so
 * a message. A message keeps the indent of its first line. `planWaits`: an answer in plan mode can be approved.
 */
export function parseSubmission(text: string, planWaits = false): Submission {
	const trimmed = text.trim();
	if (trimmed === "") return { kind: "empty" };
	if (trimmed.startsWith("//")) return { kind: "message", text: trimmed.slice(1) };
	if (trimmed.startsWith("/")) return parseCommand(trimmed);
	if (trimmed.startsWith("!")) {
		const shell = trimmed.slice(1).trim();
		return shell === "" ? { kind: "empty" } : { kind: "shell", command: shell };
	}
	const word = trimmed.toLowerCase();
	if (word === "approve" || word === "exit" || word === "quit" || (word === "e" && planWaits))
		return { kind: "word", word, text: trimmed };
	return { kind: "message", text: text.replace(/^(?:[ \t]*\n)+/, "").trimEnd() };
}

/** The command of this name or alias, in any letter case. */
export function findCommand(name: string): SlashCommand | undefined {
	const wanted = name.toLowerCase();
	return SLASH_COMMANDS.find((each) => each.name === wanted || each.aliases.includes(wanted));
}

/** What to say where no command has that name. */
export function unknownCommandText({ typed, suggestions }: Submission & { kind: "unknownCommand" }): string {
	const near = suggestions.map((name) => `/${name}`).join(" or ");
	return near === ""
		? `There is no command /${typed}. /help shows all of them.`
		: `There is no command /${typed}. Did you mean ${near}?`;
}

function parseCommand(text: string): Submission {
	const [, typed = "", argument = ""] = /^\/(\S*)\s*([\s\S]*)$/.exec(text)!;
	if (/[/.]/.test(typed)) return { kind: "message", text };
	const found = findCommand(typed);
	if (found) return { kind: "command", name: found.name, argument };
	return { kind: "unknownCommand", typed, suggestions: suggestCommands(typed) };
}

/** Up to three names that begin alike or differ by a letter or two, the likeliest first. */
function suggestCommands(typed: string): string[] {
	const wanted = typed.toLowerCase();
	if (wanted === "") return ["help"];
	return SLASH_COMMANDS.flatMap(({ name, aliases }) =>
		[name, ...aliases].map((word) => {
			const isAlias = word !== name;
			return { name, distance: letterDistance(wanted, word) + (isAlias ? 0.5 : 0) };
		}),
	)
		.filter(({ distance }) => distance <= 2)
		.sort((a, b) => a.distance - b.distance)
		.map(({ name }) => name)
		.filter((name, i, names) => names.indexOf(name) === i)
		.slice(0, 3);
}

/** Letters that one word has and the other has not, in any order; 0 for a beginning of at least two letters. */
function letterDistance(typed: string, word: string): number {
	if (typed.length > 1 && word.startsWith(typed)) return 0;
	if (Math.abs(typed.length - word.length) > 2) return 3;
	const left = [...word];
	let extra = 0;
	for (const letter of typed) {
		const at = left.indexOf(letter);
		if (at < 0) extra++;
		else left.splice(at, 1);
	}
	return Math.max(extra, left.length) + (typed[0] === word[0] ? 0 : 1);
}

function command(name: string, argument: string, does: string, ...aliases: string[]): SlashCommand {
	return { name, aliases, argument, does };
}

function needsScreen(given: SlashCommand, instead: string): SlashCommand {
	return { ...given, withoutScreen: instead };
}
