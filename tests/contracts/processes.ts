// What every adapter of the processes port must do, whatever it runs commands with.

import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ProcessEnd, Processes, ProcessRequest } from "../../src/ports/processes.ts";
import { markedProcesses } from "../support/markedProcesses.ts";

/** Runs the suite against the adapter that `create` makes. */
export function processesContract(create: () => Processes): void {
	let folder: string;
	let mark: string;
	const processes = create();

	beforeEach(() => {
		folder = realpathSync(mkdtempSync(join(tmpdir(), "agi-processes-")));
		mark = randomUUID();
	});
	afterEach(() => {
		rmSync(folder, { recursive: true, force: true });
		expect(markedProcesses(`TEST_MARK=${mark}`)).toEqual([]);
	});

	function run(
		command: ProcessRequest["command"] | string,
		more: Partial<ProcessRequest> = {},
	): Promise<ProcessEnd> {
		return processes.run({
			command: typeof command === "string" ? { shell: command } : command,
			cwd: folder,
			timeoutMs: 20_000,
			signal: new AbortController().signal,
			...more,
			env: { TEST_MARK: mark, ...more.env },
		});
	}

	describe("the end of a command", () => {
		it("tells output, exit code and size of a command that ended well", async () => {
			const end = await run("echo out; echo err >&2; pwd");
			expect(end).toMatchObject({
				exitCode: 0,
				timedOut: false,
				cancelled: false,
				treeEnded: true,
				backgroundEnded: 0,
			});
			expect(end.output).toBe(`out\nerr\n${folder}\n`);
			expect(end.outputBytes).toBe(end.output.length);
			expect(end.signal).toBeUndefined();
			expect(end.durationMs).toBeGreaterThan(0);
		});

		it.each([
			["exit 7", 7],
			["false | true", 0],
			["no-such-program-here", 127],
		])("tells the exit code of `%s`", async (command, exitCode) => {
			expect(await run(command)).toMatchObject({ exitCode });
		});

		it.each(["SIGKILL", "SIGSEGV", "SIGTERM"])("tells %s instead of an exit code", async (signal) => {
			const end = await run(`kill -${signal.slice(3)} $$`);
			expect(end).toMatchObject({ signal, timedOut: false });
			expect(end.exitCode).toBeUndefined();
		});

		it("passes arguments of a program on as they are", async () => {
			const end = await run({ file: "printf", args: ["%s|", "a b", "$HOME", "`x`", "'\"", "*"] });
			expect(end.output).toBe("a b|$HOME|`x`|'\"|*|");
		});

		it("gives a program its input and then the end of input", async () => {
			expect((await run({ file: "cat", args: [], input: "typed\n" })).output).toBe("typed\n");
		});

		it("lets a program end without reading its input", async () => {
			expect(await run({ file: "true", args: [], input: "x".repeat(1_000_000) })).toMatchObject({
				exitCode: 0,
			});
		});

		it("keeps nothing of one shell for the next", async () => {
			await run("cd /; export LEFT=over; f() { :; }");
			expect((await run('pwd; echo "[$LEFT]"; type f')).output).toMatch(
				new RegExp(`^${folder}\n\\[\\]\n.*f: not found`),
			);
		});
	});

	describe("a command that cannot be started", () => {
		it("names the folder that is gone", async () => {
			const gone = join(folder, "gone");
			expect((await run("true", { cwd: gone })).startError).toBe(`The folder ${gone} no longer exists.`);
		});

		it("names the program that is missing", async () => {
			const end = await run({ file: "no-such-program-here", args: [] });
			expect(end).toMatchObject({ startError: "no-such-program-here was not found.", treeEnded: true });
			expect(end.exitCode).toBeUndefined();
			expect(end.signal).toBeUndefined();
		});

		it("explains a NUL character and a command that is too long", async () => {
			expect((await run("echo a\0b")).startError).toContain("NUL");
			expect((await run(`: ${"x".repeat(3_000_000)}`)).startError).toContain("too long");
		});
	});

	describe("a command that asks", () => {
		it.each(["read -p 'Ok? ' x; echo got:$x", "cat; echo got:", "head -c 1 /dev/stdin; echo got:"])(
			"finds the end of input at once: %s",
			async (command) => {
				const end = await run(command);
				expect(end.output.endsWith("got:\n")).toBe(true);
			},
		);

		it("finds no terminal to read keys from", async () => {
			expect((await run("tty; echo x >/dev/tty || echo none")).output).toMatch(/not a tty\n[\s\S]*none\n$/);
		});
	});

	describe("processes in the background", () => {
		it("ends them with the command and counts them, though they hold the output open", async () => {
			const end = await run("(while :; do echo tick; sleep 0.1; done) & sleep 0.3; echo front done");
			expect(end).toMatchObject({ exitCode: 0, treeEnded: true });
			expect(end.output).toContain("front done");
			expect(end.backgroundEnded).toBeGreaterThanOrEqual(1);
			expect(end.durationMs).toBeLessThan(5000);
		});

		it("ends those that have a session and output of their own and ignore SIGTERM", async () => {
			const end =
				await run(`setsid bash -c 'trap "" TERM; echo up >up; while :; do sleep 0.1; done' >/dev/null 2>&1 &
				until [ -s up ]; do sleep 0.02; done`);
			expect(end).toMatchObject({ exitCode: 0, treeEnded: true });
			expect(end.backgroundEnded).toBeGreaterThanOrEqual(1);
		});

		it("says that one may be left where it gave up every mark of its call but holds the output", async () => {
			const outlive = "env -i setsid bash -c '>stays; while [ -e stays ]; do sleep 0.05; done'";
			const end = await run(`${outlive} & until [ -e stays ]; do sleep 0.02; done`);
			rmSync(join(folder, "stays"));
			expect(end).toMatchObject({ exitCode: 0, treeEnded: false });
		});

		it("waits for output that a substituted process is about to write", async () => {
			expect(await run("echo late > >(sleep 0.05; cat)")).toMatchObject({
				output: "late\n",
				backgroundEnded: 0,
			});
		});
	});

	describe("the time limit", () => {
		it("ends grandchildren too and keeps the output so far", async () => {
			const end = await run(`echo before; sh -c 'sh -c "sleep 987 & sleep 988"; echo never'`, {
				timeoutMs: 300,
			});
			expect(end).toMatchObject({ timedOut: true, cancelled: false, treeEnded: true, output: "before\n" });
			expect(end.durationMs).toBeLessThan(3300);
		});

		it("ends what ignores SIGTERM and what left the group", async () => {
			const end = await run(`setsid sleep 986 & trap '' TERM; while :; do sleep 0.05; done`, {
				timeoutMs: 300,
			});
			expect(end).toMatchObject({ timedOut: true, treeEnded: true, signal: "SIGKILL" });
		});

		it("lets a command clean up when it is asked to end", async () => {
			const end = await run("trap 'echo cleaned; exit 3' TERM; while :; do sleep 0.02; done", {
				timeoutMs: 300,
			});
			expect(end).toMatchObject({ timedOut: true, exitCode: 3 });
			expect(end.output).toContain("cleaned\n");
		});

		it("holds although output floods, and the memory stays bounded", async () => {
			const before = process.memoryUsage().rss;
			let peak = before;
			const end = await run("yes 0123456789", {
				timeoutMs: 700,
				onOutput: () => {
					peak = Math.max(peak, process.memoryUsage().rss);
				},
			});
			expect(end.timedOut).toBe(true);
			expect(end.durationMs).toBeLessThan(3700);
			expect(end.outputBytes).toBeGreaterThan(1_000_000);
			expect(end.output).toMatch(
				/^0123456789\n[\s\S]*\n\.\.\. \[\d+ bytes left out\] \.\.\.\n[\s\S]*0123456789\n/,
			);
			expect(end.output.length).toBeLessThan(2_100_000);
			expect(peak - before).toBeLessThan(200_000_000);
		});
	});

	describe("a cancel", () => {
		it("ends the whole tree before it is told", async () => {
			const abort = new AbortController();
			const running = run("echo up; (setsid sleep 985 &) ; sleep 984", {
				signal: abort.signal,
				onOutput: () => abort.abort(),
			});
			expect(await running).toMatchObject({
				cancelled: true,
				timedOut: false,
				treeEnded: true,
				output: "up\n",
			});
		});

		it("starts nothing where it came first", async () => {
			const end = await run("touch made", { signal: AbortSignal.abort() });
			expect(end).toMatchObject({ cancelled: true, treeEnded: true, output: "" });
			expect(readdirSync(folder)).toEqual([]);
		});
	});

	describe("output", () => {
		it("folds redraws and drops control sequences", async () => {
			const end = await run(
				`for i in $(seq 1 2000); do printf '\\r\\033[32m%d/2000\\033[0m' $i; done; echo; echo built`,
			);
			expect(end.output).toBe("2000/2000\nbuilt\n");
			expect(end.outputBytes).toBeGreaterThan(30_000);
		});

		it("joins a character that was written in two halves and replaces what is no character", async () => {
			const end = await run(
				`printf 'price \\342\\202'; sleep 0.1; printf '\\254 5\\n'; printf '\\377\\376 x\\n'`,
			);
			expect(end.output).toMatch(/^price € 5\n\ufffd+ x\n$/);
		});

		it("keeps stdout and stderr in the order in which they were written", async () => {
			const end = await run("for i in $(seq 1 200); do echo o$i; echo e$i >&2; done");
			expect(end.output).toBe(Array.from({ length: 200 }, (_, i) => `o${i + 1}\ne${i + 1}\n`).join(""));
		});

		it("can be opened by the names /dev/stdout and /dev/stderr", async () => {
			expect((await run("echo a >/dev/stderr; echo b | tee /dev/stdout")).output).toBe("a\nb\nb\n");
		});

		it("comes live", async () => {
			const shown: string[] = [];
			const running = run("echo first; until [ -e go ]; do sleep 0.02; done; echo second", {
				onOutput: (text) => shown.push(text),
			});
			await vi.waitUntil(() => shown.join("") === "first\n", { timeout: 5000 });
			await run("touch go");
			expect((await running).output).toBe("first\nsecond\n");
			expect(shown.join("")).toBe("first\nsecond\n");
		});

		it("of several commands at once stays apart", async () => {
			const ends = await Promise.all(
				Array.from({ length: 12 }, (_, i) => run(`sleep 0.0${i % 4}; echo ${i}`)),
			);
			expect(ends.map((end) => end.output)).toEqual(Array.from({ length: 12 }, (_, i) => `${i}\n`));
		});
	});

	describe("code", () => {
		let temp: string;
		beforeEach(() => {
			temp = mkdtempSync(join(tmpdir(), "agi-temp-"));
			vi.stubEnv("TMPDIR", temp);
		});
		afterEach(() => {
			vi.unstubAllEnvs();
			expect(readdirSync(temp)).toEqual([]);
			rmSync(temp, { recursive: true });
		});

		it.each([
			["javascript", "import os from 'node:os'; console.log(process.cwd(), typeof os.EOL)"],
			["typescript", "const text: string = process.cwd(); console.log(text as string, typeof text)"],
			["python", "import os\nprint(os.getcwd(), 'string')"],
		] as const)("in %s runs in the given folder and leaves no file behind", async (language, code) => {
			const end = await run({ code, language });
			expect(end).toMatchObject({ exitCode: 0, output: `${folder} string\n` });
			expect(readdirSync(folder)).toEqual([]);
		});

		it("takes its file away also when it fails or is timed out", async () => {
			expect(await run({ code: "process.exit(4)", language: "javascript" })).toMatchObject({ exitCode: 4 });
			const endless = run(
				{ code: "setInterval(() => {}, 1000)", language: "javascript" },
				{ timeoutMs: 200 },
			);
			expect(await endless).toMatchObject({ timedOut: true, treeEnded: true });
		});
	});
}
