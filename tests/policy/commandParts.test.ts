// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are words of the shell.
// The parts of a command against bash itself: whatever is read as plain parts, bash starts those words and no others.

import { describe, expect, it } from "vitest";
import { readParts } from "../../src/policy/commandParts.ts";
import { observeLines } from "../support/bashOracle.ts";

/** Lines of the long run are set by FUZZ_LINES; the seed is fixed, so that a failure comes back. */
const LINES = Number(process.env["FUZZ_LINES"] ?? 2_000);

describe("readParts", () => {
	it.each([
		["ls -la 'a b' \"c d\"", ["ls -la a b c d"]],
		["git status && npm test | cat", ["git status", "npm test", "cat"]],
		["ls; ls\nls || ls # rm", ["ls", "ls", "ls", "ls"]],
		["ls 2>&1 >/dev/null", ["ls"]],
		["ls 2>/dev/null 2>&-", ["ls"]],
	])("splits %j", (command, parts) => {
		const read = readParts(command);
		expect(
			read.kind === "plain" ? read.parts.map(({ words }) => words.map(({ text }) => text).join(" ")) : read,
		).toEqual(parts);
	});

	it.each(
		[
			"ls && rm -rf ~",
			"ls\r\nrm x",
			"echo `rm x`",
			"ls & rm x",
			"echo $(rm x)",
			'echo "$(curl e)"',
			'echo "${x:-`rm y`}"',
			"cat <(curl e)",
			"echo ${x:-$(rm y)}",
			"echo $((`rm x`))",
			"ls ${a[$(rm x)]}",
			'cat <<< "$(rm x)"',
			"cat <<E\n$(rm x)\nE",
			"echo > ~/.bashrc",
			"ls 2>/dev/tcp/h/1",
			"PATH=/tmp/e:$PATH ls",
			"LD_PRELOAD=e ls",
			"x=(a $(rm y)); ls",
			"ls(){ rm x; }; ls",
			"{ ls; rm x; }",
			"coproc rm x",
			"time rm x",
			"$'\\x72m' x",
			'ls "unterm\nrm x',
			"git status; }",
			"ls;\u200brm x",
			"! ls",
			"ls |& cat",
			"(ls)",
			"if true; then ls; fi",
			"for f in *; do ls; done",
			"[[ -f x ]]",
			"ls >x",
			"ls >>x",
			"ls >|x",
			"ls >&x",
			"ls &>x",
			"ls <x",
			"ls 1<>x",
			"ls 3>/dev/null",
			"ls {a,b}",
			"ls a\\ b",
			"*.sh",
			"export A=b",
			"",
			"# only words",
			"ls \x1b[2K",
		].map((line) => [line]),
	)("is opaque to %j", (command) => {
		expect(readParts(command).kind).toBe("opaque");
	});

	it("is checked against an oracle that sees hidden calls and written files", () => {
		const [hidden, writes, tame] = observeLines(["ls $(rm x)", "ls > out", "ls 'a b'"]);
		expect(hidden!.calls).toContainEqual(["rm", "x"]);
		expect(writes).toEqual({ calls: [["ls"]], wrote: true });
		expect(tame).toEqual({ calls: [["ls", "a b"]], wrote: false });
	});

	it(`agrees with bash on ${LINES} made-up lines`, { timeout: 900_000 }, () => {
		const lines = madeUpLines(LINES);
		const plain = lines.flatMap((line) => {
			const read = readParts(line);
			return read.kind === "plain" ? [{ line, parts: read.parts }] : [];
		});
		// A reader that calls everything opaque would agree, too.
		expect(plain.length).toBeGreaterThan(LINES / 10);
		const observed = observeLines(plain.map(({ line }) => line));
		expect(observed.flatMap(({ calls }) => calls).length).toBeGreaterThan(plain.length / 2);
		const wrong = plain.flatMap(({ line, parts }, at) => {
			const known = parts.map(({ words }) => words.map(({ text }) => text));
			const strange = observed[at]!.calls.filter((call) => !known.some((words) => isSame(words, call)));
			return strange.length > 0 || observed[at]!.wrote ? [{ line, strange, wrote: observed[at]!.wrote }] : [];
		});
		expect(wrong).toEqual([]);
	});
});

/** In an empty folder a pattern finds nothing and stands for itself, so words can be compared one by one. */
function isSame(words: readonly string[], call: readonly string[]): boolean {
	return words.length === call.length && words.every((word, at) => word === call[at]);
}

const PIECES = (
	"ls cat rm git grep find x y -la -rf --all a.txt src/b.ts ./c 'q r' \"s t\" \"\" '' 'it''s' a\"b\"c *.md [ab] ? " +
	"&& || ; | && || ; | \n # 2>&1 >/dev/null 2>/dev/null 2>&- >&- > >> < & |& ! ( ) { } $ $x ${y} $(rm) ` ~ ~/z \\ \\\n " +
	'"$x" "`rm`" \'$x\' a=b A=1 == =x x= @ + ^ % , : . .. - -- if then fi for do done case esac while time function [[ ]] (( )) ' +
	"<<< <( << EOF \t \r \u200b é 日 1>x 3>&1 >|f &>f a#b #c *'x' {a,b} {1..3} !x !! ;; ;& coproc select until in"
).split(" ");

function madeUpLines(count: number): string[] {
	const random = mulberry32(20_261_129);
	const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)]!;
	const words = PIECES.slice(0, 24);
	return Array.from({ length: count }, () => {
		// Most lines are tame with one or two wild pieces: those are the ones that a reader may get wrong.
		const length = 1 + Math.floor(random() * 9);
		const wildness = random() * 0.6;
		const glue = random() < 0.85 ? " " : "";
		return Array.from({ length }, () => pick(random() < wildness ? PIECES : words)).join(glue);
	});
}

function mulberry32(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
