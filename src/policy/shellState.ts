// The state of a shell while its text is walked: variables, functions, folder. Values that are computed are kept as
// unknown, so that nothing is concluded from them.

import type { SyntaxNode } from "unbash";
import { absolutePath, type CommandPlaces, UNKNOWN } from "./places.ts";
import { type Field, type Flow, plainField } from "./shellWords.ts";

/** One shell of a walk. Copies made by `subshell` change nothing in the original. */
export interface ShellState {
	vars: Map<string, Flow>;
	functions: Map<string, SyntaxNode>;
	/** Shared by the shells that change folder together; undefined where the folder is computed. */
	at: { cwd: string | undefined };
}

/** A longer value is unknown: doubling a variable must not cost memory. */
const MAX_VALUE = 4_096;

/** The state in which a command of agi starts. */
export function startState(places: CommandPlaces): ShellState {
	const cwd = places.cwd ?? places.workspaceRoots[0];
	const state = { vars: new Map<string, Flow>(), functions: new Map<string, SyntaxNode>(), at: { cwd } };
	assign("HOME", plainField(places.home), state);
	assign("IFS", plainField(" "), state);
	assign("PWD", plainField(cwd ?? UNKNOWN), state);
	if (places.agiPid !== undefined) assign("PPID", plainField(String(places.agiPid)), state);
	return state;
}

/** A copy for a part whose changes die with it. */
export function subshell<S extends ShellState>(shell: S): S {
	return { ...shell, vars: new Map(shell.vars), functions: new Map(shell.functions), at: { ...shell.at } };
}

/** Sets a variable. */
export function assign(name: string, value: Field, shell: ShellState): void {
	const known = value.text.length <= MAX_VALUE && !value.text.includes(UNKNOWN);
	shell.vars.set(name, { fetched: value.fetched, ...(known && { text: value.text }) });
}

/** Sets variables from the arguments of `export` and its kin. */
export function assignAll(args: Field[], shell: ShellState): void {
	for (const arg of args) {
		const parts = /^(\w+)=(.*)$/s.exec(arg.text);
		if (parts) assign(parts[1]!, { ...arg, text: parts[2]! }, shell);
	}
}

/** Sets `$0`, `$1` … and `$@`. */
export function assignPositionals(fields: Field[], shell: ShellState): void {
	for (const [index, field] of fields.entries()) assign(String(index), field, shell);
	const rest = fields.slice(1);
	const all = {
		text: rest.map((field) => field.text).join(" "),
		fetched: rest.some((field) => field.fetched),
	};
	for (const name of ["@", "*"]) assign(name, all, shell);
}

/** Does what `cd` with these arguments does. */
export function changeFolder(args: Field[], shell: ShellState): void {
	const operand = args.find((field) => !/^-[LPe@]+$|^--$/.test(field.text))?.text;
	const target = operand ?? shell.vars.get("HOME")?.text ?? UNKNOWN;
	const computed = target === "-" || target.includes(UNKNOWN);
	shell.at.cwd = computed ? undefined : absolutePath(target, shell.at.cwd);
	assign("PWD", plainField(shell.at.cwd ?? UNKNOWN), shell);
}
