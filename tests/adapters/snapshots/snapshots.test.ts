// Snapshots of real folders: what a tree holds and leaves out, its bounds, what a second process knows, and putting back.

import { execFileSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSnapshots, type SnapshotsOptions } from "../../../src/adapters/snapshots/snapshots.ts";
import type { Snapshots } from "../../../src/ports/snapshots.ts";
import type { FileImage } from "../../../src/session/events.ts";
import { compareImages } from "../../../src/session/fileChanges.ts";
import { temporaryFolder, treeOf } from "../../support/folderTree.ts";

/** No test depends on how fast the machine is. */
const PATIENT = { ms: 600_000 };

function workspace(files: Record<string, string | Uint8Array> = {}) {
	const outer = temporaryFolder();
	const root = join(outer, "w");
	mkdirSync(root);
	const write = (path: string, content: string | Uint8Array) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content);
	};
	for (const [path, content] of Object.entries(files)) write(path, content);
	const options = { folder: join(outer, "data", "snapshots"), root, bounds: PATIENT };
	const open = (more: Partial<SnapshotsOptions> = {}) => createSnapshots({ ...options, ...more });
	return { outer, root, write, open, path: (path: string) => join(root, path), data: options.folder };
}

async function imagesOf(snapshots: Snapshots): Promise<ReadonlyMap<string, FileImage>> {
	const taken = await snapshots.takeTree();
	if (!taken.ok) throw new Error(taken.why);
	return taken.images;
}

/** Undoes everything that `change` did below the root; resolves with the tree before and after. */
async function changeAndRestore(snapshots: Snapshots, change: () => void) {
	const before = await imagesOf(snapshots);
	change();
	const after = await imagesOf(snapshots);
	const changes = compareImages(before, after);
	const left = await snapshots.restore(changes.map((c) => ({ before: c.after, after: c.before })));
	return { changes, left };
}

