import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { runSelfTest } from "../../../src/adapters/sandbox/selfTest.ts";
import type { Sandbox } from "../../../src/ports/sandbox.ts";

/** What the test says of a wrapper that only runs `script`, in the test's workspace. */
function endOf(script: string) {
	const folder = mkdtempSync(join(tmpdir(), "agi-self-test-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const sandbox = {
		kind: "bwrap",
		prepare: ({ cwd }: { cwd: string }) => ({
			file: "/bin/sh",
			args: ["-c", `cd "$0"; ${script}`, cwd],
			env: process.env as Record<string, string>,
			fds: [],
		}),
	} as unknown as Sandbox;
	return runSelfTest(sandbox, folder);
}

it("blames a full disk, not the sandbox, where its own files find no room", async () => {
	const error = "Error: ENOSPC: no space left on device, write";
	expect(await endOf(`: > inside; printf 'node:fs:1\\n${error}\\n' >&2; exit 1`)).toEqual({
		ran: false,
		error: expect.stringMatching(/^its test could not be written to \/.+: the disk is full \(ENOSPC\)$/),
	});
});

it("tells the wrapper's own words where namespaces are used up, which has the same code", async () => {
	const error = "bwrap: Creating new namespace failed: max_user_namespaces exceeded (ENOSPC)";
	expect(await endOf(`echo '${error}' >&2; exit 1`)).toEqual({ ran: false, error });
});

it.each(["", "deep/".repeat(30)])(
	"sees what no wall stops, in a folder whose path ends in %j",
	async (below) => {
		const folder = mkdtempSync(join(tmpdir(), "agi-self-test-"));
		onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
		const noWall: Sandbox = {
			kind: "bubblewrap",
			// Without a path there is no `mount` to be tried for real.
			prepare: ({ file, args }) => ({ file, args, env: { PATH: "" }, fds: [] }),
		};
		const end = await runSelfTest(noWall, join(folder, below));
		expect(end.ran && end.succeeded).toEqual(
			expect.arrayContaining([
				"write outside of the workspace",
				"reach a port of this machine",
				"reach a unix socket of this machine",
			]),
		);
	},
);
