// Settings, mode and machine joined to the sandbox of a session.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, NO_SANDBOX, type SandboxSetup } from "../../src/wire/sandbox.ts";
import { hasBwrap } from "../support/bwrap.ts";

let outer: string;
let root: string;
beforeEach(() => {
	outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-wire-")));
	root = join(outer, "ws");
	mkdirSync(root);
});
afterEach(() => rmSync(outer, { recursive: true, force: true }));

const settings = { mode: "auto", required: false, network: false } as const;

function open(over: Partial<SandboxSetup> = {}) {
	const folders = { config: join(outer, "config"), data: join(outer, "data"), cache: join(outer, "cache") };
	return createSandbox({
		settings,
		container: false,
		folders,
		env: { PATH: outer },
		trusted: true,
		roots: [root],
		isOff: () => false,
		...over,
	});
}

describe("createSandbox", () => {
	it("knows nothing before it is asked", () => {
		expect(open().state()).toEqual({
			kind: "none",
			level: "checking",
			network: false,
			writable: true,
			required: false,
		});
	});

	it("takes the person's word that the machine is one, without a test, but not for a container or against a mode", async () => {
		const vouched = { settings: { ...settings, mode: "external", required: true } } as const;
		const external = { kind: "external", level: "full", network: true };
		expect(open(vouched).state()).toMatchObject(external);
		expect(await open(vouched).check()).toMatchObject(external);
		expect(await open({ ...vouched, container: true }).check()).toMatchObject({ level: "none" });
		const off = { settings: { ...settings, mode: "external" }, isOff: () => true } as const;
		expect(open(off).state()).toMatchObject({ level: "none" });
	});

	it("tells why there is none, and starts nothing in it", async () => {
		const sandbox = open();
		const state = await sandbox.check();
		expect(state).toMatchObject({
			level: "none",
			notice: expect.stringMatching(/^Commands run with your full rights: /),
		});
		expect(state).not.toHaveProperty("refusal");
		expect(sandbox.state()).toEqual(state);
		const launch = { file: "/bin/true", args: [], cwd: root, env: {} };
		await expect(sandbox.confine(launch, { network: false, shown: [] })).rejects.toThrow("full rights");
	});

	it.each([
		[
			"sandbox.required",
			{ settings: { ...settings, required: true } },
			/^Not run: The settings require a sandbox.*Set sandbox.required to false/,
		],
		[
			"SANDBOX_COMMANDS",
			{ container: true },
			/^Not run: SANDBOX_COMMANDS=true asks for a container.*docker is not on PATH.*Unset SANDBOX_COMMANDS/,
		],
	])("refuses commands where %s asks for one that is missing, in every mode", async (_, over, words) => {
		expect((await open({ ...over, isOff: () => true }).check()).refusal).toMatch(words);
	});

	it("is off in a mode that switches it off, and back with the next one", async () => {
		let off = true;
		const sandbox = open({ isOff: () => off });
		expect(await sandbox.check()).toEqual({
			kind: "none",
			level: "none",
			network: false,
			writable: true,
			required: false,
		});
		off = false;
		expect(sandbox.state().level).toBe("checking");
	});

	it("is off where the settings say none", async () => {
		expect(await open({ settings: NO_SANDBOX }).check()).toMatchObject({ level: "none" });
	});

	it.skipIf(!hasBwrap)("confines commands, read-only in a folder that is not trusted", async () => {
		const sandbox = open({ env: process.env, trusted: false });
		expect(await sandbox.check()).toMatchObject({ kind: "bubblewrap", level: "full", writable: false });
		const launch = { file: "/bin/true", args: [], cwd: root, env: {} };
		const confinement = await sandbox.confine(launch, { network: false, shown: [] });
		expect(confinement.launch.args).toEqual(["--args", expect.any(String), "--", "/bin/true"]);
		expect(await confinement.finish()).toEqual([]);
	});
});