describe("createSnapshots", () => {
	it("holds files, folders and links as they are, and follows no link out", async () => {
		const { root, outer, write, open, path } = workspace({ "a.txt": "a", empty: "", "ü/ñ 文.txt": "u" });
		writeFileSync(join(outer, "secret"), "s");
		symlinkSync("../secret", path("out"));
		symlinkSync(outer, path("up"));
		mkdirSync(path("bare"));
		write("tool.sh", "#!/bin/sh\n");
		chmodSync(path("tool.sh"), 0o751);
		const images = await imagesOf(open());
		expect([...images.keys()].sort()).toEqual(
			Object.keys(treeOf(root))
				.filter((p) => !p.startsWith("up/"))
				.sort(),
		);
		expect(images.get("tool.sh")).toMatchObject({ kind: "file", mode: 0o751, size: 10 });
		expect(images.get("out")?.kind).toBe("link");
		expect(images.get("bare")?.kind).toBe("folder");
		expect(images.get("empty")?.size).toBe(0);
	});

	it("leaves out what git ignores, by the nearest rule, and git's own folder", async () => {
		const { write, open } = workspace({
			".gitignore": "*.log\n/dist/\nbuild\n",
			"x.log": "",
			"dist/a": "",
			"deep/dist/a": "",
			"deep/build/b": "",
			"deep/.gitignore": "!keep.log\nlocal\n",
			"deep/keep.log": "",
			"deep/local": "",
			local: "",
			".git/HEAD": "ref",
			"node_modules/p/index.js": "",
		});
		write(".git/info/exclude", "private\n");
		write("private", "");
		const files = [...(await imagesOf(open())).values()].filter(({ kind }) => kind === "file");
		expect(files.map(({ path }) => path).sort()).toEqual([
			".gitignore",
			"deep/.gitignore",
			"deep/dist/a",
			"deep/keep.log",
			"local",
		]);
	});

	it("applies the rules of the repository above where it starts in a folder of it", async () => {
		const { open, path } = workspace({
			".gitignore": "/sub/out\n*.tmp\n",
			"sub/a": "",
			"sub/out": "",
			"sub/b.tmp": "",
		});
		mkdirSync(path(".git"));
		expect([...(await imagesOf(open({ root: path("sub") }))).keys()]).toEqual(["a"]);
	});

	it("keeps everything outside the repository, for the user alone", async () => {
		const { root, open, data } = workspace({ "a.txt": "content" });
		await imagesOf(open());
		await open().keep(["a.txt"]).kept;
		expect(readdirSync(root)).toEqual(["a.txt"]);
		expect(statSync(data).mode & 0o777).toBe(0o700);
		for (const name of readdirSync(data, { recursive: true, encoding: "utf8" })) {
			const stats = statSync(join(data, name));
			expect(stats.mode & 0o077, name).toBe(0);
		}
	});

	it("holds no content of agi's own folders and of added ones no more than their own", async () => {
		const { outer, open, write } = workspace({ a: "1" });
		write("home/data/log", "x");
		mkdirSync(join(outer, "more"));
		writeFileSync(join(outer, "more", "b"), "2");
		writeFileSync(join(outer, "more", "c.log"), "3");
		writeFileSync(join(outer, "more", ".gitignore"), "*.log");
		const images = await imagesOf(
			open({ added: [join(outer, "more")], without: [join(outer, "w", "home", "data")] }),
		);
		expect([...images.keys()].sort()).toEqual(
			["a", "home", join(outer, "more", ".gitignore"), join(outer, "more", "b")].sort(),
		);
	});

	it.each([
		["files", { files: 2 }, "it has more than 2 files"],
		["bytes", { bytes: 1024 * 1024 }, "its files are more than 1 MB"],
		["time", { ms: -1 }, "looking at it takes more than -0.001 s"],
	])("refuses a tree beyond its bound of %s, and does not try again", async (_, bounds, why) => {
		const { open, path, write } = workspace({ a: "x".repeat(600_000), b: "y".repeat(600_000), c: "" });
		const snapshots = open({ bounds: { ...PATIENT, ...bounds } });
		expect(await snapshots.takeTree()).toEqual({ ok: false, why });
		for (const name of ["a", "b", "c"]) rmSync(path(name));
		write("small", "");
		expect(await snapshots.takeTree()).toEqual({ ok: false, why });
	});

	it("knows a file over 2 MB by its time, and says that it is not kept", async () => {
		const { open, write, path } = workspace({ big: Buffer.alloc(2 * 1024 * 1024 + 1) });
		const snapshots = open();
		const { changes, left } = await changeAndRestore(snapshots, () =>
			write("big", Buffer.alloc(3 * 1024 * 1024)),
		);
		expect(changes).toMatchObject([{ before: { path: "big", unkept: "it is larger than 2 MB" } }]);
		expect(left).toEqual([{ path: "big", why: "its old content is not kept" }]);
		expect(statSync(path("big")).size).toBe(3 * 1024 * 1024);
	});

	it("sees a change that keeps size and time", async () => {
		const { open, write, path } = workspace({ a: "one" });
		const snapshots = open();
		const before = await imagesOf(snapshots);
		const { atime, mtime } = statSync(path("a"));
		write("a", "two");
		execFileSync("touch", ["-d", mtime.toISOString(), path("a")]);
		expect(atime).toBeDefined();
		expect(compareImages(before, await imagesOf(snapshots))).toHaveLength(1);
	});

	it("gives a later process the tree that was opened under a name, until it is closed", async () => {
		const { open, write } = workspace({ a: "old" });
		await open().takeTree("s1-turn-1");
		write("a", "new");
		const tree = await open().openTree("s1-turn-1");
		const changes = compareImages(tree ?? new Map(), await imagesOf(open()));
		expect(changes.map(({ after }) => after.path)).toEqual(["a"]);
		expect(await open().restore(changes.map((c) => ({ before: c.after, after: c.before })))).toEqual([]);
		open().closeTree("s1-turn-1");
		expect(await open().openTree("s1-turn-1")).toBeUndefined();
	});

	it("takes the oldest contents away where the store grows past its bound, and keeps present files anew", async () => {
		const { open, write, path } = workspace();
		for (let i = 0; i < 120; i++) write(`f${i}`, `content ${i} `.repeat(100));
		await imagesOf(open());
		const small = open({ storeBytes: 1000 });
		const { left } = await changeAndRestore(small, () => rmSync(path("f7")));
		expect(left).toEqual([]);
		expect(readFileSync(path("f7"), "utf8")).toBe("content 7 ".repeat(100));
	});
});

