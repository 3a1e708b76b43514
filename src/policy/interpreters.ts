// Which programs run text as a program, and where in their arguments that text stands. Judges nothing.

import type { Field } from "./shellWords.ts";

/** How an interpreter was called. */
export interface Interpretation {
	language: "shell" | "other";
	/** The program given as an argument, as with `-c` or `-e`. */
	code?: Field;
	/** The file that holds the program. */
	file?: Field;
	/** Arguments of the program, `$0` first where it was given with `-c`. */
	rest: Field[];
	/** The program is read from standard input. */
	fromStdin: boolean;
}

interface Family {
	names: RegExp;
	/** Matches the option before the code; its first group holds code that is glued to it. */
	code: RegExp;
	/** Options that take the next argument as their value. */
	valued: RegExp;
}

const SHELL = /^(ba|z|da|k|mk|pdk|fi|a|c|tc|rba)?sh(-?\d[\d.]*)?$/;

const FAMILIES: Family[] = [
	{ names: /^(python|pypy|micropython)[\d.]*$/, code: /^-[a-zA-Z]*?c(.*)$/s, valued: /^-[WX]$/ },
	{
		names: /^(node|nodejs|bun|tsx|ts-node)$/,
		code: /^(?:-e|-p|-pe|--eval|--print)(?:=(.*))?$/s,
		valued: /^(-r|-C|--require|--import|--loader|--conditions|--env-file)$/,
	},
	{ names: /^(perl|ruby)[\d.]*$/, code: /^-[0-9anplwsiWS]*?[eE](.*)$/s, valued: /^-[IrC]$/ },
	{ names: /^php[\d.]*$/, code: /^-[rRBE](.*)$/s, valued: /^-[cdz]$/ },
	{ names: /^(lua[\d.]*|luajit|osascript|Rscript|R)$/, code: /^-l?e(.*)$/s, valued: /^-l$/ },
	{ names: /^(pwsh|powershell)(\.exe)?$/i, code: /^-(?:c|command|enc|encodedcommand)()$/i, valued: /^-f$/i },
	{ names: /^deno$/, code: /^eval()$/, valued: /^run$/ },
];

/** Whether `name`, without its folder, is a shell. */
function isShell(name: string): boolean {
	return SHELL.test(name);
}

/** How `name` with `args` runs a program; undefined where `name` is no interpreter. */
export function readInterpretation(name: string, args: Field[]): Interpretation | undefined {
	if (isShell(name)) return readShell(args);
	const family = FAMILIES.find((candidate) => candidate.names.test(name));
	return family && readOther(args, family);
}

function readShell(args: Field[]): Interpretation {
	let [isCode, isStdin, at] = [false, false, 0];
	for (; at < args.length; at++) {
		const option = args[at]!.text;
		if (option === "--" || option === "-") {
			at++;
			break;
		}
		if (!/^[-+]./.test(option)) break;
		if (/^-[a-zA-Z]*c/.test(option)) isCode = true;
		if (/^-[a-zA-Z]*s/.test(option)) isStdin = true;
		if (/^([-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(option)) at++;
	}
	const [first, ...rest] = args.slice(at);
	if (isCode) return { language: "shell", rest, fromStdin: false, ...(first && { code: first }) };
	if (isStdin || !first || isStdinName(first.text)) {
		return { language: "shell", rest: args.slice(at), fromStdin: true };
	}
	return { language: "shell", rest, fromStdin: false, file: first };
}

function readOther(args: Field[], family: Family): Interpretation {
	for (let at = 0; at < args.length; at++) {
		const arg = args[at]!;
		const glued = family.code.exec(arg.text);
		if (glued) {
			const code = glued[1] ? { ...arg, text: glued[1] } : args[at + 1];
			const rest = args.slice(at + (glued[1] ? 1 : 2));
			return { language: "other", rest, fromStdin: false, ...(code && { code }) };
		}
		if (family.valued.test(arg.text)) at++;
		else if (/^-m$|^--version$|^-[vV]$|^--help$|^-h$|^--test$|^--run(=|$)/.test(arg.text)) {
			return { language: "other", rest: args.slice(at + 1), fromStdin: false };
		} else if (isStdinName(arg.text)) break;
		else if (!arg.text.startsWith("-")) {
			return { language: "other", rest: args.slice(at + 1), fromStdin: false, file: arg };
		}
	}
	return { language: "other", rest: [], fromStdin: true };
}

function isStdinName(text: string): boolean {
	return /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(text);
}
