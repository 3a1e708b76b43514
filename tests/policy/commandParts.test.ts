// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are words of the shell.
// The parts of a command against bash itself: whatever is read as plain parts, bash starts those words and no others,
// and the grammar of tree-sitter knows of no further command or written file, in branches that bash did not take either.

import { describe, expect, it } from "vitest";
import { readParts } from "../../src/policy/commandParts.ts";
import { observeLines } from "../support/bashOracle.ts";
import { madeUpLines } from "../support/madeUpLines.ts";
import { compareWithTree, loadTreeOracle } from "../support/treeSitterOracle.ts";

/** Lines of the long run are set by FUZZ_LINES. */
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
			"ls (",
			"ls (rm x",
			"ls ( function x",
			"ls \x1b[2K",
		].map((line) => [line]),
	)("is opaque to %j", (command) => {
		expect(readParts(command).kind).toBe("opaque");
	});

	it("refuses a long comment before a stray parenthesis in a moment", () => {
		expect(readParts(`ls ${"#".repeat(10_000)}\n(`).kind).toBe("opaque");
	});

	it("is checked against an oracle that sees hidden calls and written files", () => {
		const [hidden, writes, tame] = observeLines(["ls $(rm x)", "ls > out", "ls 'a b'"]);
		expect(hidden!.calls).toContainEqual(["rm", "x"]);
		expect(writes).toEqual({ calls: [["ls"]], wrote: true });
		expect(tame).toEqual({ calls: [["ls", "a b"]], wrote: false });
	});

	it(`agrees with bash on ${LINES} made-up lines`, { timeout: 900_000 }, () => {
		const plain = plainLines();
		// A reader that calls everything opaque would agree, too.
		expect(plain.length).toBeGreaterThan(LINES / 10);
		const observed = observeLines(plain.map(({ line }) => line));
		expect(observed.flatMap(({ calls }) => calls).length).toBeGreaterThan(plain.length / 2);
		const wrong = plain.flatMap(({ line, commands }, at) => {
			const strange = observed[at]!.calls.filter((call) => !commands.some((words) => isSame(words, call)));
			return strange.length > 0 || observed[at]!.wrote ? [{ line, strange, wrote: observed[at]!.wrote }] : [];
		});
		expect(wrong).toEqual([]);
	});

	it(`agrees with tree-sitter on ${LINES} made-up lines`, { timeout: 900_000 }, async () => {
		const plain = plainLines();
		const { compared, missing, unwritten } = compareWithTree(plain, await loadTreeOracle());
		expect(compared).toBeGreaterThan(plain.length * 0.9);
		expect({ missing, unwritten }).toEqual({ missing: [], unwritten: [] });
	});
});

/** The lines that are read as plain parts, which write nothing but what is thrown away. */
function plainLines() {
	return madeUpLines(LINES).flatMap((line) => {
		const read = readParts(line);
		if (read.kind === "opaque") return [];
		const commands = read.parts.map(({ words }) => words.map(({ text }) => text));
		return [{ line, commands, writes: ["/dev/null"] }];
	});
}

/** In an empty folder a pattern finds nothing and stands for itself, so words can be compared one by one. */
function isSame(words: readonly string[], call: readonly string[]): boolean {
	return words.length === call.length && words.every((word, at) => word === call[at]);
}
