// Commands that are known only to read: which options keep them so, and which of their words are paths. A list of what
// is known, never of what is feared: a command or an option that is not here is not judged read-only.

import type { Part, PartWord } from "./commandParts.ts";

/** Every file, or those that no dot hides by its own name or by that of a folder. */
export type Searched = "all" | "unhidden";

/** A part that only reads. Where its paths lead is for others to find out. */
export interface ReadOnlyPart {
	/** Words that name files or folders, as written. */
	paths: PartWord[];
	/** Which files below its folders it looks into; absent: none. */
	searched?: Searched;
	/** It runs what a repository configures, so it is harmless only where a sandbox confines it. */
	needsSandbox: boolean;
}

interface Reader {
	/** Letters of short options that keep it harmless; absent: every letter does. */
	short?: string;
	/** Long options, without dashes, that keep it harmless, written out; absent: each that names no file. */
	long?: string;
	/** What its operands are. `pattern`: a text first, then files. Default `files`. */
	operands?: "files" | "text" | "pattern";
	/** Operands at most. */
	most?: number;
	/** Short options whose value is the next word. */
	valued?: string;
	searched?(options: readonly string[]): Searched | undefined;
}

const TEXT: Reader = { operands: "text" };
const FILES: Reader = {};
/** Any of these letters; their long options may name other files, so only a few are known. */
const letters = (short: string, long = "", valued = ""): Reader => ({ short, long, valued });

const READERS: Record<string, Reader> = {
	pwd: TEXT,
	true: TEXT,
	false: TEXT,
	whoami: TEXT,
	id: TEXT,
	uname: TEXT,
	nproc: TEXT,
	basename: TEXT,
	dirname: TEXT,
	which: TEXT,
	echo: TEXT,
	printf: { operands: "text", short: "", long: "" },
	tr: TEXT,
	ls: FILES,
	cat: FILES,
	head: FILES,
	tail: letters("0123456789ncqvz", "lines bytes quiet silent verbose", "nc"),
	wc: letters("clmLw", "bytes chars lines words max-line-length"),
	nl: FILES,
	tac: FILES,
	rev: FILES,
	cut: letters(
		"bcdfnsz",
		"bytes characters delimiter fields complement only-delimited output-delimiter",
		"bcdf",
	),
	paste: letters("dsz", "delimiters serial", "d"),
	comm: letters("123z", "check-order nocheck-order total"),
	cmp: letters("blns", "print-bytes bytes verbose quiet silent", "n"),
	diff: {
		...letters(
			"0123456789abBcdeEiqrsuUwyNptZ",
			"brief unified ignore-all-space ignore-case recursive side-by-side",
			"U",
		),
		// Of two folders it compares the files, without -r those right in them.
		searched: () => "all",
	},
	stat: letters("cfLt", "format printf dereference terse", "c"),
	file: letters("biLh", "brief mime mime-type mime-encoding dereference"),
	du: letters("0abcdhHklmsSx", "all apparent-size bytes total max-depth human-readable summarize", "d"),
	df: letters("ahHiklPT", "all human-readable inodes local portability print-type"),
	realpath: letters("ezmLPqs", "canonicalize-existing canonicalize-missing strip quiet"),
	readlink: letters("fenmqsvz", "canonicalize canonicalize-existing canonicalize-missing no-newline"),
	sha1sum: letters("bt", "binary text tag"),
	sha224sum: letters("bt", "binary text tag"),
	sha256sum: letters("bt", "binary text tag"),
	sha384sum: letters("bt", "binary text tag"),
	sha512sum: letters("bt", "binary text tag"),
	md5sum: letters("bt", "binary text tag"),
	od: letters("AabcdfijlNostvwx", "address-radix skip-bytes read-bytes format output-duplicates", "AjNt"),
	strings: letters("afntos", "all bytes radix", "nt"),
	column: letters("tscNRoxnLe", "table separator", "scNRo"),
	grep: {
		...letters(
			"0123456789abcEFGhHiIlLmnoPqrsUvVwxyzZABCe",
			"ignore-case line-number files-with-matches files-without-match count only-matching invert-match word-regexp line-regexp extended-regexp fixed-strings perl-regexp recursive include exclude exclude-dir color colour context after-context before-context max-count no-filename with-filename no-messages quiet silent text binary-files regexp null",
			"ABCme",
		),
		operands: "pattern",
		searched: (options) =>
			options.some((option) => /^(-[A-Za-z0-9]*r|--recursive)/.test(option)) ? "all" : undefined,
	},
	rg: {
		...letters(
			"0123456789abcFHhIilnNoPpqsSUuvVwxABCegtTmM",
			"ignore-case line-number files-with-matches files-without-match count count-matches only-matching invert-match word-regexp line-regexp fixed-strings pcre2 multiline glob iglob type type-not type-list files hidden no-ignore no-heading heading color colors context after-context before-context max-count max-depth max-columns no-filename with-filename no-messages quiet sort sortr stats trim json case-sensitive smart-case regexp vimgrep column no-line-number null",
			"ABCegtTmM",
		),
		operands: "pattern",
		searched(options) {
			if (options.includes("--files")) return undefined;
			return options.some((option) => /^(-[A-Za-z0-9]*u|--hidden)/.test(option)) ? "all" : "unhidden";
		},
	},
	fd: {
		...letters(
			"0123456789aEHIdegilpstuF",
			"hidden no-ignore case-sensitive ignore-case glob regex fixed-strings absolute-path list-details full-path exclude type extension max-depth min-depth size color",
			"Edet",
		),
		operands: "pattern",
	},
	sort: letters(
		"bcCdfghikmMnrRstuVz",
		"ignore-case numeric-sort reverse unique key field-separator stable human-numeric-sort version-sort general-numeric-sort month-sort ignore-leading-blanks dictionary-order check zero-terminated",
		"kt",
	),
	uniq: {
		...letters(
			"0123456789cdDfisuwz",
			"count repeated ignore-case unique skip-fields skip-chars check-chars all-repeated",
			"fsw",
		),
		most: 1,
	},
	tree: letters("0123456789adfhiIlLnpPqrstuvDFJSX", "dirsfirst noreport prune gitignore du charset", "LIP"),
};

