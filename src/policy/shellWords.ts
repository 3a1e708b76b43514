// Words of a shell command as the shell would hand them on, as far as the text alone tells: quotes, tildes, braces,
// known variables, substitutions whose output is plain. What only the shell knows becomes `UNKNOWN`, never a guess.

import {
	type ParameterReplaceOperation,
	type ParsedScript,
	parse,
	type SyntaxNode,
	type Word,
	type WordPart,
} from "unbash";
import { UNKNOWN } from "./places.ts";

/** What flows through a pipe, out of a substitution or stands in a variable. */
export interface Flow {
	/** It holds text that came over the network. */
	fetched: boolean;
	/** The text itself, where it is known. */
	text?: string;
	/** It names everything below a folder, as `find FOLDER` prints it. */
	tree?: boolean;
}

/** One argument after expansion. */
export interface Field {
	text: string;
	fetched: boolean;
	/** The content of the file it names, for `<(…)`. */
	file?: Flow;
	/** The script that reads what is written to it, for `>(…)`. */
	sink?: ParsedScript;
}

/** What expansion needs of the walk it is part of. */
export interface WordScope {
	vars: Map<string, Flow>;
	/** Walks a nested script in a copy of the scope and tells what it writes. */
	run(script: ParsedScript): Flow;
	/** Walks whatever scripts are nested in a part that is not expanded. */
	visit(node: SyntaxNode): void;
	/** Tells that a word holds what the parser did not take apart. */
	visitUnread(): void;
}

/** A flow that holds nothing of interest. */
export const PLAIN: Flow = { fetched: false };

const MAX_FIELDS = 64;
const MAX_BRACE_DEPTH = 8;

/** A field of known text. */
export function plainField(text: string): Field {
	return { text, fetched: false };
}

/** A piece of text as the shell reads it where an argument stands; undefined where it is none. */
export function readArgument(text: string): Word | undefined {
	const command = parse(`_ ${text}`).commands[0]?.command;
	const argument = command?.type === "Command" ? command.args[0] : undefined;
	return argument?.type === "Word" ? argument : undefined;
}

/** All fields that a word becomes; each nested script is walked exactly once on the way. */
export function expandWord(word: Word, scope: WordScope): Field[] {
	const done: Field[] = [];
	let open: Field[] = [plainField("")];
	const append = (fields: Field[]) => {
		open = open.flatMap((head) => fields.map((tail) => joined(head, tail))).slice(0, MAX_FIELDS);
	};
	if (!word.parts?.length) append([plainField(expandLiteral(word.text, word.value, true, scope))]);
	for (const [index, part] of (word.parts ?? []).entries()) {
		if (part.type === "BraceExpansion") {
			part.parts?.forEach(scope.visit);
			append(expandBraces(part.text).map((text) => plainField(substituteNames(text, scope))));
		} else if (part.type === "Literal" && index === 0) {
			append([plainField(expandLiteral(part.text, part.value, true, scope))]);
		} else {
			const value = expandPart(part, scope);
			const pieces = isSplit(part) ? splitBlanks(value) : [value];
			append(pieces.slice(0, 1));
			for (const piece of pieces.slice(1)) {
				done.push(...open);
				open = [piece];
			}
		}
	}
	return [...done, ...open].slice(0, MAX_FIELDS);
}

/** A word as one field, as where the shell does not split: assignments, redirect targets. */
export function expandUnsplit(word: Word, scope: WordScope): Field {
	return expandWord(word, scope).reduce((head, tail) => joined(joined(head, plainField(" ")), tail));
}

/** The text of parts that stand in double quotes or a here-document. */
export function expandQuoted(parts: readonly WordPart[], scope: WordScope): Field {
	return parts.map((part) => expandPart(part, scope)).reduce(joined, plainField(""));
}

function joined(head: Field, tail: Field): Field {
	const file = head.file ?? tail.file;
	const sink = head.sink ?? tail.sink;
	return {
		text: head.text + tail.text,
		fetched: head.fetched || tail.fetched,
		...(file && { file }),
		...(sink && { sink }),
	};
}

