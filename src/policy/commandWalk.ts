// Walks a shell command and shows every call it would make, behind wrappers, nested shells, substitutions, functions
// and pipes too. Judges nothing; what cannot be followed is told as unclear, never left out in silence.

import {
	forEachChild,
	parse,
	type Redirection,
	type Command as SimpleCommand,
	type SyntaxNode,
} from "unbash";
import { argumentsOf, closesDescriptor, setsVariable } from "./commandArguments.ts";
import { commandOutput } from "./commandOutput.ts";
import { readFind } from "./findCommand.ts";
import { type Interpretation, readInterpretation } from "./interpreters.ts";
import { type CommandPlaces, UNKNOWN } from "./places.ts";
import {
	assign,
	assignAll,
	assignPositionals,
	changeFolder,
	type ShellState,
	startState,
	subshell,
} from "./shellState.ts";
import {
	expandQuoted,
	expandUnsplit,
	expandWord,
	type Field,
	type Flow,
	PLAIN,
	plainField,
	type WordScope,
} from "./shellWords.ts";
import { unwrap, type Wrapped } from "./wrappers.ts";

/** One command with its arguments, as it would be started. */
export interface Call {
	/** Name without its folder; holds `UNKNOWN` where it is computed, empty where there are redirects alone. */
	name: string;
	/** The name's own field and the arguments. */
	argv: Field[];
	args: Field[];
	stdin: Flow;
	redirects: { target: Field; writes: boolean }[];
	/** Folder it runs in; undefined where it is computed. */
	cwd: string | undefined;
	/** It gets everything below a folder, one by one, as `find FOLDER -exec` does. */
	overTree: boolean;
}

/** Where a walk reports. */
export interface CallVisitor {
	visitCall(call: Call): void;
	/** A function that calls itself twice at a time, or in the background. */
	visitForkBomb(): void;
	/** Something could not be followed; `reason` completes "It cannot be judged: …". */
	visitUnclear(reason: string): void;
}

interface Shell extends ShellState {
	visitor: CallVisitor;
	/** Nodes that may still be walked; shared by all shells of a walk. */
	budget: { nodes: number };
	depth: number;
	/** Its commands get everything below a folder, one by one. */
	overTree: boolean;
}

const MAX_NODES = 50_000;
const MAX_DEPTH = 12;
const MAX_WRAPPERS = 40;

/** Shows every call of `source` to `visitor`, in the order of the text. */
export function walkCommand(source: string, places: CommandPlaces, visitor: CallVisitor): void {
	const budget = { nodes: MAX_NODES };
	walkText(source, { ...startState(places), visitor, budget, depth: 0, overTree: false }, PLAIN);
}

function walkText(text: string, shell: Shell, stdin: Flow): Flow {
	if (shell.depth > MAX_DEPTH) {
		shell.visitor.visitUnclear("it is nested too deep");
		return PLAIN;
	}
	return walk(parse(text), { ...shell, depth: shell.depth + 1 }, stdin);
}

function walk(node: SyntaxNode, shell: Shell, stdin: Flow): Flow {
	if (--shell.budget.nodes <= 0) {
		if (shell.budget.nodes === 0) shell.visitor.visitUnclear("it is too long");
		return PLAIN;
	}
	switch (node.type) {
		case "Script":
			if ("errors" in node && node.errors?.length)
				shell.visitor.visitUnclear("a shell would not understand it");
			return walkChildren(node, shell, stdin);
		case "Command":
			return walkSimple(node, shell, stdin);
		case "Pipeline": {
			const alone = node.commands.length === 1;
			return node.commands.reduce((flow, part) => walk(part, alone ? shell : subshell(shell), flow), stdin);
		}
		case "Redirected":
			return walkRedirected(node, shell, stdin);
		case "Subshell":
			return walk(node.body, subshell(shell), stdin);
		case "For": {
			const fields = (node.wordlist ?? []).flatMap((word) => expandWord(word, wordScope(shell)));
			walkSinks(fields, shell, PLAIN);
			const flows = (fields.length > 0 ? fields : [plainField(UNKNOWN)]).map((field) => {
				assign(node.name.value, field, shell);
				return walk(node.body, shell, stdin);
			});
			return { fetched: flows.some((flow) => flow.fetched) };
		}
		case "Function":
			shell.functions.set(node.name.value, node.body);
			if (isForkBomb(node.name.value, node.body)) shell.visitor.visitForkBomb();
			walk(node.body, subshell(shell), PLAIN);
			return PLAIN;
		case "Word":
			walkSinks(expandWord(node, wordScope(shell)), shell, PLAIN);
			return PLAIN;
		default:
			return walkChildren(node, shell, stdin);
	}
}

