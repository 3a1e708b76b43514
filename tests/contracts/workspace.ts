// What every workspace promises, whatever is behind it.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ResolvedPath, Workspace, WorkspaceResult } from "../../src/ports/workspace.ts";

/** An empty workspace, and how to get rid of it. */
export interface WorkspaceUnderTest {
	workspace: Workspace;
	/** Puts a file there by other means than the workspace. */
	plant(path: string, bytes: Uint8Array | string): Promise<void>;
	/** The file's bytes by other means, as Latin-1; undefined where there is none. */
	look(path: string): Promise<string | undefined>;
	dispose(): Promise<void>;
}

/** Runs the suite on workspaces that `make` makes. */
export function describeWorkspace(name: string, make: () => Promise<WorkspaceUnderTest>): void {
	describe(`${name} as a Workspace`, () => {
		let bench: WorkspaceUnderTest;
		let workspace: Workspace;
		const at = async (path: string): Promise<ResolvedPath> => unwrap(await workspace.resolve(path));

		beforeEach(async () => {
			bench = await make();
			workspace = bench.workspace;
		});
		afterEach(() => bench.dispose());

		it("refuses to resolve an empty path and one with a NUL", async () => {
			expect(await workspace.resolve("")).toMatchObject({ ok: false });
			expect(await workspace.resolve("a\0b")).toMatchObject({ ok: false });
		});

		it("resolves what does not exist as missing, inside, with its parents folded", async () => {
			expect(await at("a/./b/../new.txt")).toMatchObject({
				kind: "missing",
				inside: true,
				shown: "a/new.txt",
				real: `${workspace.root}/a/new.txt`,
			});
		});

		it("reads back what it wrote, with the same stamp from write, read and stamp", async () => {
			const path = await at("deep/er/a.txt");
			const written = unwrap(await workspace.write(path, Buffer.from("alpha\n")));
			const read = unwrap(await workspace.read(path));
			expect(read).toMatchObject({ text: "alpha\n", stamp: written });
			expect(unwrap(await workspace.stamp(path))).toEqual(written);
		});

		it("stamps a missing file with a null digest", async () => {
			const path = await at("none.txt");
			expect(unwrap(await workspace.stamp(path))).toEqual({ path: path.real, digest: null });
		});

		it("says not_found for a missing file, and which", async () => {
			expect(await workspace.read(await at("none.txt"))).toEqual({
				ok: false,
				error: { kind: "not_found", message: "File not found: none.txt" },
			});
		});

		it("refuses a write when the file is not the expected one", async () => {
			await bench.plant("a.txt", "mine");
			const path = await at("a.txt");
			for (const expectedDigest of ["0".repeat(64), null]) {
				expect(await workspace.write(path, Buffer.from("x"), { expectedDigest })).toMatchObject({
					ok: false,
					error: { kind: "conflict" },
				});
			}
			expect(await bench.look("a.txt")).toBe("mine");
		});

		it("refuses a write when the expected file is gone", async () => {
			const written = unwrap(await workspace.write(await at("a.txt"), Buffer.from("x")));
			unwrap(await workspace.remove(await at("a.txt")));
			const again = await workspace.write(await at("a.txt"), Buffer.from("y"), {
				expectedDigest: written.digest,
			});
			expect(again).toMatchObject({ ok: false, error: { kind: "conflict" } });
			expect(await bench.look("a.txt")).toBeUndefined();
		});

		it("writes when the file is the expected one, and a new file when none is expected", async () => {
			const first = unwrap(
				await workspace.write(await at("a.txt"), Buffer.from("1"), { expectedDigest: null }),
			);
			unwrap(await workspace.write(await at("a.txt"), Buffer.from("2"), { expectedDigest: first.digest }));
			expect(await bench.look("a.txt")).toBe("2");
		});

		it("removes a file only when it is the expected one", async () => {
			await bench.plant("a.txt", "mine");
			const path = await at("a.txt");
			expect(await workspace.remove(path, { expectedDigest: "0".repeat(64) })).toMatchObject({
				ok: false,
				error: { kind: "conflict" },
			});
			const { digest } = unwrap(await workspace.stamp(path));
			unwrap(await workspace.remove(path, { expectedDigest: digest }));
			expect(await bench.look("a.txt")).toBeUndefined();
		});

		it("refuses folders where files are meant, and the other way round", async () => {
			await bench.plant("folder/a.txt", "x");
			const folder = await at("folder");
			expect(await workspace.read(folder)).toMatchObject({ ok: false, error: { kind: "not_a_file" } });
			expect(await workspace.write(folder, Buffer.from("x"))).toMatchObject({ ok: false });
			expect(await workspace.remove(folder)).toMatchObject({ ok: false, error: { kind: "not_a_file" } });
			expect(await workspace.list(await at("folder/a.txt"))).toMatchObject({
				ok: false,
				error: { kind: "not_a_folder" },
			});
		});

		it("lists names with their kinds", async () => {
			await bench.plant("folder/a.txt", "x");
			await bench.plant("folder/below/b.txt", "x");
			const entries = unwrap(await workspace.list(await at("folder")));
			expect(entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
				{ name: "a.txt", kind: "file" },
				{ name: "below", kind: "folder" },
			]);
		});

		it("refuses a file larger than the limit without its content", async () => {
			await bench.plant("a.txt", "12345");
			expect(await workspace.read(await at("a.txt"), { maxBytes: 4 })).toMatchObject({
				ok: false,
				error: { kind: "too_large" },
			});
			expect(await workspace.read(await at("a.txt"), { maxBytes: 5 })).toMatchObject({ ok: true });
		});

		it("encodes text with the digest of its bytes, and refuses what the encoding lacks", async () => {
			const latin1 = { charset: "latin1", bom: false, eol: "\n", mixedEol: false } as const;
			const { bytes, digest } = unwrap(workspace.encode("Größe", latin1));
			const written = unwrap(await workspace.write(await at("l.txt"), bytes));
			expect(written.digest).toBe(digest);
			expect(await bench.look("l.txt")).toBe("Gr\xf6\xdfe");
			expect(workspace.encode("日本", latin1)).toMatchObject({
				ok: false,
				error: { message: expect.stringContaining("日") },
			});
		});
	});
}

/** The value of a result that must be one. */
export function unwrap<T>(result: WorkspaceResult<T>): T {
	if (result.ok) return result.value;
	throw new Error(`${result.error.kind}: ${result.error.message}`);
}
