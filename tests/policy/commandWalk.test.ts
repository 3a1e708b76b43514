// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are words of the shell.
// Every command that stands anywhere in a line is shown, and every file that it would write; the grammar of tree-sitter
// is asked what stands there.

import { describe, expect, it } from "vitest";
import { walkCommand } from "../../src/policy/commandWalk.ts";
import { madeUpLines, nestedLines } from "../support/madeUpLines.ts";
import { compareWithTree, loadTreeOracle } from "../support/treeSitterOracle.ts";

/** Lines of the long run are set by FUZZ_LINES. */
const LINES = Number(process.env["FUZZ_LINES"] ?? 2_000);

describe("walkCommand", () => {
	it.each([
		// A substitution between the brackets of a pattern.
		"ls a[$(rm x)]",
		"ls [[`rm x`]",
		"ls [a'b'\"$(rm x)\"]",
		"a#[$(rm x)]=1",
		"ls > [$(rm x)]",
		"x=[$(rm x)]",
		"for f in [$(rm x)]; do ls; done",
		"cat <<< [$(rm x)]",
		// Words behind a redirect that closes its descriptor.
		"rm >&-x",
		"rm <&-x",
		"rm 2>&-'x'",
		">&-rm x",
		">&-A=1 rm x",
		">&-A=rm; $A x",
		// A slash inside of the substitution in the pattern of a replacement.
		"ls ${v//$(/bin/rm x)}",
		'ls "${v/#a$(/bin/rm x)/y}"',
		"ls ${v///`/bin/rm x`/y}",
		"ls `ls ${v//\\`/bin/rm x\\`/y}`",
		// A command that reads what nothing writes.
		"ls <<< >(rm x)",
		"x=>(rm x)",
		"for f in >(rm x); do ls; done",
		"case >(rm x) in a) ls;; esac",
	])("shows the rm in %j", (line) => {
		const { commands } = told(line);
		expect(commands.map(([name = "", ...args]) => [name.replace("/bin/", ""), ...args])).toContainEqual([
			"rm",
			"x",
		]);
	});

	it("takes what looks like an assignment for an argument behind a name that stands at a closed descriptor", () => {
		expect(told(">&-dd if=a of=b").commands).toEqual([["dd", "if=a", "of=b"]]);
	});

	it("takes the digit between two redirects for a descriptor", () => {
		expect(told("ls >&-1>x")).toMatchObject({ commands: [["ls"]], writes: ["x"] });
	});

	it.each(["v=($(rm x))y", "v=($(rm x))$y", "export v=($(rm x))y", "v=(<(rm x))y"])(
		"tells that it cannot follow %j, a list that runs on into a word",
		(line) => {
			expect(told(line).isUnclear).toBe(true);
		},
	);

	it.each(["ls \\$\\(rm x\\)", "ls '$(rm x)'", 'ls "\\$(rm x)"', "cat <<'E'\n$(rm x)\nE", "ls a\\`b"])(
		"finds nothing hidden in %j, where quotes take the meaning away",
		(line) => {
			expect(told(line)).toMatchObject({ isUnclear: false, commands: [expect.anything()] });
		},
	);

	it.each([
		["made-up", madeUpLines, 0.4],
		["nested", nestedLines, 0.7],
	] as const)(
		`agrees with tree-sitter on ${LINES} %s lines`,
		{ timeout: 900_000 },
		async (_, make, share) => {
			const clear = make(LINES)
				.map(told)
				.filter(({ isUnclear }) => !isUnclear);
			const { compared, missing, unwritten } = compareWithTree(clear, await loadTreeOracle());
			expect(clear.length).toBeGreaterThan(LINES * share);
			expect(compared).toBeGreaterThan(clear.length * 0.8);
			expect({ missing, unwritten }).toEqual({ missing: [], unwritten: [] });
		},
	);
});

function told(line: string) {
	const seen = { line, commands: [] as string[][], writes: [] as string[], isUnclear: false };
	walkCommand(
		line,
		{ workspaceRoots: ["/w"], home: "/h" },
		{
			visitCall: ({ argv, redirects }) => {
				if (argv.length > 0) seen.commands.push(argv.map(({ text }) => text));
				seen.writes.push(...redirects.flatMap(({ target, writes }) => (writes ? [target.text] : [])));
			},
			visitForkBomb: () => undefined,
			visitUnclear: () => {
				seen.isUnclear = true;
			},
		},
	);
	return seen;
}
