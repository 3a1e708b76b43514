import {
	mkdirSync,
	mkdtempSync,
	realpathSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileIndex, openFileIndex } from "../../../src/adapters/retriever/fileIndex.ts";
import { indexFolder } from "../../../src/adapters/retriever/indexFolder.ts";
import { createRipgrepSearch } from "../../../src/adapters/search/ripgrep.ts";
import type { Search } from "../../../src/ports/search.ts";

let outer: string;
let root: string;
let index: FileIndex;
beforeEach(async () => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-folder-")));
	root = join(outer, "app");
	mkdirSync(root);
	index = await openFileIndex(undefined);
});
afterEach(() => {
	index.close();
	rmSync(outer, { recursive: true, force: true });
});

function write(name: string, content: string | Buffer): string {
	const path = join(root, name);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	return path;
}

async function update(extra: string[] = [], controller = new AbortController(), onRest = () => {}) {
	const rest = async () => onRest();
	await indexFolder(index, { root, extra, search: createRipgrepSearch(), rest, signal: controller.signal });
}

const find = (...words: string[]) => index.find(words, () => true, 99).paths.toSorted();

describe("indexFolder", () => {
	it("takes in text files, and neither what git ignores, nor secrets, nor what is no text or too large", async () => {
		write(".gitignore", "ignored.txt\n");
		write("src/a.ts", "needle");
		write(".config.yml", "needle");
		for (const name of ["ignored.txt", ".env", "deploy/id_ed25519", ".aws/config"]) write(name, "needle");
		write("image.bin", Buffer.concat([Buffer.from("needle"), Buffer.alloc(9)]));
		write("huge.txt", "needle ".repeat(50_000));
		symlinkSync(join(root, "src/a.ts"), join(root, "link.ts"));
		await update();
		expect(find("needle")).toEqual([".config.yml", "src/a.ts"]);
		expect(index.isComplete).toBe(true);
	});

	it("takes in extra files, those that git ignores too, by one name each", async () => {
		write(".gitignore", ".agent\n");
		const memory = write(".agent/MEMORY.md", "needle");
		const own = join(outer, "USER.md");
		writeFileSync(own, "needle");
		await update([memory, own, join(outer, "missing.md")]);
		expect(find("needle")).toEqual([".agent/MEMORY.md", own].toSorted());
	});

	it("forgets nothing that a search did not come to before its time ran out", async () => {
		write("a.ts", "needle");
		write("b.ts", "needle");
		await update();
		const cutShort: Search = {
			...createRipgrepSearch(),
			files: async () => ({ ok: true, value: { paths: ["a.ts"], total: 1, timedOut: true } }),
		};
		const { signal } = new AbortController();
		await indexFolder(index, { root, extra: [], search: cutShort, rest: async () => {}, signal });
		expect(find("needle")).toEqual(["a.ts", "b.ts"]);
	});

	it("reads again only what changed, and forgets what is gone", async () => {
		const changed = write("a.ts", "first");
		const touched = write("b.ts", "other");
		const gone = write("c.ts", "third");
		await update();
		const before = index.states();
		writeFileSync(changed, "second version");
		utimesSync(touched, 1, 1);
		rmSync(gone);
		await update();
		expect([find("first"), find("second"), find("other"), find("third")]).toEqual([
			[],
			["a.ts"],
			["b.ts"],
			[],
		]);
		expect(index.states().get("b.ts")?.digest).toBe(before.get("b.ts")?.digest);
		expect(index.states().get("b.ts")?.mtimeNs).toBe("1000000000");
	});

	it("rests between slices, stops after an abort, and goes on from there", async () => {
		for (let i = 0; i < 400; i++) write(`f${i}.txt`, `needle ${"words of a longer text ".repeat(400)} ${i}`);
		const controller = new AbortController();
		await update([], controller, () => controller.abort());
		const half = index.states().size;
		expect(half).toBeGreaterThan(0);
		expect(half).toBeLessThan(400);
		expect(index.isComplete).toBe(false);
		await update();
		expect(index.states().size).toBe(400);
		expect(index.isComplete).toBe(true);
	});
});