/** Judges one part; undefined where it is not known to be read-only. `isMoved`: an earlier part changed the folder. */
export function readOnlyPart(part: Part, isMoved: boolean): ReadOnlyPart | undefined {
	const [first, ...rest] = part.words;
	const name = first!.text;
	const read = findReader(name, rest);
	if (!read) return undefined;
	// Relative words lead elsewhere after a `cd`, through links perhaps.
	if (isMoved && read.paths.some(({ text }) => !text.startsWith("/"))) return undefined;
	return read;
}

function findReader(name: string, args: PartWord[]): ReadOnlyPart | undefined {
	if (name === "find") return readFindPart(args);
	if (name === "sed") return readSed(args);
	if (name === "git") return readGit(args);
	const reader = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
	return reader && readWith(reader, args);
}

const HARMLESS = { needsSandbox: false };

function readWith(reader: Reader, args: PartWord[]): ReadOnlyPart | undefined {
	// What a pattern finds is told, though no file is read.
	const patterned = args.filter(({ isGlob }) => isGlob);
	if (reader.operands === "text" && reader.short === undefined) return { paths: patterned, ...HARMLESS };
	// A name that a pattern finds may begin with a dash and be an option; only a word before it keeps it from that.
	if (args.some(({ text, isGlob }) => isGlob && /^[*?[]/.test(text)) && reader.short !== undefined)
		return undefined;
	const { options, operands, patterns } = splitArguments(args, reader.valued ?? "");
	if (!options.every((option) => isHarmless(option, reader))) return undefined;
	// One pattern may become many words, and the second operand of some is written to.
	if (reader.most !== undefined && (operands.length > reader.most || operands.some(({ isGlob }) => isGlob)))
		return undefined;
	const hasPattern = reader.operands === "pattern" && patterns === 0 && !options.includes("--files");
	const files = hasPattern ? operands.slice(1) : operands;
	const paths = reader.operands === "text" ? patterned : files;
	// `strings @FILE` reads more arguments out of a file.
	if (paths.some(({ text }) => text.startsWith("@"))) return undefined;
	const searched = reader.searched?.(options);
	return { ...HARMLESS, paths, ...(searched === undefined ? {} : { searched }) };
}

/** Options, their values left out, and operands; all words behind `--` are operands. */
function splitArguments(args: PartWord[], valued: string) {
	const options: string[] = [];
	const operands: PartWord[] = [];
	let patterns = 0;
	for (let at = 0; at < args.length; at++) {
		const { text } = args[at]!;
		if (text === "--") return { options, operands: [...operands, ...args.slice(at + 1)], patterns };
		if (!/^-./.test(text)) {
			operands.push(args[at]!);
			continue;
		}
		options.push(text);
		if (/^(-[A-Za-z0-9]*e|--regexp)/.test(text)) patterns++;
		const letter = [...text.slice(1)].findIndex((char) => valued.includes(char));
		if (!text.startsWith("--") && letter >= 0 && letter === text.length - 2) at++;
	}
	return { options, operands, patterns };
}

function isHarmless(option: string, reader: Reader): boolean {
	if (option.startsWith("--")) {
		const [name = ""] = option.slice(2).split("=", 1);
		const value = option.slice(3 + name.length);
		if (reader.long === undefined)
			return !/file|from|path|exec|command|program|output/.test(name) && !value.includes("/");
		return reader.long.split(" ").includes(name);
	}
	if (reader.short === undefined) return !option.includes("/");
	const valued = reader.valued ?? "";
	for (const char of option.slice(1)) {
		if (!reader.short.includes(char)) return false;
		if (valued.includes(char)) return true;
	}
	return true;
}

const FIND_TESTS =
	/^-(i?name|i?path|i?wholename|i?regex|regextype|type|xtype|size|empty|[acm](min|time)|newer|perm|user|group|links|maxdepth|mindepth|depth|prune|print|print0|printf|ls|not|and|or|a|o|true|false|mount|xdev|readable|writable|executable|quit|daystart)$/;

function readFindPart(args: PartWord[]): ReadOnlyPart | undefined {
	if (args.some(({ text, isGlob }) => isGlob && /^[*?[]/.test(text))) return undefined;
	const first = args.findIndex(({ text }) => text.startsWith("-") || text === "!");
	const paths = first < 0 ? args : args.slice(0, first);
	const tests = first < 0 ? [] : args.slice(first).map(({ text }) => text);
	// `-newer FILE` tells no more of a file than its age.
	if (tests.some((test) => test.startsWith("-") && !FIND_TESTS.test(test) && !/^-\d+[a-zA-Z]?$/.test(test)))
		return undefined;
	return { ...HARMLESS, paths };
}

/** `sed -n 5p FILE` and `sed -n 5,9p FILE`: every other script may write or run. */
function readSed(args: PartWord[]): ReadOnlyPart | undefined {
	const [option, script, ...paths] = args;
	if (option?.text !== "-n" || !/^(\d+|\$)(,(\d+|\$))?p$/.test(script?.text ?? "")) return undefined;
	if (paths.some(({ text, isGlob }) => text.startsWith("-") || (isGlob && /^[*?[]/.test(text))))
		return undefined;
	return { ...HARMLESS, paths };
}

const GIT_READS = /^(status|diff|log|show|blame|ls-files|rev-parse|branch)$/;
/** Options that run programs, write files or look elsewhere; git takes every clear beginning of a long one. */
const GIT_RISKS = /^--(ou|ex[te]|textc|no-ind|con|ignore-revs|open|pathspec-f)|^-[A-Za-z]*[OX]/;
const BRANCH_LISTS =
	/^(--list|-l|-a|-r|-v|-vv|-av|-avv|--all|--remotes|--verbose|--show-current|--merged|--no-merged|--sort=[\w:-]+|--format=.*|--no-color)$/;

function readGit(args: PartWord[]): ReadOnlyPart | undefined {
	const from = args[0]?.text === "--no-pager" ? 1 : 0;
	const command = args[from]?.text ?? "";
	const rest = args.slice(from + 1);
	if (!GIT_READS.test(command)) return undefined;
	if (rest.some(({ text, isGlob }) => GIT_RISKS.test(text) || (isGlob && /^[*?[]/.test(text))))
		return undefined;
	if (command === "branch" && !rest.every(({ text }) => BRANCH_LISTS.test(text))) return undefined;
	const paths = rest
		.filter(({ text }) => !/^-./.test(text))
		.flatMap((word) =>
			word.text.includes(":")
				? [word, { ...word, text: word.text.slice(word.text.indexOf(":") + 1) }]
				: [word],
		)
		.filter(({ text }) => text !== "");
	return { needsSandbox: true, paths };
}
