// Whether a shell command starts something that it does not wait for, by its text alone.

import { forEachChild, parse, type SyntaxNode } from "unbash";

const MAX_LENGTH = 20_000;

/** True where the command has a `&` of the shell in it and no `wait`; false also where its text cannot be read. */
export function leavesJobs(command: string): boolean {
	if (!command.includes("&") || command.length > MAX_LENGTH) return false;
	let [starts, waits] = [false, false];
	const visit = (node: SyntaxNode): void => {
		if (node.type === "Statement" && node.background) starts = true;
		if (node.type === "Command" && node.name?.text === "wait") waits = true;
		forEachChild(node, visit);
	};
	try {
		visit(parse(command));
	} catch {
		return false;
	}
	return starts && !waits;
}
