import * as fzf from "fzf";
import { describe, expect, it } from "vitest";
import { indexPaths, rankFiles, withFolders } from "../../../src/ui/input/rankFiles.ts";

const PATHS = indexPaths([
	"src/ui/App.tsx",
	"src/agent/run.ts",
	"src/agent/runtime.ts",
	"docs/running.md",
	"README.md",
	"src/ürün.ts",
]);

describe("withFolders", () => {
	it("puts each folder before the first file in it", () => {
		expect(withFolders(["a.ts", "src/ui/App.tsx", "src/ui/b.ts", "src/c.ts"])).toEqual([
			"a.ts",
			"src/",
			"src/ui/",
			"src/ui/App.tsx",
			"src/ui/b.ts",
			"src/c.ts",
		]);
	});

	it("lets a folder be found by its name before what stands in it", () => {
		const index = indexPaths(withFolders(["lib/agent/a.ts", "src/agent/run.ts"]));
		expect(rankFiles(index, "agent", fzf).slice(0, 2).sort()).toEqual(["lib/agent/", "src/agent/"]);
	});
});

describe("rankFiles", () => {
	it("gives the first paths where nothing was typed", () => {
		expect(rankFiles(PATHS, "", fzf, 2)).toEqual(["src/ui/App.tsx", "src/agent/run.ts"]);
	});

	it.each([
		["run", ["docs/running.md", "src/agent/run.ts", "src/agent/runtime.ts"]],
		["readme", ["README.md"]],
		["saru", ["src/agent/run.ts", "src/agent/runtime.ts"]],
		["ürün", ["src/ürün.ts"]],
		["zzz", []],
	])("finds for %s", (query, found) => {
		expect(rankFiles(PATHS, query, fzf).sort()).toEqual([...found].sort());
	});

	it("puts a file's own name before letters strewn over a path", () => {
		expect(rankFiles(indexPaths(["m/a/i/n/x.ts", "src/main.ts"]), "main", fzf)[0]).toBe("src/main.ts");
	});

	it("keeps names before others where too many paths match", () => {
		const many = Array.from({ length: 5_000 }, (_, i) => `target/dir${i}/x.ts`);
		expect(rankFiles(indexPaths([...many, "src/target.ts"]), "target", fzf)).toContain("src/target.ts");
	});

	describe("among 100,000 paths", () => {
		const paths = indexPaths(
			Array.from(
				{ length: 100_000 },
				(_, i) => `packages/module${i % 100}/src/services/file${i}/serviceIndex${i % 7}.ts`,
			),
		);

		it.each(["s", "service", "sveidx", "module9/file42"])(
			"finds paths that hold the letters of %s in order",
			(query) => {
				const found = rankFiles(paths, query, fzf);
				expect(found.length).toBeGreaterThan(0);
				const inOrder = new RegExp([...query].map((letter) => `${letter}[^]*`).join(""), "i");
				for (const path of found) expect(path).toMatch(inOrder);
			},
		);

		it("finds nothing where no path holds them", () => {
			expect(rankFiles(paths, "nothing here", fzf)).toEqual([]);
		});
	});
});