function expandPart(part: WordPart, scope: WordScope): Field {
	switch (part.type) {
		case "Literal":
			return plainField(expandLiteral(part.text, part.value, false, scope));
		case "SingleQuoted":
		case "AnsiCQuoted":
			return plainField(part.value);
		case "Glob":
			return /[$`]/.test(part.text) ? expandPattern(part.text, scope) : plainField(part.value);
		case "DoubleQuoted":
		case "LocaleString":
			return expandQuoted(part.parts, scope);
		case "SimpleExpansion":
			return lookUp(part.text.slice(1), scope);
		case "ParameterExpansion":
			return expandParameter(part, scope);
		case "CommandExpansion":
			return part.script ? flowField(scope.run(part.script)) : plainField(UNKNOWN);
		case "ProcessSubstitution":
			if (!part.script) return plainField(UNKNOWN);
			return part.operator === ">"
				? { text: "/dev/fd/63", fetched: false, sink: part.script }
				: { text: "/dev/fd/63", fetched: false, file: scope.run(part.script) };
		case "ExtendedGlob":
			part.parts?.forEach(scope.visit);
			return plainField("*");
		case "ArithmeticExpansion":
			scope.visit(part);
			return plainField(UNKNOWN);
		case "BraceExpansion":
			return plainField(part.text);
		default:
			return part satisfies never;
	}
}

/** A pattern in which something is computed: what it runs is walked, and it may stand for every name. */
function expandPattern(text: string, scope: WordScope): Field {
	const start = text.search(/[$`]/);
	// Without its brackets the same text is a word whose substitutions the parser tells.
	const word = readArgument(text.slice(0, start).replace(/[[*?]/g, "_") + text.slice(start));
	return word ? { ...expandUnsplit(word, scope), text: "*" } : plainField("*");
}

function expandParameter(part: Extract<WordPart, { type: "ParameterExpansion" }>, scope: WordScope): Field {
	const { operation, parameter } = part;
	if (part.index) scope.visit(part.index);
	if (!operation) return part.prefix ? plainField(UNKNOWN) : lookUp(parameter, scope);
	if (operation.type !== "Default") {
		if (operation.type === "Replace") visitReplacement(operation, scope);
		else scope.visit(operation);
		return plainField(UNKNOWN);
	}
	// An alternative is taken for real unless the variable is known: it is the reading that can do harm.
	const operand = expandUnsplit(operation.operand, scope);
	if (operation.operator.endsWith("+")) return operand;
	const value = lookUp(parameter, scope);
	return value.text === UNKNOWN && !operation.operator.endsWith("?") ? operand : value;
}

/** `${v/PATTERN/TEXT}`: the parser ends the pattern at a slash inside of a substitution, so both are read in one. */
function visitReplacement(operation: ParameterReplaceOperation, scope: WordScope): void {
	const { pattern, replacement } = operation;
	const text = pattern.text + (replacement.pos > pattern.end ? "/" : "") + replacement.text;
	const part = /[`(]/.test(text) ? readArgument(`\${_:-${text}}`)?.parts?.[0] : undefined;
	const whole = part?.type === "ParameterExpansion" && part.operation?.type === "Default" && part.operation;
	scope.visit(whole ? whole.operand : operation);
}

function lookUp(name: string, scope: WordScope): Field {
	const value = scope.vars.get(name);
	return value ? flowField(value) : plainField(UNKNOWN);
}

function flowField(flow: Flow): Field {
	return { text: flow.text?.replace(/\n+$/, "") ?? UNKNOWN, fetched: flow.fetched };
}

/** Whether the shell makes several fields of a value with blanks; `"$@"` is the one quoted part of that kind. */
function isSplit(part: WordPart): boolean {
	if (part.type === "DoubleQuoted") return part.text === '"$@"';
	return (
		part.type === "SimpleExpansion" || part.type === "ParameterExpansion" || part.type === "CommandExpansion"
	);
}

function splitBlanks(value: Field): Field[] {
	if (!/[ \t\n]/.test(value.text)) return [value];
	return value.text.split(/[ \t\n]+/).map((text) => ({ text, fetched: value.fetched }));
}

/** Literal text, in which nothing may be left that a shell would run: the parser keeps `v=($(x))y` in one piece. */
function expandLiteral(source: string, value: string, isStart: boolean, scope: WordScope): string {
	if (/[`(]/.test(source) && /`|[$<>]\(/.test(source.replace(/\\./gs, ""))) scope.visitUnread();
	return isStart ? expandTilde(source, value, scope) : value;
}

function expandTilde(source: string, value: string, scope: WordScope): string {
	const prefix = /^~[\w.+-]*(?=\/|$)/.exec(source)?.[0];
	if (prefix === undefined || !value.startsWith(prefix)) return value;
	return tildeFolder(prefix.slice(1), scope) + value.slice(prefix.length);
}

function tildeFolder(user: string, scope: WordScope): string {
	if (user === "") return lookUp("HOME", scope).text;
	if (user === "+") return lookUp("PWD", scope).text;
	if (user === "-") return UNKNOWN;
	return user === "root" ? "/root" : `/home/${user}`;
}

/** Brace groups with commas, nested ones too; sequences such as `{1..9}` become `UNKNOWN`. Quotes inside are dropped. */
function expandBraces(text: string, depth = 0): string[] {
	if (depth > MAX_BRACE_DEPTH) return [UNKNOWN];
	const start = text.indexOf("{");
	const items = start < 0 ? undefined : braceItems(text, start);
	if (!items) return [text.replace(/["'\\]/g, "")];
	const [head, tails] = [text.slice(0, start), expandBraces(text.slice(items.end), depth + 1)];
	const middles =
		items.list.length > 1 ? items.list.flatMap((item) => expandBraces(item, depth + 1)) : [UNKNOWN];
	return middles
		.slice(0, MAX_FIELDS)
		.flatMap((middle) => tails.map((tail) => head + middle + tail))
		.slice(0, MAX_FIELDS);
}

function braceItems(text: string, start: number): { list: string[]; end: number } | undefined {
	const list: string[] = [];
	let [depth, from] = [0, start + 1];
	for (let at = start; at < text.length; at++) {
		const char = text[at];
		if (char === "{") depth++;
		if (char === "}") depth--;
		if ((char === "," && depth === 1) || depth === 0) {
			list.push(text.slice(from, at));
			from = at + 1;
		}
		if (depth === 0) return { list, end: at + 1 };
	}
	return undefined;
}

function substituteNames(text: string, scope: WordScope): string {
	const named = text.replace(/\$\{?(\w+)\}?/g, (_, name: string) => lookUp(name, scope).text);
	return expandTilde(named, named, scope);
}