describe("Snapshots.keep", () => {
	it("notes missing folders above a missing file, so that they go with it", async () => {
		const { open, write, root } = workspace();
		const snapshots = open();
		const { images, kept } = snapshots.keep([join(root, "new", "deep", "f.txt")]);
		await kept;
		expect(images).toEqual(["new", "new/deep", "new/deep/f.txt"].map((path) => ({ path, kind: "none" })));
		write("new/deep/f.txt", "x");
		const now = snapshots.look(images);
		expect(await snapshots.restore(images.map((after, i) => ({ before: now[i]!, after })))).toEqual([]);
		expect(treeOf(root)).toEqual({});
	});

	it("names a path outside of the workspace by its absolute path", async () => {
		const { outer, open } = workspace();
		writeFileSync(join(outer, "x"), "");
		const { images, kept } = open().keep([join(outer, "x")]);
		await kept;
		expect(images[0]?.path).toBe(join(outer, "x"));
	});

	it("rejects where a content cannot be stored", async () => {
		const { outer, open, root } = workspace({ a: "1" });
		writeFileSync(join(outer, "flat"), "");
		const { kept } = createSnapshots({ folder: join(outer, "flat"), root }).keep(["a"]);
		await expect(kept).rejects.toThrow(/ENOTDIR|EEXIST/);
		await open().keep(["a"]).kept;
	});
});

