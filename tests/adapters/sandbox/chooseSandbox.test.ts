// What is chosen on which machine, where programs are looked for, and the honest words where there is none.

import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chooseSandbox, type SandboxWish } from "../../../src/adapters/sandbox/chooseSandbox.ts";
import { hasBwrap } from "../../support/bwrap.ts";

let outer: string;
let root: string;
beforeEach(() => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-choose-")));
	root = join(outer, "ws");
	mkdirSync(join(root, "bin"), { recursive: true });
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

function choose(over: Partial<SandboxWish> = {}) {
	const cacheFolder = join(outer, "cache");
	return chooseSandbox({ mode: "auto", env: process.env, roots: [root], cacheFolder, ...over });
}

function program(path: string, script: string): void {
	writeFileSync(path, `#!/bin/sh\n${script}\n`);
	chmodSync(path, 0o755);
}

describe("chooseSandbox", () => {
	it("chooses none where the person wants none, or the system has none", async () => {
		expect(await choose({ mode: "none" })).toEqual({
			kind: "none",
			level: "none",
			notice: "Commands run with your full rights: the sandbox is switched off.",
		});
		expect((await choose({ platform: "win32" })).notice).toContain("agi knows no sandbox for win32");
		expect((await choose({ platform: "linux", arch: "riscv64" })).notice).toContain("riscv64");
		expect((await choose({ mode: "seatbelt", platform: "linux" })).notice).toContain("no sandbox for linux");
	});

	it.each(["/", "/proc/self", "/dev"])("makes none around %s, whose mount would undo it", async (root) => {
		const chosen = await choose({ roots: [root], platform: "linux" });
		expect(chosen).toMatchObject({ level: "none", notice: expect.stringContaining(`around ${root}.`) });
	});

	it.each([
		["auto", /Install the package bubblewrap/],
		["docker", /docker is not on PATH/],
	] as const)("says what to install for mode %s where it is missing", async (mode, words) => {
		const chosen = await choose({ mode, platform: "linux", env: { PATH: outer } });
		expect(chosen).toMatchObject({ kind: "none", level: "none" });
		expect(chosen.notice).toMatch(words);
	});

	it("takes no program out of the workspace, by whatever link", async () => {
		program(join(root, "bin", "bwrap"), `touch ${outer}/ran`);
		symlinkSync(join(root, "bin"), join(outer, "link"));
		mkdirSync(join(outer, "other"));
		symlinkSync(join(root, "bin", "bwrap"), join(outer, "other", "bwrap"));
		const path = [join(root, "bin"), join(outer, "link"), join(outer, "other"), "bin"].join(":");
		const chosen = await choose({ platform: "linux", env: { PATH: path } });
		expect(chosen.notice).toContain("bubblewrap is not on PATH");
		expect(existsSync(join(outer, "ran"))).toBe(false);
	});

	it("trusts no bwrap that lets the test command do what it likes, and tells it", async () => {
		program(
			join(outer, "bwrap"),
			'[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; while [ "$1" != -- ]; do shift; done; shift; cd ' +
				`${outer}/cache/sandbox-test/test-*/workspace; exec "$@"`,
		);
		const env = { PATH: `${outer}:${process.env["PATH"]}` };
		const chosen = await choose({ platform: "linux", env });
		expect(chosen).toMatchObject({ level: "none" });
		expect(chosen.notice).toContain("could write outside of its folder");
	});

	it("repeats in one line what a bwrap says that does not even tell its version", async () => {
		program(join(outer, "bwrap"), "echo 'bwrap: boom' >&2; exit 1");
		const chosen = await choose({ platform: "linux", env: { PATH: outer } });
		expect(chosen).toMatchObject({
			level: "none",
			notice: "Commands run with your full rights: bwrap cannot make a sandbox here (bwrap: boom).",
		});
	});

	it("repeats what a bwrap says that fails", async () => {
		program(
			join(outer, "bwrap"),
			'[ "$1" = --version ] && echo bubblewrap 0.8.0 && exit; echo "bwrap: setting up uid map: Permission denied" >&2; exit 1',
		);
		const { level, notice } = await choose({ platform: "linux", env: { PATH: outer } });
		expect(level).toBe("none");
		expect(notice).toMatch(/setting up uid map: Permission denied.*User namespaces seem to be blocked/);
	});

	it("never calls a container full, which it cannot test", async () => {
		program(join(outer, "docker"), "echo 27.0");
		const chosen = await choose({ mode: "docker", env: { PATH: outer }, image: "mine:1" });
		expect(chosen).toMatchObject({ kind: "docker", level: "partial" });
		const profile = {
			roots: [root],
			readOnly: [],
			hidden: [],
			hiddenInRoots: [],
			shown: [],
			writable: true,
			network: false,
		};
		const { args } = chosen.sandbox!.prepare({ file: "/bin/sh", args: [], cwd: root, env: {} }, profile);
		expect(args).toContain("mine:1");
	});

	it("says that docker does not answer", async () => {
		program(join(outer, "docker"), "echo 'Cannot connect to the Docker daemon' >&2; exit 1");
		const { level, notice } = await choose({ mode: "docker", env: { PATH: outer } });
		expect(level).toBe("none");
		expect(notice).toContain("Is the Docker service running");
	});

	it.skipIf(!hasBwrap)(
		"tests this machine once, and again where the test is asked for or the machine changed",
		async () => {
			const cache = join(outer, "cache", "sandbox.json");
			expect(await choose()).toMatchObject({ kind: "bubblewrap", level: "full" });
			const passed = readFileSync(cache, "utf8");
			expect(passed).toMatch(/bwrap \d+\.\d+/);
			writeFileSync(cache, passed.replace(/\d+\.\d+/, "0.0"));
			expect(await choose()).toMatchObject({ level: "full" });
			expect(readFileSync(cache, "utf8")).toBe(passed);
			expect(await choose({ anew: true })).toMatchObject({ level: "full" });
		},
	);
});
