// What a `find` command walks and does to what it finds. Judges nothing.

import { UNKNOWN } from "./places.ts";
import { type Field, plainField } from "./shellWords.ts";

/** A `find` command as read. */
export interface FindCommand {
	/** The folders it starts in, `.` where none is named. */
	starts: Field[];
	/** A test picks some of what is below the starts; false where everything is found. */
	narrowed: boolean;
	deletes: boolean;
	/** Commands it runs, `{}` replaced by each start, or by `UNKNOWN` where the search is narrowed. */
	execs: Field[][];
}

const NARROWING =
	/^-(i?l?name|i?path|i?wholename|i?regex|[acm](min|time)|newer\w*|anewer|cnewer|size|empty|user|group|uid|gid|perm|inum|links|samefile|nouser|nogroup)$/;

/** Reads the arguments of `find`. */
export function readFind(args: Field[]): FindCommand {
	let first = 0;
	while (/^(-[HLP]|-O\d?|-D)$/.test(args[first]?.text ?? "")) first += args[first]!.text === "-D" ? 2 : 1;
	const firstTest = args.findIndex(({ text }, at) => at >= first && /^(-.+|[!(),])$/.test(text));
	const end = firstTest < 0 ? args.length : firstTest;
	const starts = args.slice(first, end);
	const tests = args.slice(end);
	const narrowed = tests.some((field, at) => narrows(field.text, tests[at + 1]?.text, tests[at - 1]?.text));
	const roots = starts.length > 0 ? starts : [plainField(".")];
	return {
		starts: roots,
		narrowed,
		deletes: tests.some((field) => field.text === "-delete"),
		execs: tests.flatMap((field, at) =>
			/^-(exec|ok)(dir)?$/.test(field.text) ? readExec(tests.slice(at + 1), narrowed ? [] : roots) : [],
		),
	};
}

function narrows(test: string, value: string | undefined, before: string | undefined): boolean {
	return NARROWING.test(test) && before !== "!" && before !== "-not" && !/^[*./]*$/.test(value ?? "");
}

function readExec(rest: Field[], starts: Field[]): Field[][] {
	const end = rest.findIndex((field) => field.text === ";" || field.text === "+");
	const argv = end < 0 ? rest : rest.slice(0, end);
	const found = starts.length > 0 ? starts.map((start) => start.text) : [UNKNOWN];
	return found.map((start) =>
		argv.map((field) => ({ ...field, text: field.text.replaceAll("{}", () => start) })),
	);
}
