// Splits a command into parts that are read with certainty: plain words joined by `&&`, `||`, `;`, `|` and new lines.
// Everything else is opaque, whatever it may mean; no rule allows what is opaque, and nothing of it is remembered.

import {
	type Command,
	type CommandArgument,
	forEachChild,
	parse,
	type Redirection,
	type SyntaxNode,
	type Word,
} from "unbash";

/** One word as the shell hands it on. A glob stands as it is written. */
export interface PartWord {
	text: string;
	isGlob: boolean;
}

/** One command of a compound one. */
export interface Part {
	words: PartWord[];
	/** As it stands in the command. */
	text: string;
	/** Something flows into it through a pipe. */
	isPiped: boolean;
}

/** A command as far as it is certain; `why` completes "It cannot be judged part by part: …". */
export type CommandParts = { kind: "plain"; parts: Part[] } | { kind: "opaque"; why: string };

const MAX_LENGTH = 20_000;

/** Thrown inside, caught by `readParts`. */
class Opaque extends Error {}

/** The parts of a command as it would be given to bash, in their order. Never throws. */
export function readParts(command: string): CommandParts {
	try {
		if (command.length > MAX_LENGTH) throw new Opaque("it is too long");
		if (/[^\P{Cc}\n\t]|\p{Cf}|[\u2028\u2029]/u.test(command))
			throw new Opaque("it holds characters that cannot be seen");
		const script = parse(command);
		if (script.errors?.length) throw new Opaque("a shell would not understand it");
		if (!/^(?:[\s;|&]|\\\n|#.*(?:\n|$))*$/.test(betweenWords(script, command)))
			throw new Opaque("a shell would not understand it");
		const parts = script.commands.flatMap((statement) => {
			if (statement.background) throw new Opaque("it starts something in the background");
			return partsOf(statement.command, command, false);
		});
		if (parts.length === 0) throw new Opaque("there is no command in it");
		return { kind: "plain", parts };
	} catch (error) {
		return { kind: "opaque", why: error instanceof Opaque ? error.message : "it is too entangled" };
	}
}

/** What stands outside of all words and redirects. The parser skips a parenthesis where bash would stop in front of it. */
function betweenWords(script: SyntaxNode, source: string): string {
	let [between, from] = ["", 0];
	const visit = (node: SyntaxNode): void => {
		if (node.type === "Word" || node.type === "Redirect") {
			between += source.slice(from, node.pos);
			from = node.end;
		} else forEachChild(node, visit);
	};
	visit(script);
	return between + source.slice(from);
}

function partsOf(node: SyntaxNode, source: string, isPiped: boolean): Part[] {
	switch (node.type) {
		case "AndOr":
			return node.commands.flatMap((command) => partsOf(command, source, isPiped));
		case "Pipeline":
			if (node.prefixes.length > 0) throw new Opaque("it begins with a shell keyword");
			if (node.operators.some((operator) => operator !== "|"))
				throw new Opaque("it joins its outputs with |&");
			return node.commands.flatMap((command, at) => partsOf(command, source, at > 0 || isPiped));
		case "Command":
			return [readCommand(node, source, isPiped)];
		default:
			throw new Opaque("it holds more than plain commands");
	}
}

function readCommand(node: Command, source: string, isPiped: boolean): Part {
	if (node.prefix.some((part) => part.type === "Assignment")) throw new Opaque("it sets a variable");
	for (const redirect of node.redirects) assertHarmless(redirect);
	if (!node.name) throw new Opaque("a part of it has no name");
	const words = [node.name, ...node.args.map(wordOf)].map((word) => readWord(word, source));
	if (words[0]!.isGlob || words[0]!.text === "") throw new Opaque("the name of a command is computed");
	return { words, text: source.slice(node.pos, node.end).trim(), isPiped };
}

function wordOf(argument: CommandArgument): Word {
	// `export a=(…)` and its kin: what looks like an assignment behind a name is one for some commands.
	if (argument.type !== "Word") throw new Opaque("it sets a variable");
	return argument;
}

/** Only what throws output away or joins stderr to it leaves a command as harmless as it is without. */
function assertHarmless(redirect: Redirection): void {
	if (redirect.type !== "Redirect") throw new Opaque("text stands in it for another command to read");
	const target = redirect.target?.text ?? "";
	const { operator } = redirect;
	const from = redirect.descriptor?.type === "FileDescriptorVariable" ? 0 : (redirect.descriptor?.value ?? 1);
	if (from !== 1 && from !== 2) throw new Opaque("it redirects more than its output");
	if (operator === ">" && target === "/dev/null") return;
	if (operator === ">&" && (target === "-" || target === String(3 - from))) return;
	throw new Opaque("it redirects its output");
}

/** Unquoted, these stand for something that only the shell knows, or are read differently by different shells. */
const UNCERTAIN = /[~$`{}\\!#^=(),<>&|;"'@+]/;
const HARMLESS_UNQUOTED = /[!#^=,@+]/g;

function readWord(word: Word, source: string): PartWord {
	if (source.slice(word.pos, word.end) !== word.text)
		throw new Opaque("its words are not as they are written");
	if (!word.parts?.length) return plainPiece(word.text, word.value);
	let [text, isGlob] = ["", false];
	for (const part of word.parts) {
		switch (part.type) {
			case "Literal": {
				text += plainPiece(part.text, part.value).text;
				break;
			}
			case "Glob":
				if (/[~$`{}\\"']/.test(part.text)) throw new Opaque("a pattern in it is computed");
				text += part.text;
				isGlob = true;
				break;
			case "SingleQuoted":
				text += part.value;
				break;
			case "DoubleQuoted":
				text += quotedText(part.text, part.parts);
				break;
			default:
				throw new Opaque("something in it is computed by the shell");
		}
	}
	// A quoted star beside a real one would be taken for a pattern when the word is looked up.
	if (isGlob && word.parts.some(({ type }) => type !== "Literal" && type !== "Glob"))
		throw new Opaque("a pattern in it is partly quoted");
	return { text, isGlob };
}

function plainPiece(text: string, value: string): PartWord {
	if (text !== value || UNCERTAIN.test(text.replace(HARMLESS_UNQUOTED, "")))
		throw new Opaque("something in it is computed by the shell");
	return { text, isGlob: /[*?[]/.test(text) };
}

function quotedText(written: string, parts: readonly { type: string; text: string }[]): string {
	if (parts.some(({ type }) => type !== "Literal") || /[$`\\]/.test(written))
		throw new Opaque("something in it is computed by the shell");
	return written.slice(1, -1);
}
