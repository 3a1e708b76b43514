// What tree-sitter's grammar makes of a line of bash: every command that stands in it, wherever it stands, and every
// file it would write. Nothing is expanded; a word that only the shell knows is told as undefined.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Language, type Node, Parser } from "web-tree-sitter";
import { observeLines } from "./bashOracle.ts";

/** A word without its quotes; undefined where the shell computes it. */
export type TreeWord = string | undefined;

/** What stands in one line. */
export interface TreeReading {
	/** Every command, those inside of substitutions too: its words, the name first, and its text with its redirects. */
	commands: { words: TreeWord[]; text: string }[];
	/** The file of every redirect that can write one. */
	writes: TreeWord[];
}

/** Reads one line; undefined where the grammar has no meaning for it, or is known to read it unlike bash. */
export type TreeOracle = (line: string) => TreeReading | undefined;

/** What a judge told of a line. */
export interface ToldLine {
	line: string;
	commands: readonly (readonly string[])[];
	writes: readonly string[];
}

/** Loads the grammar. Its one parser reads all lines, one after the other. */
export async function loadTreeOracle(): Promise<TreeOracle> {
	await Parser.init();
	const grammar = createRequire(import.meta.url).resolve("tree-sitter-bash/tree-sitter-bash.wasm");
	const parser = new Parser().setLanguage(await Language.load(readFileSync(grammar)));
	return (line) => {
		if (MISREAD.some((spelling) => spelling.test(line))) return undefined;
		const tree = parser.parse(line);
		if (!tree) throw new Error(`tree-sitter gave up on ${line}`);
		try {
			if (tree.rootNode.hasError || isCutWrong(tree.rootNode, line)) return undefined;
			return {
				commands: tree.rootNode.descendantsOfType(COMMANDS).map((node) => readCommand(node, line)),
				writes: tree.rootNode.descendantsOfType("file_redirect").flatMap(writtenBy),
			};
		} finally {
			tree.delete();
		}
	};
}

/**
 * How many lines tree-sitter could be asked about, and where it sees a command or a written file that the judge did not
 * tell. A command that bash, given it alone, reads unlike tree-sitter is held against nobody, nor is one of a line that
 * bash refuses.
 */
export function compareWithTree(told: readonly ToldLine[], read: TreeOracle) {
	const trees = told.flatMap((judged) => {
		const tree = read(judged.line);
		return tree ? [{ judged, tree }] : [];
	});
	const missing = trees.flatMap(({ judged, tree }) =>
		tree.commands
			.filter(({ words }) => words.length > 0 && !judged.commands.some((call) => isSame(words, call)))
			.map((command) => ({ line: judged.line, ...command })),
	);
	// A loop would not end where nothing changes between its rounds.
	const seen = observeLines(missing.map(({ text }) => (/\b(while|until|for)\b/.test(text) ? "" : text)));
	const unseen = missing.filter(({ line, words }, at) => {
		const { calls } = seen[at]!;
		const agrees = calls.length === 0 || calls.some((call) => isSame(words, call));
		return agrees && spawnSync("bash", ["-n"], { input: line }).status === 0;
	});
	const unwritten = trees.flatMap(({ judged, tree }) =>
		tree.writes
			.filter((file) => (file === undefined ? judged.writes.length === 0 : !judged.writes.includes(file)))
			.map((file) => ({ line: judged.line, file })),
	);
	return { compared: trees.length, missing: unseen.map(({ line, words }) => ({ line, words })), unwritten };
}

/** Up to the first computed word all are compared in their places; computed ones may have become none or many. */
function isSame(words: readonly TreeWord[], call: readonly string[]): boolean {
	const known = words.indexOf(undefined);
	if (known < 0) return words.length === call.length && words.every((word, at) => word === call[at]);
	let at = 0;
	return words.every((word, index) => {
		if (word === undefined) return true;
		const found = index < known ? (call[index] === word ? index : -1) : call.indexOf(word, at);
		at = found + 1;
		return found >= 0;
	});
}