describe("Snapshots.restore", () => {
	type Change = (at: (path: string) => string) => void;
	const replace = (path: string, put: (place: string) => void): Change => {
		return (at) => {
			rmSync(at(path), { recursive: true });
			put(at(path));
		};
	};

	it.each<[string, Change]>([
		["a file that was edited", (at) => writeFileSync(at("a.txt"), "other\n")],
		["CRLF, BOM and bytes that are no text", (at) => writeFileSync(at("crlf"), "gone")],
		["a file that was removed", (at) => rmSync(at("sub/b.bin"))],
		["a folder that was removed", (at) => rmSync(at("sub"), { recursive: true })],
		["a file that was made", (at) => writeFileSync(at("sub/new"), "n")],
		["folders that were made", (at) => mkdirSync(at("x/y/z"), { recursive: true })],
		["a file that was renamed", (at) => renameSync(at("a.txt"), at("sub/ä 文.txt"))],
		["a mode", (at) => chmodSync(at("a.txt"), 0o400)],
		["the mode of a folder", (at) => chmodSync(at("sub"), 0o700)],
		["a link that leads elsewhere", replace("link", (place) => symlinkSync("sub", place))],
		[
			"a file that became a folder",
			replace("a.txt", (place) => mkdirSync(join(place, "in"), { recursive: true })),
		],
		["a folder that became a file", replace("sub", (place) => writeFileSync(place, ""))],
		["a link that became a file", replace("link", (place) => writeFileSync(place, "f"))],
		["a file that became a link", replace("a.txt", (place) => symlinkSync("/etc/passwd", place))],
	])("brings back %s", async (_, change) => {
		const { root, path, open } = workspace({
			"a.txt": "text\n",
			crlf: Buffer.from("\ufeffone\r\ntwo\r\n\0\xff", "latin1"),
			"sub/b.bin": Buffer.from([0, 255, 254]),
			"sub/.hidden": "",
		});
		symlinkSync("a.txt", path("link"));
		chmodSync(path("sub/.hidden"), 0o640);
		const before = treeOf(root);
		const { changes, left } = await changeAndRestore(open(), () => change(path));
		expect(changes.length).toBeGreaterThan(0);
		expect(left).toEqual([]);
		expect(treeOf(root)).toEqual(before);
	});

	it("writes through to all names of a hard link", async () => {
		const { open, path, write } = workspace({ a: "old" });
		linkSync(path("a"), path("b"));
		await changeAndRestore(open(), () => write("a", "new"));
		expect([readFileSync(path("b"), "utf8"), statSync(path("a")).nlink]).toEqual(["old", 2]);
	});

	it("leaves a path alone where something else stands by now", async () => {
		const { open, path, write } = workspace({ a: "old", b: "old" });
		const snapshots = open();
		const before = await imagesOf(snapshots);
		write("a", "turn");
		write("b", "turn");
		const after = await imagesOf(snapshots);
		write("a", "person");
		const changes = compareImages(before, after).map((c) => ({ before: c.after, after: c.before }));
		expect(await snapshots.restore(changes)).toEqual([{ path: "a", why: "it was changed in this moment" }]);
		expect([readFileSync(path("a"), "utf8"), readFileSync(path("b"), "utf8")]).toEqual(["person", "old"]);
	});

	it("leaves a folder that holds other files by now", async () => {
		const { open, write, path } = workspace({ ".gitignore": "*.log" });
		const snapshots = open();
		const before = await imagesOf(snapshots);
		write("made/f", "x");
		const after = await imagesOf(snapshots);
		write("made/mine.log", "the person's");
		const changes = compareImages(before, after).map((c) => ({ before: c.after, after: c.before }));
		const why = "the folder holds files that are not part of this";
		expect(await snapshots.restore(changes)).toEqual([{ path: "made", why }]);
		expect(readdirSync(path("made"))).toEqual(["mine.log"]);
	});

	it("never writes through a folder that became a link", async () => {
		const { outer, open, write, path } = workspace({ "sub/a": "old" });
		const snapshots = open();
		const before = await imagesOf(snapshots);
		write("sub/a", "new");
		const after = await imagesOf(snapshots);
		mkdirSync(join(outer, "victim"));
		writeFileSync(join(outer, "victim", "a"), "new");
		chmodSync(join(outer, "victim", "a"), statSync(path("sub/a")).mode);
		rmSync(path("sub"), { recursive: true });
		symlinkSync(join(outer, "victim"), path("sub"));
		const changes = compareImages(before, after).map((c) => ({ before: c.after, after: c.before }));
		expect(await snapshots.restore(changes)).toMatchObject([{ path: "sub/a" }]);
		expect(readFileSync(join(outer, "victim", "a"), "utf8")).toBe("new");
	});

	it("tells which content is damaged or gone instead of writing another", async () => {
		const { open, write, data, path } = workspace({ a: "old" });
		const snapshots = open();
		const before = await imagesOf(snapshots);
		write("a", "new");
		const after = await imagesOf(snapshots);
		rmSync(join(data, "contents"), { recursive: true });
		const changes = compareImages(before, after).map((c) => ({ before: c.after, after: c.before }));
		expect(await snapshots.restore(changes)).toEqual([{ path: "a", why: "its old content is not kept" }]);
		expect(readFileSync(path("a"), "utf8")).toBe("new");
	});

	it("brings any sequence of changes back, and forward again", async () => {
		const name = fc.constantFrom("a", "b", "d/c", "d/e/f", "ü", "g h");
		const step = fc.oneof(
			fc.record({ do: fc.constant("write" as const), name, bytes: fc.uint8Array({ maxLength: 40 }) }),
			fc.record({ do: fc.constant("remove" as const), name }),
			fc.record({ do: fc.constant("mode" as const), name, mode: fc.constantFrom(0o600, 0o644, 0o755) }),
			fc.record({ do: fc.constant("link" as const), name, to: name }),
			fc.record({ do: fc.constant("folder" as const), name }),
		);
		type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
		const perform = (root: string, change: Step) => {
			const path = join(root, change.name);
			if (change.do === "mode") {
				if (existsSync(path)) chmodSync(path, change.mode | (statSync(path).isDirectory() ? 0o700 : 0));
				return;
			}
			rmSync(path, { recursive: true, force: true });
			if (change.do === "remove") return;
			for (let above = dirname(path); above !== root; above = dirname(above))
				if (existsSync(above) && !statSync(above).isDirectory()) rmSync(above);
			mkdirSync(dirname(path), { recursive: true });
			if (change.do === "write") writeFileSync(path, change.bytes);
			else if (change.do === "folder") mkdirSync(path);
			else symlinkSync(change.to, path);
		};
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { maxLength: 8 }),
				fc.array(step, { maxLength: 8 }),
				async (start, steps) => {
					const { root, open } = workspace();
					for (const change of start) perform(root, change);
					const first = treeOf(root);
					const snapshots = open();
					const before = await imagesOf(snapshots);
					for (const change of steps) perform(root, change);
					const second = treeOf(root);
					const changes = compareImages(before, await imagesOf(snapshots));
					expect(await snapshots.restore(changes.map((c) => ({ before: c.after, after: c.before })))).toEqual(
						[],
					);
					expect(treeOf(root)).toEqual(first);
					expect(await snapshots.restore(changes)).toEqual([]);
					expect(treeOf(root)).toEqual(second);
				},
			),
			{ numRuns: 40 },
		);
	});
});
