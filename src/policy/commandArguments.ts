// The words that bash hands to a command, in their order. It knows that `>&-x` closes a descriptor and hands on x, which
// the parser takes for a file; it expands nothing.

import type { Command, CommandArgument, Redirection, Word } from "unbash";
import { readArgument } from "./shellWords.ts";

/** The words of a command, the name first where it has one; before the name may stand what sets a variable. */
export function argumentsOf(command: Command): CommandArgument[] {
	const words: CommandArgument[] = command.name ? [command.name, ...command.args] : [...command.args];
	const handedOn = command.redirects.flatMap((redirect) => {
		const rest = closesDescriptor(redirect) ? redirect.target.text.slice(1) : "";
		// In `>&-2>x` the digit is the descriptor of what follows.
		const isDescriptor = /^\d+$/.test(rest) && command.redirects.some(({ pos }) => pos === redirect.end);
		const word = isDescriptor ? undefined : readArgument(rest);
		return word ? [{ at: redirect.pos, word }] : [];
	});
	// Behind a name that was handed on, what looks like an assignment is an argument.
	const name = handedOn.find(({ word }) => !setsVariable(word));
	const late = command.prefix.flatMap((part) =>
		part.type === "Assignment" && name && part.pos > name.at ? [part] : [],
	);
	const written = [...words, ...late].map((word) => ({ at: word.pos, word }));
	return [...written, ...handedOn].sort((one, other) => one.at - other.at).map(({ word }) => word);
}

/** Whether a redirect closes its descriptor and names no file; whatever follows the dash is a word of the command. */
export function closesDescriptor(redirect: Redirection): redirect is Redirection & { target: Word } {
	if (redirect.type !== "Redirect" || redirect.target === undefined) return false;
	return /^[<>]&$/.test(redirect.operator) && redirect.target.text.startsWith("-");
}

/** Whether a word sets a variable where it stands before the name of a command. */
export function setsVariable({ text }: CommandArgument): boolean {
	return /^\w+(\[.*?\])?\+?=/s.test(text);
}
