// The palette below the prompt line: / commands at its start, @files anywhere. Pure: it follows the text, says what is
// to be ranked, and what an accepted entry changes. Ranking files is `rankFiles.ts`, listing them is the caller's.

import type { Edit } from "./editor.ts";
import type { EditorState } from "./editorState.ts";
import { findCommand, SLASH_COMMANDS } from "./slashCommands.ts";

/** A line of the palette: `insert` replaces what was typed. */
export interface CompletionItem {
	label: string;
	detail: string;
	insert: string;
}

export interface CompletionState {
	kind: "command" | "file";
	/** The typed word, with its sign: what an accepted entry replaces. */
	from: number;
	to: number;
	/** Without the sign. */
	query: string;
	items: readonly CompletionItem[];
	selected: number;
	/** Closed by Escape: it stays so until another word is begun. */
	dismissed: boolean;
}

const COMMAND_WORD = /^\/([^\s/]*)$/;
/** A mail address is no file: no ASCII word may stand before the sign. */
const FILE_WORD = /(?<![\w.+-])@(?:"([^"\n]*)|([^\s"]*))$/;
/** No path is longer; keeps each key fast in a long text. */
const LONGEST_WORD = 4_096;

/** What stands in the palette behind the commands. */
export interface NamedEntry {
	name: string;
	description: string;
}

/**
 * The palette for the text before the cursor; undefined where no word for it stands there. Entries of files are the
 * previous ones until `withFiles` brings those of the new query.
 */
export function trackCompletion(
	previous: CompletionState | undefined,
	{ text, cursor }: Pick<EditorState, "text" | "cursor">,
	skills: readonly NamedEntry[] = [],
): CompletionState | undefined {
	const word = findWord(text, cursor);
	if (!word) return undefined;
	const isSame = previous?.kind === word.kind && previous.from === word.from;
	if (isSame && previous.query === word.query) return { ...previous, to: word.to };
	const dismissed = isSame && previous.dismissed;
	if (word.kind === "file") return { ...word, items: isSame ? previous.items : [], selected: 0, dismissed };
	return {
		...word,
		items: [...commandItems(word.query), ...skillItems(word.query, skills)],
		selected: 0,
		dismissed,
	};
}

/** What `@` can name: a file, a folder with a slash at its end, `session:ID`; `label` is shown in its stead. */
export interface Mentionable {
	path: string;
	label?: string;
	detail?: string;
}

/** Begins the mention of a session, behind the sign. */
export const SESSION_SIGN = "session:";

/** The palette with what was `found`, best first, if it still asks for `query`. */
export function withFiles(
	state: CompletionState,
	query: string,
	found: readonly Mentionable[],
): CompletionState {
	if (state.kind !== "file" || state.query !== query) return state;
	const items = found.map(({ path, label = path, detail = "" }) => ({
		label,
		detail,
		insert: path === SESSION_SIGN ? `@${path}` : fileMention(path),
	}));
	return { ...state, items, selected: 0 };
}

/** Whether the palette is shown, so that it gets the keys. */
export function isCompletionOpen(state: CompletionState | undefined): boolean {
	return state !== undefined && !state.dismissed && state.items.length > 0;
}

/** Marks another entry; past either end it begins again. */
export function moveCompletion(state: CompletionState, by: number): CompletionState {
	const count = state.items.length;
	if (count === 0) return state;
	return { ...state, selected: (state.selected + (by % count) + count) % count };
}

/** The palette after Escape. */
export function dismissCompletion(state: CompletionState): CompletionState {
	return { ...state, dismissed: true };
}

/** The edit that puts the marked entry in; `isWhole` where the text may be sent at once. */
export function acceptCompletion(state: CompletionState): { edit: Edit; isWhole: boolean } | undefined {
	const item = state.items[state.selected];
	if (!item) return undefined;
	const command = state.kind === "command" ? findCommand(item.label.slice(1)) : undefined;
	const isTyped = command
		? findCommand(state.query) === command
		: state.kind === "command" && item.label === `/${state.query}`;
	return {
		edit: { type: "replace", from: state.from, to: state.to, text: item.insert },
		isWhole: command?.argument === "" || isTyped,
	};
}

function findWord(
	text: string,
	cursor: number,
): Pick<CompletionState, "kind" | "from" | "to" | "query"> | undefined {
	const command = cursor <= LONGEST_WORD ? COMMAND_WORD.exec(text.slice(0, cursor)) : undefined;
	if (command) return { kind: "command", from: 0, to: cursor, query: command[1]! };
	const start = Math.max(0, cursor - LONGEST_WORD);
	const file = FILE_WORD.exec(text.slice(start, cursor));
	if (!file) return undefined;
	return { kind: "file", from: start + file.index, to: cursor, query: file[1] ?? file[2] ?? "" };
}

/** Commands whose name, then alias, begins with the query, then those that hold it. */
function commandItems(query: string): CompletionItem[] {
	const wanted = query.toLowerCase();
	return SLASH_COMMANDS.map((command) => ({
		command,
		rank: rankOf([command.name, ...command.aliases], wanted),
	}))
		.filter(({ rank }) => rank < 3)
		.sort((a, b) => a.rank - b.rank)
		.map(({ command: { name, argument, does } }) => ({
			label: `/${name}`,
			detail: argument === "" ? does : `[${argument}] ${does}`,
			insert: argument === "" ? `/${name}` : `/${name} `,
		}));
}

/** Skills by the same rule; a command of the same name goes before one. */
function skillItems(query: string, skills: readonly NamedEntry[]): CompletionItem[] {
	const wanted = query.toLowerCase();
	return skills
		.filter(({ name }) => findCommand(name) === undefined && name.includes(wanted))
		.sort((a, b) => rankOf([a.name], wanted) - rankOf([b.name], wanted))
		.map(({ name, description }) => ({ label: `/${name}`, detail: description, insert: `/${name} ` }));
}

function rankOf([name = "", ...aliases]: readonly string[], wanted: string): number {
	if (name.startsWith(wanted)) return 0;
	if (aliases.some((alias) => alias.startsWith(wanted))) return 1;
	return name.includes(wanted) ? 2 : 3;
}

/** A path as it stands in a message: quoted where it would end at a blank; a folder stays open for more. */
function fileMention(path: string): string {
	if (/[\s"]/.test(path)) return `@"${path.replace(/["\\]/g, "\\$&")}" `;
	return path.endsWith("/") ? `@${path}` : `@${path} `;
}
