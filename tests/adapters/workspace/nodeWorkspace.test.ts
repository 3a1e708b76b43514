// The workspace on a real disk: links, modes, races, full disks. What every workspace promises is in tests/contracts.

import { execFileSync } from "node:child_process";
import {
	chmod,
	chown,
	link,
	lstat,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	readlink,
	realpath,
	rename,
	rm,
	stat,
	symlink,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkspace } from "../../../src/adapters/workspace/nodeWorkspace.ts";
import type { ResolvedPath, Workspace } from "../../../src/ports/workspace.ts";
import { describeWorkspace, unwrap } from "../../contracts/workspace.ts";

async function makeFolder(): Promise<string> {
	return realpath(await mkdtemp(join(tmpdir(), "agi-workspace-")));
}

describeWorkspace("createWorkspace", async () => {
	const root = await makeFolder();
	return {
		workspace: await createWorkspace({ root }),
		plant: async (path, bytes) => {
			await mkdir(dirname(join(root, path)), { recursive: true });
			await writeFile(join(root, path), bytes);
		},
		look: (path) => readFile(join(root, path), "latin1").catch(() => undefined),
		dispose: () => rm(root, { recursive: true, force: true }),
	};
});

describe("createWorkspace", () => {
	let outer: string;
	let root: string;
	let workspace: Workspace;
	const at = async (path: string): Promise<ResolvedPath> => unwrap(await workspace.resolve(path));

	beforeEach(async () => {
		outer = await makeFolder();
		root = join(outer, "app");
		await mkdir(root);
		workspace = await createWorkspace({ root, home: join(outer, "home") });
	});
	afterEach(() => rm(outer, { recursive: true, force: true }));

	it("rejects for a folder that does not exist, with the way out", async () => {
		await expect(createWorkspace({ root: join(outer, "none") })).rejects.toMatchObject({
			code: "WORKSPACE_MISSING",
			exitCode: 42,
			message: expect.stringContaining("Start agi in one that does"),
		});
	});

	it("rejects for an added folder that does not exist, naming the flag that gave it", async () => {
		await expect(createWorkspace({ root, added: [join(outer, "none")] })).rejects.toMatchObject({
			exitCode: 42,
			message: expect.stringContaining("Give --add-dir one that does"),
		});
	});

	describe("resolve", () => {
		it("takes a sibling folder whose name begins alike for outside", async () => {
			await mkdir(join(outer, "app-evil"));
			await writeFile(join(outer, "app-evil", "secret.txt"), "s\n");
			expect(await at("../app-evil/secret.txt")).toMatchObject({ inside: false, kind: "file" });
			expect(await at(`${root}-evil/new.txt`)).toMatchObject({ inside: false, kind: "missing" });
		});

		it("follows a linked folder that leaves the workspace, also for what does not exist below it", async () => {
			await mkdir(join(outer, "away"));
			await symlink(join(outer, "away"), join(root, "outbox"));
			expect(await at("outbox/new/deep.txt")).toMatchObject({
				inside: false,
				kind: "missing",
				real: join(outer, "away/new/deep.txt"),
			});
		});

		it("follows a link whose target does not exist yet", async () => {
			await symlink("../away.txt", join(root, "dangling"));
			expect(await at("dangling")).toMatchObject({
				inside: false,
				isLink: true,
				kind: "missing",
				real: join(outer, "away.txt"),
			});
		});

		it("calls a circle of links neither file nor folder", async () => {
			await symlink("b", join(root, "a"));
			await symlink("a", join(root, "b"));
			expect(await at("a")).toMatchObject({ kind: "other", isLink: true });
		});

		it("counts added folders as inside and shows their real path", async () => {
			const added = join(outer, "lib");
			await mkdir(added);
			const wide = await createWorkspace({ root, added: [added] });
			expect(unwrap(await wide.resolve("../lib/x"))).toMatchObject({
				inside: true,
				shown: join(added, "x"),
			});
		});

		it("reads ~ as the home folder and never as a name", async () => {
			expect(await at("~/.ssh/id_ed25519")).toMatchObject({
				absolute: join(outer, "home/.ssh/id_ed25519"),
				inside: false,
				isSecret: true,
			});
		});

		it("judges the path as written and where it leads", async () => {
			await mkdir(join(root, ".git"));
			await writeFile(join(root, ".git/config"), "");
			await writeFile(join(root, ".env"), "");
			await symlink(".git/config", join(root, "harmless"));
			await symlink(".env", join(root, "plain.txt"));
			expect(await at("harmless")).toMatchObject({ isProtected: true, shown: ".git/config" });
			expect(await at("plain.txt")).toMatchObject({ isSecret: true });
		});

		it("judges only what lies below the workspace", async () => {
			const inner = join(outer, ".claude", "tree");
			await mkdir(inner, { recursive: true });
			const nested = await createWorkspace({ root: inner });
			expect(unwrap(await nested.resolve("a.txt"))).toMatchObject({ isProtected: false });
			expect(unwrap(await nested.resolve(".claude/a"))).toMatchObject({ isProtected: true });
		});

		it("says that the folder no longer exists once it is gone", async () => {
			await rm(root, { recursive: true });
			for (const path of [".", "a.txt", "deep/a.txt"]) {
				const gone = await workspace.resolve(path);
				expect(gone).toMatchObject({ ok: false, error: { kind: "folder_gone" } });
				expect(gone).toMatchObject({
					error: { message: expect.stringContaining(`${root} no longer exists`) },
				});
			}
		});

		it("does not make the folder anew when it vanished after the path was resolved", async () => {
			const path = await at("a.txt");
			await rm(root, { recursive: true });
			expect(await workspace.write(path, Buffer.from("x"))).toMatchObject({
				ok: false,
				error: { kind: "folder_gone" },
			});
			expect(await workspace.read(path)).toMatchObject({ ok: false, error: { kind: "folder_gone" } });
			await expect(stat(root)).rejects.toThrow();
		});
	});

	describe("read", () => {
		it("refuses a named pipe and a device at once, without opening them", async () => {
			execFileSync("mkfifo", [join(root, "pipe")]);
			for (const path of ["pipe", "/dev/zero"]) {
				const refused = await workspace.read(await at(path));
				expect(refused).toMatchObject({ ok: false, error: { kind: "not_a_file" } });
			}
			expect(await workspace.stamp(await at("pipe"))).toMatchObject({ ok: false });
		});

		it("refuses a file that became a link after it was resolved", async () => {
			await writeFile(join(outer, "secret.txt"), "s\n");
			await writeFile(join(root, "a.txt"), "a\n");
			const path = await at("a.txt");
			await rm(join(root, "a.txt"));
			await symlink(join(outer, "secret.txt"), join(root, "a.txt"));
			expect(await workspace.read(path)).toMatchObject({ ok: false });
		});

		it.runIf(process.platform === "linux")(
			"reads nothing through a parent folder that was swapped for a link",
			async () => {
				await mkdir(join(root, "folder"));
				await mkdir(join(outer, "away"));
				await writeFile(join(root, "folder/a.txt"), "a\n");
				await writeFile(join(outer, "away/a.txt"), "s\n");
				const path = await at("folder/a.txt");
				const fresh = await at("folder/new.txt");
				await rename(join(root, "folder"), join(root, "old"));
				await symlink(join(outer, "away"), join(root, "folder"));
				expect(await workspace.read(path)).toMatchObject({ ok: false, error: { kind: "conflict" } });
				expect(await workspace.write(fresh, Buffer.from("x"))).toMatchObject({ ok: false });
				expect(await workspace.remove(path)).toMatchObject({ ok: false });
				expect(await readdir(join(outer, "away"))).toEqual(["a.txt"]);
			},
		);

		it("reads a file whose size the system does not tell", async () => {
			const content = unwrap(await workspace.read(await at("/proc/self/status")));
			expect(content.text).toContain("Pid:");
			expect(content.stamp.size).toBe(content.bytes.length);
		});

		it("reads a large file whole", async () => {
			const text = "0123456789abcde\n".repeat(200_000);
			await writeFile(join(root, "large.txt"), text);
			const content = unwrap(await workspace.read(await at("large.txt")));
			expect(content.text === text).toBe(true);
		});

		it("gives no text for binary bytes", async () => {
			await writeFile(join(root, "a.bin"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]));
			const content = unwrap(await workspace.read(await at("a.bin")));
			expect(content).not.toHaveProperty("text");
			expect(content.bytes).toHaveLength(6);
		});
	});

	describe("write", () => {
		it.each([0o755, 0o600, 0o640])("keeps the mode %o of the old file", async (mode) => {
			await writeFile(join(root, "f"), "old");
			await chmod(join(root, "f"), mode);
			unwrap(await workspace.write(await at("f"), Buffer.from("new")));
			expect((await stat(join(root, "f"))).mode & 0o7777).toBe(mode);
			expect(await readFile(join(root, "f"), "utf8")).toBe("new");
		});

		it("gives a new file the mode that the umask shapes, and an asked one exactly", async () => {
			await writeFile(join(root, "like"), "");
			unwrap(await workspace.write(await at("new"), Buffer.from("x")));
			unwrap(await workspace.write(await at("private"), Buffer.from("x"), { mode: 0o600 }));
			expect((await stat(join(root, "new"))).mode).toBe((await stat(join(root, "like"))).mode);
			expect((await stat(join(root, "private"))).mode & 0o7777).toBe(0o600);
		});

		it("shows a private file's new content to nobody else at any moment", async () => {
			await writeFile(join(root, "key"), "k");
			await chmod(join(root, "key"), 0o600);
			const path = await at("key");
			let writing = true;
			const modes = new Set<number>();
			const watch = async () => {
				while (writing) {
					for (const name of await readdir(root)) {
						const found = await stat(join(root, name)).catch(() => undefined);
						if (found !== undefined) modes.add(found.mode & 0o7777);
					}
				}
			};
			const watching = watch();
			for (let round = 0; round < 5; round++)
				unwrap(await workspace.write(path, Buffer.alloc(2_000_000, 107)));
			writing = false;
			await watching;
			expect([...modes]).toEqual([0o600]);
		});

		it("writes through a link and keeps the link", async () => {
			await mkdir(join(root, "conf"));
			await writeFile(join(root, "conf/real.yml"), "a: 1\n");
			await symlink("conf/real.yml", join(root, "app.yml"));
			unwrap(await workspace.write(await at("app.yml"), Buffer.from("a: 2\n")));
			expect(await readlink(join(root, "app.yml"))).toBe("conf/real.yml");
			expect(await readFile(join(root, "conf/real.yml"), "utf8")).toBe("a: 2\n");
		});

		it("keeps hard links together, and the shorter content leaves no tail", async () => {
			await writeFile(join(root, "one"), "long old content");
			await link(join(root, "one"), join(root, "two"));
			unwrap(await workspace.write(await at("one"), Buffer.from("new")));
			expect(await readFile(join(root, "two"), "utf8")).toBe("new");
			expect((await stat(join(root, "one"))).nlink).toBe(2);
		});

		it.runIf(process.getuid?.() === 0)("keeps a foreign owner", async () => {
			await writeFile(join(root, "theirs"), "old");
			await chown(join(root, "theirs"), 12345, 12346);
			unwrap(await workspace.write(await at("theirs"), Buffer.from("new")));
			expect(await stat(join(root, "theirs"))).toMatchObject({ uid: 12345, gid: 12346 });
		});

		it("leaves no temporary file behind, neither after success nor after a conflict nor after a failure", async () => {
			await writeFile(join(root, "a"), "1");
			unwrap(await workspace.write(await at("a"), Buffer.from("2")));
			await workspace.write(await at("a"), Buffer.from("3"), { expectedDigest: "0" });
			const refused = await workspace.write(await at("a/below"), Buffer.from("x"));
			expect(refused).toMatchObject({ ok: false });
			expect(await readdir(root)).toEqual(["a"]);
		});

		it("refuses a name that is too long with a sentence", async () => {
			const refused = await workspace.resolve("y".repeat(300));
			expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining("too long") } });
		});

		it("keeps the old content whole when the disk has no room for the new", async () => {
			await writeFile(join(root, "a.txt"), "old content\n");
			const script = `
				process.on("SIGXFSZ", () => {});
				const { createWorkspace } = await import(${JSON.stringify(new URL("../../../src/adapters/workspace/nodeWorkspace.ts", import.meta.url).pathname)});
				const workspace = await createWorkspace({ root: process.argv[1] });
				const path = (await workspace.resolve("a.txt")).value;
				console.log(JSON.stringify(await workspace.write(path, Buffer.alloc(5_000_000, 120))));`;
			const out = execFileSync(
				"bash",
				["-c", 'ulimit -f 100; exec "$0" --input-type=module -e "$1" "$2"', process.execPath, script, root],
				{ encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] },
			);
			expect(JSON.parse(out)).toMatchObject({ ok: false, error: { kind: "too_large" } });
			expect(await readFile(join(root, "a.txt"), "utf8")).toBe("old content\n");
			expect(await readdir(root)).toEqual(["a.txt"]);
		});

		it("replaces no pipe and no link that appeared in the meantime", async () => {
			const path = await at("new.txt");
			await symlink(join(outer, "away.txt"), join(root, "new.txt"));
			expect(await workspace.write(path, Buffer.from("x"))).toMatchObject({ ok: false });
			expect((await lstat(join(root, "new.txt"))).isSymbolicLink()).toBe(true);
			await expect(stat(join(outer, "away.txt"))).rejects.toThrow();
		});
	});

	describe("remove", () => {
		it("removes a link itself and keeps its target", async () => {
			await writeFile(join(outer, "kept.txt"), "k");
			await symlink(join(outer, "kept.txt"), join(root, "link"));
			unwrap(await workspace.remove(await at("link")));
			await expect(lstat(join(root, "link"))).rejects.toThrow();
			expect(await readFile(join(outer, "kept.txt"), "utf8")).toBe("k");
		});

		it("removes nothing when the link was replaced by a file", async () => {
			await symlink("nowhere", join(root, "link"));
			const path = await at("link");
			await rm(join(root, "link"));
			await writeFile(join(root, "link"), "precious");
			expect(await workspace.remove(path)).toMatchObject({ ok: false, error: { kind: "conflict" } });
			expect(await readFile(join(root, "link"), "utf8")).toBe("precious");
		});
	});
});