/** Spellings that the grammar is known to read unlike bash. */
const MISREAD = [
	// A backslash before a blank or at the end, and a carriage return, are gaps to it.
	/\\(?:\s|$)|\r/,
	// It knows `!` only with a blank behind, and not before `((`; after `-` and `==` it looks for numbers and patterns.
	/!\S|! \(\(|-\s*(?:\w+=|\d)|(?:^|\s)==\s/,
	// Descriptors: a digit that ends a word, `>& -`, one before `<<<`, a redirect between brackets.
	/\w\d>&-|&\s+-|\d<<<|\[ [^\]]*&>/,
	// Here-documents: half a quoted end mark, `$$(`, an end mark with more behind it.
	/<<-?[^\s'"<]+['"]|\$\$\(|\n\t*E[^\n]/,
	// `esac` in the place of a pattern.
	/;;\s*esac\|/,
];

/** Where it expects a command the grammar reads keywords as names. */
const KEYWORDS =
	/^(?:!|\{|\[\[|case|coproc|do|done|elif|else|esac|fi|for|function|if|select|then|time|until|while)(?![^\s<>&|;()])/;
const COMMANDS = ["command", "declaration_command", "unset_command"];
const BESIDE_WORDS = ["variable_assignment", "file_redirect", "herestring_redirect", "heredoc_redirect"];
const ENDS_IN_COMMAND = ["list", "pipeline", "negated_command"];

/** Whether words touch each other, pieces of a word stand apart, or a keyword is taken for a name. */
function isCutWrong(root: Node, line: string): boolean {
	const gapsOf = (nodes: readonly Node[]) =>
		nodes.slice(1).map((node, at) => line.slice(nodes[at]!.endIndex, node.startIndex));
	const commands = root.descendantsOfType(COMMANDS);
	const targets = root
		.descendantsOfType("file_redirect")
		.map((node) => node.childrenForFieldName("destination"));
	return (
		commands.some(({ text }) => KEYWORDS.test(text)) ||
		[...commands.map(ownWords), ...targets].some((words) =>
			gapsOf(words).some((gap) => !/^[^\n]+$/.test(gap)),
		) ||
		root.descendantsOfType("concatenation").some(({ children }) => gapsOf(children).some((gap) => gap !== ""))
	);
}

function ownWords(command: Node): Node[] {
	return command.children.filter(({ type }) => !BESIDE_WORDS.includes(type) || command.type !== "command");
}

function readCommand(command: Node, line: string): TreeReading["commands"][number] {
	const behind = redirectsBehind(command);
	const taken = [...command.children.filter(isRedirect), ...behind].flatMap(takenWords);
	return {
		words: [...ownWords(command), ...taken].map(textOf),
		text: line.slice(command.startIndex, (behind.at(-1) ?? command).endIndex),
	};
}

/** The grammar hangs the redirects of a last command on the whole list or pipe. */
function redirectsBehind(command: Node): Node[] {
	let body = command;
	while (body.parent && ENDS_IN_COMMAND.includes(body.parent.type) && body.parent.endIndex === body.endIndex)
		body = body.parent;
	const { parent } = body;
	const isBody = parent?.type === "redirected_statement" && parent.firstChild?.id === body.id;
	return isBody ? parent.children.filter(isRedirect) : [];
}

function isRedirect({ type }: Node): boolean {
	return type === "file_redirect" || type === "heredoc_redirect";
}

/** The grammar hands the words behind a redirect to it, though it takes only the first, and `>&-` none. */
function takenWords(redirect: Node): Node[] {
	if (redirect.type === "file_redirect")
		return redirect.childrenForFieldName("destination").slice(operatorOf(redirect).endsWith("&-") ? 0 : 1);
	const redirects = redirect.childrenForFieldName("redirect").filter(isRedirect);
	return [...redirect.childrenForFieldName("argument"), ...redirects.flatMap(takenWords)];
}

function writtenBy(redirect: Node): TreeWord[] {
	const operator = operatorOf(redirect);
	if (operator === "<" || operator === "<&" || operator.endsWith("&-")) return [];
	const target = redirect.childForFieldName("destination");
	const file = target ? textOf(target) : undefined;
	return operator === ">&" && file !== undefined && /^(\d+-?|-)$/.test(file) ? [] : [file];
}

function operatorOf(redirect: Node): string {
	return redirect.children.find(({ isNamed }) => !isNamed)?.type ?? "";
}

function textOf(node: Node): TreeWord {
	switch (node.type) {
		case "raw_string":
			return node.text.slice(1, -1);
		case "string":
			return /[$`\\]/.test(node.text) ? undefined : node.text.slice(1, -1);
		case "command_name":
		case "concatenation": {
			const pieces = node.children.map(textOf);
			return pieces.includes(undefined) ? undefined : pieces.join("");
		}
		default:
			return /[$`\\~{}()'"]/.test(node.text) ? undefined : node.text;
	}
}