function walkChildren(node: SyntaxNode, shell: Shell, stdin: Flow): Flow {
	const flows = childrenOf(node).map((child) => walk(child, shell, stdin));
	return flows.length === 1 && flows[0] ? flows[0] : { fetched: flows.some((flow) => flow.fetched) };
}

function wordScope(shell: Shell): WordScope {
	return {
		vars: shell.vars,
		run: (script) => walk(script, subshell(shell), PLAIN),
		visit: (node) => void walk(node, subshell(shell), PLAIN),
		visitUnread: () => shell.visitor.visitUnclear("a word in it is not understood"),
	};
}

function walkSimple(node: SimpleCommand, outer: Shell, stdin: Flow): Flow {
	// Assignments before a command are its environment alone; without a command they stay.
	const isEnvironment = node.name !== undefined && node.prefix.some((part) => part.type === "Assignment");
	const shell = isEnvironment ? { ...outer, vars: new Map(outer.vars) } : outer;
	const scope = wordScope(outer);
	for (const part of node.prefix) {
		if (part.type !== "Assignment") continue;
		if (part.value.type === "Word") {
			const value = expandUnsplit(part.value, scope);
			walkSinks([value], outer, PLAIN);
			assign(part.name, value, shell);
		} else walk(part.value, outer, PLAIN);
		if (part.index) walk(part.index, outer, PLAIN);
	}
	const argv: Field[] = [];
	for (const arg of argumentsOf(node)) {
		const isAssignment = argv.length === 0 && arg !== node.name && setsVariable(arg);
		if (arg.type === "Word" && isAssignment) assignAll([expandUnsplit(arg, scope)], shell);
		else if (arg.type === "Word") argv.push(...expandWord(arg, scope));
		else if (arg.value.type === "Word") {
			const value = expandUnsplit(arg.value, scope);
			argv.push({ ...value, text: `${arg.name}=${value.text}` });
		} else walk(arg.value, outer, PLAIN);
	}
	const { shown, input } = readRedirects(node.redirects, outer);
	const flow = runArgv({ argv, stdin: input ?? stdin, redirects: shown }, shell);
	walkSinks([...argv, ...shown.map((redirect) => redirect.target)], outer, flow);
	return flow;
}

function walkRedirected(node: Extract<SyntaxNode, { type: "Redirected" }>, shell: Shell, stdin: Flow): Flow {
	const { shown, input } = readRedirects(node.redirects, shell);
	showCall({ argv: [], stdin, redirects: shown }, shell);
	const flow = walk(node.command, shell, input ?? stdin);
	walkSinks(
		shown.map((redirect) => redirect.target),
		shell,
		flow,
	);
	return flow;
}

/** Walks the scripts of `>(…)`, which read what the command writes. */
function walkSinks(fields: Field[], shell: Shell, flow: Flow): void {
	for (const { sink } of fields) if (sink) walk(sink, subshell(shell), flow);
}

/** The files that redirects name, and what the last one of them puts on standard input. */
function readRedirects(redirects: readonly Redirection[], shell: Shell) {
	const shown: Call["redirects"] = [];
	let input: Flow | undefined;
	const scope = wordScope(shell);
	for (const redirect of redirects) {
		if (redirect.type === "HereDoc") {
			const { parts, text } = redirect.body;
			const body = parts ? expandQuoted(parts, scope) : plainField(text);
			input = { fetched: body.fetched, text: body.text };
			continue;
		}
		if (!redirect.target || closesDescriptor(redirect)) continue;
		const target = expandUnsplit(redirect.target, scope);
		if (redirect.type === "HereString") {
			walkSinks([target], shell, PLAIN);
			input = { fetched: target.fetched, text: target.text };
		} else if (!redirect.operator.endsWith("&") || !/^\d+-?$/.test(target.text)) {
			const reads = redirect.operator === "<" || redirect.operator === "<&";
			shown.push({ target, writes: !reads });
			if (reads) input = target.file ?? { fetched: target.fetched };
		}
	}
	return { shown, input };
}

type Start = Pick<Call, "argv" | "stdin" | "redirects"> & { overTree?: boolean; wrappers?: number };

function showCall(start: Start, shell: Shell): Call {
	const [first, ...args] = start.argv;
	const name = first?.text.split("/").at(-1) ?? "";
	const { argv, stdin, redirects, overTree = shell.overTree } = start;
	const call = { name, argv, args, stdin, redirects, overTree, cwd: shell.at.cwd };
	shell.visitor.visitCall(call);
	return call;
}

