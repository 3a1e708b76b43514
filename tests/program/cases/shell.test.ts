// Commands as models write them: background children, questions, floods, progress bars, odd bytes, signals. Wait for the
// command judge of a later part: allowed prefixes with something chained on, redirects that make a reader a writer, other
// spellings of destructive commands (what the hard denials cover of those is in security.test.ts).

import { describe, expect, it } from "vitest";
import { markedProcesses } from "../../support/markedProcesses.ts";
import { ask, createProject, outcomes, scripted } from "../../support/program.ts";

/** Runs the commands in one run, each in a reply of its own; A command that would wait runs into its time limit. */
async function run(commands: { command: string; timeout?: number }[]) {
	const project = createProject();
	const server = await scripted([
		...commands.map((args) => ({ calls: [{ name: "runCommand", args }] })),
		{ text: "ok" },
	]);
	const ended = await ask(project, server, { env: { MARK: project.outer } });
	expect(ended.code, ended.stderr).toBe(0);
	expect(markedProcesses(`MARK=${project.outer}`)).toEqual([]);
	return { ends: outcomes(ended.lines), server };
}

describe.concurrent("runCommand", () => {
	it("returns with the command and not with its background child, which is ended and told", async () => {
		const loop = "(while true; do echo tick; sleep 1; done) & echo front done";
		const { ends } = await run([{ command: loop, timeout: 20 }]);
		expect(ends[0]).toEqual({ status: "result", text: expect.stringMatching(/front done/) });
		expect(ends[0]?.text).toMatch(/background process.* ended/);
	});

	it("ends grandchildren at its time limit, and tells the limit and the output so far", async () => {
		const tree = `echo begun; sh -c 'sh -c "sleep 987 & sleep 988"; echo never'`;
		const { ends } = await run([{ command: tree, timeout: 1 }]);
		expect(ends[0]).toEqual({
			status: "error",
			text: expect.stringMatching(/timed out after 1 s.*\nbegun/s),
		});
		expect(ends[0]?.text).not.toContain("never");
	});

	it("gives a command that asks a question the end of input at once", async () => {
		const { ends } = await run([
			{ command: "read -p 'Ok to proceed? ' x; echo got:$x", timeout: 20 },
			{ command: "cat", timeout: 20 },
			{ command: "node -e 'process.stdin.on(\"end\", () => process.exit(3)).resume()'", timeout: 20 },
			{ command: "cat < /dev/tty", timeout: 20 },
		]);
		expect(ends[0]?.text).toContain("got:");
		expect(ends[1]).toEqual({ status: "result", text: "Command completed successfully (no output)" });
		expect(ends[2]?.text).toMatch(/exit code 3/);
		expect(ends[3]?.status).toBe("error");
	});

	it("bounds a flood, keeps its head and tail, and still ends at the time limit", async () => {
		const { ends } = await run([
			{ command: "seq 1 200000", timeout: 20 },
			{ command: "seq 1 900000", timeout: 20 },
			{ command: "yes", timeout: 1 },
		]);
		const [long = "", flood = ""] = ends.map((end) => end.text);
		expect(Math.max(long.length, flood.length)).toBeLessThanOrEqual(50_000);
		const cut = Number(
			/^1\n2\n[\s\S]*\n\.\.\. \[(\d+) lines truncated\] \.\.\.\n[\s\S]*\n200000$/.exec(long)?.[1],
		);
		expect(long.split("\n").length - 2 + cut).toBe(200_000);
		expect(flood).toMatch(/^1\n2\n[\s\S]*\n900000\n\[\d+ bytes of its output were not kept.*\]$/);
		expect(ends[2]).toEqual({ status: "error", text: expect.stringMatching(/timed out after 1 s/) });
	});

	it("shows the last state of a progress bar, without colours and carriage returns", async () => {
		const bar = "for i in $(seq 1 2000); do printf '\\r\\033[32m%d/2000\\033[0m' $i; done; echo; echo built";
		const { ends, server } = await run([{ command: bar }]);
		expect(ends[0]?.text).toBe("2000/2000\nbuilt");
		expect(server.results()[0]).toBe("2000/2000\nbuilt");
	});

	it("joins a character that came in two halves and shows bytes that are none", async () => {
		const halves = "printf 'price \\342\\202'; sleep 0.1; printf '\\254 5\\n'; printf '\\377\\376 x\\n'";
		const { ends } = await run([{ command: halves }]);
		expect(ends[0]?.text).toMatch(/^price € 5\n.+ x$/);
	});

	it("tells a signal, an exit code, and a pipe for what they are", async () => {
		const { ends } = await run([
			{ command: "kill -9 $$" },
			{ command: "kill -SEGV $$" },
			{ command: "exit 7" },
			{ command: "false | true" },
		]);
		expect(ends).toEqual([
			{ status: "error", text: expect.stringMatching(/SIGKILL/) },
			{ status: "error", text: expect.stringMatching(/SIGSEGV/) },
			{ status: "error", text: "Command failed (exit code 7):" },
			{ status: "result", text: "Command completed successfully (no output)" },
		]);
	});

	it("keeps neither folder nor variables for the next command, and says so", async () => {
		const { ends } = await run([
			{ command: "cd /" },
			{ command: "pwd; echo [$X]" },
			{ command: "export X=1" },
		]);
		expect(ends[0]?.text).toMatch(/new shell/);
		expect(ends[1]?.text).toMatch(/app\n\[\]$/);
		expect(ends[2]?.text).toMatch(/new shell/);
	});
});
