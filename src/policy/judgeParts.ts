// What allows a command part by part: rules of the person, and what is known to be read-only. One part that nothing
// allows is enough to ask. It never denies, and what is opaque it never allows.

import { matchesArgv } from "./argvPattern.ts";
import { type CommandParts, type Part, readParts } from "./commandParts.ts";
import type { NamedPath } from "./facts.ts";
import { readOnlyPart, type Searched } from "./readOnly.ts";
import type { Rule } from "./rules.ts";

/** What the judgement of parts depends on. */
export interface PartsContext {
	/** The person's allow rules; others do no harm. */
	rules: readonly Rule[];
	/** Where the paths of read-only parts lead; absent: nobody has looked, so none is known to be inside. */
	named: readonly NamedPath[] | undefined;
	/** A sandbox holds what the command may do. */
	isConfined: boolean;
}

/** Why a part runs unasked, or that nothing allows it. */
export type PartVerdict = { part: Part } & (
	| { allowedBy: "rule"; rule: Rule }
	| { allowedBy: "readOnly" }
	| { allowedBy: "nothing"; why: string }
);

/** The verdict on every part, or why the command is opaque. */
export type JudgedParts = Extract<CommandParts, { kind: "opaque" }> | { kind: "plain"; parts: PartVerdict[] };

/** A word whose path must be looked up before a command can be judged. */
export interface PathWord {
	word: string;
	isGlob: boolean;
	/** What below it is looked into; absent: nothing. */
	searched?: Searched;
}

/** Judges the parts of a command. Never throws. */
export function judgeParts(command: string, context: PartsContext): JudgedParts {
	const read = readParts(command);
	if (read.kind === "opaque") return read;
	let isMoved = false;
	return {
		kind: "plain",
		parts: read.parts.map((part) => {
			const verdict = judgePart(part, isMoved, context);
			if (isFolderChange(part)) isMoved = true;
			return verdict;
		}),
	};
}

/** Whether a command is known to change nothing: every part of it only reads, wherever its paths lead. Never throws. */
export function onlyReads(command: string): boolean {
	const read = readParts(command);
	return (
		read.kind === "plain" && read.parts.every((part) => isFolderChange(part) || readOnlyPart(part, false))
	);
}

/** The words of a command whose paths `judgeParts` needs to know; [] where no path could make it read-only. */
export function pathWords(command: string): PathWord[] {
	const read = readParts(command);
	if (read.kind === "opaque") return [];
	return read.parts.flatMap((part) => {
		if (part.words[0]?.text === "cd")
			return part.words.slice(1).map(({ text, isGlob }) => ({ word: text, isGlob }));
		const known = readOnlyPart(part, false);
		if (!known) return [];
		const here =
			known.searched && known.paths.length === 0 && !part.isPiped ? [{ text: ".", isGlob: false }] : [];
		return [...known.paths, ...here].map(({ text, isGlob }) => ({
			word: text,
			isGlob,
			...(known.searched === undefined ? {} : { searched: known.searched }),
		}));
	});
}

function judgePart(part: Part, isMoved: boolean, context: PartsContext): PartVerdict {
	const argv = part.words.map(({ text }) => text);
	const rule = context.rules.find(
		({ effect, tool, argv: pattern }) =>
			effect === "allow" && tool === "runCommand" && pattern && matchesArgv(pattern, argv, true),
	);
	if (rule) return { part, allowedBy: "rule", rule };
	const why = whyNotReadOnly(part, isMoved, context);
	return why === undefined ? { part, allowedBy: "readOnly" } : { part, allowedBy: "nothing", why };
}

function whyNotReadOnly(
	part: Part,
	isMoved: boolean,
	{ named, isConfined }: PartsContext,
): string | undefined {
	const name = part.words[0]!.text;
	const paths = isFolderChange(part) ? part.words.slice(1) : readOnlyPart(part, isMoved)?.paths;
	if (paths === undefined) return `\`${name}\` is not known to be read-only in this form.`;
	const known = isFolderChange(part) ? undefined : readOnlyPart(part, isMoved);
	if (known?.needsSandbox && !isConfined)
		return `\`${name}\` runs what the repository configures, and no sandbox confines it.`;
	const words =
		known?.searched && paths.length === 0 && !part.isPiped ? ["."] : paths.map(({ text }) => text);
	for (const word of words) {
		const places = named?.filter((path) => path.word === word) ?? [];
		if (places.length === 0) return `Nobody looked up where ${word} leads.`;
		const outside = places.find(({ inside, real }) => !inside && real !== "/dev/null");
		if (outside) return `It reads ${outside.real}, outside the workspace.`;
		const secret = places.find(({ isSecret }) => isSecret);
		if (secret) return `It reads ${secret.real}, which may hold secrets.`;
		if (places.some(({ isVast }) => isVast))
			return `More lies below ${word} than is looked through for files of secrets.`;
	}
	return undefined;
}

/** `cd FOLDER`, which changes nothing but where the rest of the command runs. */
function isFolderChange({ words }: Part): boolean {
	return (
		words[0]?.text === "cd" && words.length === 2 && !words[1]!.isGlob && !words[1]!.text.startsWith("-")
	);
}
