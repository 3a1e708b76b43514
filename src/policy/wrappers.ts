// Commands that run another command: where that other command stands in their arguments. Used to find harm behind
// them, never to excuse anything.

import { UNKNOWN } from "./places.ts";
import { type Field, type Flow, plainField } from "./shellWords.ts";

/** What a wrapper runs: a command of its own, or shell text. */
export type Wrapped = { argv: Field[] } | { script: Field };

interface Wrapper {
	/** Short options that take a value. */
	valued?: string;
	/** Long options whose value may be the next argument. */
	long?: string[];
	/** Operands of its own before the command. */
	operands?: number;
	/** Option whose value is shell text. */
	script?: RegExp;
	/** It joins its operands to shell text. */
	joins?: boolean;
}

const WRAPPERS: Record<string, Wrapper> = {
	builtin: {},
	busybox: {},
	caffeinate: { valued: "tw" },
	chroot: { operands: 1, long: ["--userspec", "--groups"] },
	chrt: { operands: 1, valued: "TPD" },
	command: {},
	doas: { valued: "uC" },
	env: { valued: "uC", long: ["--unset", "--chdir"], script: /^(?:-[iv0]*S|--split-string=?)(.*)$/s },
	exec: { valued: "a" },
	flock: { operands: 1, valued: "wE", script: /^-c()$/ },
	ionice: { valued: "cnpPu" },
	nice: { valued: "n", long: ["--adjustment"] },
	nohup: {},
	nsenter: { valued: "tSG" },
	pkexec: { long: ["--user"] },
	run0: { valued: "ugD" },
	runuser: { valued: "ugGs", script: /^(?:-c|--command=?)(.*)$/s },
	script: { valued: "EmoTtIO", script: /^(?:-[a-z]*c|--command=?)(.*)$/s },
	setsid: {},
	stdbuf: { valued: "ioe" },
	strace: { valued: "abeoOpPsSuUX" },
	su: { valued: "gGsw", script: /^(?:-c|--command=?)(.*)$/s },
	sudo: { valued: "ugpCDhRrTtU", long: ["--user", "--group", "--prompt", "--chdir", "--host"] },
	taskset: { operands: 1 },
	time: { valued: "fo" },
	timeout: { operands: 1, valued: "ks", long: ["--kill-after", "--signal"] },
	toybox: {},
	unbuffer: {},
	unshare: { valued: "SG" },
	watch: { valued: "nq", long: ["--interval"], joins: true },
};

const XARGS: Wrapper = {
	valued: "aEdILnPs",
	long: ["--arg-file", "--delimiter", "--max-args", "--max-procs"],
};

/** Everything that `name` with `args` may run, `stdin` flowing in; empty where it is no wrapper or runs nothing. */
export function unwrap(name: string, args: Field[], stdin: Flow): Wrapped[] {
	if (name === "xargs" || name === "parallel") return unwrapXargs(args, stdin);
	const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
	if (!wrapper || (name === "command" && /^-[vV]$/.test(args[0]?.text ?? ""))) return [];
	const found: Wrapped[] = [];
	// `su NAME -c TEXT` and `flock FILE -c TEXT` have it behind an operand, so it is looked for everywhere.
	const script = wrapper.script && findScript(args, wrapper.script);
	if (script) found.push({ script });
	let at = skipOptions(args, wrapper);
	if (name !== "exec") while (/^\w+=/.test(args[at]?.text ?? "")) at++;
	const argv = args.slice(at + (wrapper.operands ?? 0));
	if (argv.length > 0)
		found.push(wrapper.joins || /\s/.test(argv[0]!.text) ? { script: join(argv) } : { argv });
	return found;
}

function join(argv: Field[]): Field {
	return { text: argv.map((field) => field.text).join(" "), fetched: argv.some((field) => field.fetched) };
}

/** The arguments with which `xargs` calls its command: what flows in stands for the placeholder or at the end. */
function unwrapXargs(args: Field[], stdin: Flow): Wrapped[] {
	const argv = args.slice(skipOptions(args, XARGS));
	if (argv.length === 0) return [];
	const placeholder = findPlaceholder(args.slice(0, args.length - argv.length));
	const { text = UNKNOWN, fetched } = stdin;
	if (placeholder === undefined) {
		const added = text.split(/\s+/).filter((word) => word !== "");
		return [{ argv: [...argv, ...added.map((word) => ({ ...plainField(word), fetched }))] }];
	}
	const filled = argv.map((field) => {
		if (!field.text.includes(placeholder)) return field;
		return { text: field.text.replaceAll(placeholder, () => text.trim()), fetched: field.fetched || fetched };
	});
	return [{ argv: filled }];
}

function findPlaceholder(options: Field[]): string | undefined {
	for (const [index, { text }] of options.entries()) {
		if (text === "-I") return options[index + 1]?.text;
		const glued = /^(?:-I|-i|--replace=?)(.*)$/s.exec(text);
		if (glued) return glued[1] || "{}";
	}
	return undefined;
}

function findScript(args: Field[], option: RegExp): Field | undefined {
	for (const [index, field] of args.entries()) {
		const hit = option.exec(field.text);
		if (hit) return hit[1] ? { ...field, text: hit[1] } : args[index + 1];
	}
	return undefined;
}

function skipOptions(args: Field[], wrapper: Wrapper): number {
	let at = 0;
	while (at < args.length) {
		const option = args[at]!.text;
		if (option === "--") return at + 1;
		if (!/^-./.test(option)) return at;
		if (option.startsWith("--")) at += wrapper.long?.includes(option) ? 2 : 1;
		else at += takesNext(option, wrapper.valued ?? "") ? 2 : 1;
	}
	return at;
}

/** Whether the last letter of a short cluster takes the next argument, no earlier letter having taken the rest. */
function takesNext(cluster: string, valued: string): boolean {
	for (let at = 1; at < cluster.length; at++) {
		if (valued.includes(cluster[at]!)) return at === cluster.length - 1;
	}
	return false;
}