/** Shows a call, then whatever it runs in turn; returns what it writes. */
function runArgv(start: Start, shell: Shell): Flow {
	if ((start.argv.length === 0 && start.redirects.length === 0) || --shell.budget.nodes <= 0) return PLAIN;
	const call = showCall(start, shell);
	const { name, args, stdin } = call;
	const body = shell.functions.get(name);
	if (body) return callFunction(body, args, shell, stdin);
	const wrapped = unwrap(name, args, stdin);
	if (wrapped.length > 0) return runWrapped(wrapped, call, (start.wrappers ?? 0) + 1, shell);
	if (name === "find") return runFind(call, shell);
	const interpretation = readInterpretation(name, args);
	if (interpretation?.language === "shell") return runShell(interpretation, call, shell);
	return runBuiltin(call, shell);
}

function runWrapped(
	wrapped: Wrapped[],
	{ name, stdin, ...call }: Call,
	wrappers: number,
	shell: Shell,
): Flow {
	if (wrappers > MAX_WRAPPERS) {
		shell.visitor.visitUnclear("it is nested too deep");
		return PLAIN;
	}
	const overTree = call.overTree || (name === "xargs" && stdin.tree === true);
	const flows = wrapped.map((inner) =>
		"script" in inner
			? walkText(inner.script.text, subshell(shell), stdin)
			: runArgv({ argv: inner.argv, stdin, redirects: [], overTree, wrappers }, shell),
	);
	return flows.length === 1 && flows[0] ? flows[0] : { fetched: flows.some((flow) => flow.fetched) };
}

function callFunction(body: SyntaxNode, args: Field[], shell: Shell, stdin: Flow): Flow {
	if (shell.depth > MAX_DEPTH) return PLAIN;
	const inner = { ...subshell(shell), depth: shell.depth + 1 };
	assignPositionals([plainField("bash"), ...args], inner);
	return walk(body, inner, stdin);
}

function runFind(call: Call, shell: Shell): Flow {
	const { execs, starts, narrowed } = readFind(call.args);
	for (const argv of execs)
		runArgv({ argv, stdin: PLAIN, redirects: [], overTree: shell.overTree || !narrowed }, shell);
	if (narrowed) return PLAIN;
	return { fetched: false, text: starts.map((field) => field.text).join("\n"), tree: true };
}

function runShell({ code, file, fromStdin, rest }: Interpretation, call: Call, shell: Shell): Flow {
	const inner = { ...subshell(shell), overTree: call.overTree };
	assignPositionals(code ? rest : [plainField(call.name), ...rest], inner);
	const text = code?.text ?? file?.file?.text ?? (fromStdin ? call.stdin.text : undefined);
	return text === undefined ? PLAIN : walkText(text, inner, fromStdin ? PLAIN : call.stdin);
}

/** Commands that change the shell itself or run text in it. */
function runBuiltin(call: Call, shell: Shell): Flow {
	const { name, args, stdin } = call;
	switch (name) {
		case "cd":
		case "pushd":
			changeFolder(args, shell);
			return PLAIN;
		case "export":
		case "declare":
		case "local":
		case "readonly":
		case "typeset":
			assignAll(args, shell);
			return PLAIN;
		case "read":
			for (const arg of args) assign(arg.text, { text: UNKNOWN, fetched: stdin.fetched }, shell);
			return PLAIN;
		case "eval":
			return walkText(args.map((field) => field.text).join(" "), shell, stdin);
		case "trap":
			return args[0] ? walkText(args[0].text, subshell(shell), PLAIN) : PLAIN;
		case "alias":
			for (const arg of args) walkText(arg.text.replace(/^[^=]*=/, ""), subshell(shell), PLAIN);
			return PLAIN;
		case "source":
		case ".": {
			const text = args[0]?.text === "/dev/stdin" ? stdin.text : args[0]?.file?.text;
			return text === undefined ? PLAIN : walkText(text, shell, stdin);
		}
		case "pwd":
			return { fetched: false, ...(call.cwd !== undefined && { text: call.cwd }) };
		default:
			return commandOutput(name, args, stdin);
	}
}

function isForkBomb(name: string, body: SyntaxNode): boolean {
	const callsItself = (node: SyntaxNode): boolean =>
		(node.type === "Command" && node.name?.value === name) || childrenOf(node).some(callsItself);
	if (body.type === "Pipeline" && body.commands.filter(callsItself).length > 1) return true;
	if (body.type === "Statement" && body.background === true && callsItself(body.command)) return true;
	return childrenOf(body).some((child) => isForkBomb(name, child));
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
	const children: SyntaxNode[] = [];
	forEachChild(node, (child) => children.push(child));
	return children;
}
