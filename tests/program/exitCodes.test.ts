// Every way a headless run ends badly: its exit code, one sentence with the way out as the last line on stderr, a result
// line in JSON runs, no stack trace, and nothing lost.

import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/flags.ts";
import { markedProcesses } from "../support/markedProcesses.ts";
import {
	ask,
	at,
	BYPASS,
	createProject,
	type Ended,
	eventsOf,
	jsonLines,
	type Project,
	runAgi,
	runShell,
	scripted,
	sessionFolders,
	startAgi,
	until,
} from "../support/program.ts";

/** Runs with `--output-format json` and expects the same reason on stderr and in the result line. */
async function fails(project: Project, args: string[], options: Parameters<typeof runAgi>[2] = {}) {
	const ended = await runAgi(project, [...args, "--output-format", "json"], options);
	const [line, ...more] = jsonLines(ended.stdout);
	expect(more).toEqual([]);
	expect(line).toMatchObject({ type: "result", is_error: true });
	expect(ended.stderr).not.toMatch(/^\s+at .*:\d+:\d+/m);
	expect(reasonOf(ended)).toContain(String(line?.error).split("\n").at(-1));
	return { ...ended, line, reason: reasonOf(ended) };
}

describe.concurrent("a home in which no folder can be made", () => {
	it.each(["AGI_HOME", "XDG_CACHE_HOME"])(
		"ends the start with 42 where %s lies below /proc",
		async (name) => {
			const env = { [name]: "/proc/none", ...(name === "AGI_HOME" ? {} : { AGI_HOME: "" }) };
			const ended = await runAgi(createProject(), ["-p", "hi", "-m", "offline"], { env });
			expect(ended.code).toBe(42);
			expect(reasonOf(ended)).toMatch(/^No folder can be made below \/proc, .* Set HOME or AGI_HOME/);
		},
	);
});

describe.concurrent("a folder that is gone", () => {
	const commands = [
		["-p", "hi"],
		["setup"],
		["sessions", "list"],
		["models"],
		["stats"],
		["eval"],
		["sandbox", "--", "true"],
		["doctor"],
		["permissions"],
		["config", "list"],
	];

	it("is tried with every command", () => {
		const told = commands.flatMap(([first = ""]) => (first === "-p" ? [] : [first]));
		expect(told.sort()).toEqual(Object.keys(COMMANDS).sort());
	});

	it.each(commands)("ends agi %s with 42 and the way out", async (...words) => {
		const project = createProject();
		const line = `mkdir gone && cd gone && rmdir ../gone && exec "$AGI" ${words.join(" ")}`;
		const ended = await runShell(project, line);
		expect({ code: ended.code, reason: reasonOf(ended) }).toEqual({
			code: 42,
			reason: "The folder agi was started in no longer exists. Go to one that does and start agi again.",
		});
	});

	it("does not keep agi from telling its version and its help", async () => {
		for (const flag of ["--version", "--help"])
			expect(
				(await runShell(createProject(), `mkdir d && cd d && rmdir ../d && exec "$AGI" ${flag}`)).code,
			).toBe(0);
	});
});

function reasonOf({ stderr }: Ended): string {
	return stderr.trimEnd().split("\n").at(-1) ?? "";
}

/** An address that refuses connections: it was just given back. */
async function refusingAddress(): Promise<string> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return `http://127.0.0.1:${port}/v1`;
}

describe.concurrent("before a session, agi -p", () => {
	it("ends with 41 where nothing is configured, and names the offline model", async () => {
		const { code, line, reason } = await fails(createProject(), ["-p", "hi"]);
		expect(code).toBe(41);
		expect(line?.subtype).toBe("error_auth");
		expect(reason).toMatch(/LLM_API_KEY.*-m offline/s);
	});

	it("ends with 41 where a remote provider has no key", async () => {
		const { code, reason } = await fails(createProject(), ["-p", "hi", "--profile", "openai", "-m", "gpt-5"]);
		expect(code).toBe(41);
		expect(reason).toMatch(/key for api\.openai\.com/i);
	});

	it("ends with 52 where there is a server and no model", async () => {
		const { code, reason } = await fails(createProject(), [
			"-p",
			"hi",
			"--base-url",
			"http://127.0.0.1:9/v1",
		]);
		expect(code).toBe(52);
		expect(reason).toMatch(/-m NAME/);
	});

	it("ends with 52 on a mistake in the settings, naming file, line and the right key", async () => {
		const project = createProject();
		const folder = join(project.home, "config");
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, "settings.json"), '{\n\t"model": "m",\n\t"permisionMode": "plan"\n}\n');
		const { code, reason } = await fails(project, ["-p", "hi"]);
		expect(code).toBe(52);
		expect(reason).toContain(join(folder, "settings.json"));
		expect(reason).toMatch(/line 3.*did you mean "permissionMode"/);
	});

	it("ends with 52 on settings that are no JSON, and leaves the file as it is", async () => {
		const project = createProject();
		const path = join(project.home, "config", "settings.json");
		mkdirSync(join(project.home, "config"), { recursive: true });
		writeFileSync(path, '{"model": ');
		expect((await fails(project, ["-p", "hi"])).code).toBe(52);
		expect(project.read("../home/config/settings.json")).toBe('{"model": ');
	});

	it("ends with 52 where a cost limit cannot hold because the price is unknown", async () => {
		const server = await scripted([{ text: "never" }]);
		const { code, reason } = await fails(createProject(), ["-p", "hi", ...at(server), "--max-cost", "1"]);
		expect(code).toBe(52);
		expect(reason).toMatch(/price of case-model is not known.*--max-tokens/);
		expect(server.requests).toHaveLength(0);
	});

	it.each([
		["an unknown flag", ["-p", "hi", "--modell", "x"], /--model\b/],
		["an unknown mode", ["-p", "hi", "--permission-mode", "yolo"], /bypassPermissions/],
		["an unknown format", ["-p", "hi", "--output-format", "xml"], /stream-json/],
		["a limit that is no number", ["-p", "hi", "--max-steps", "many"], /--max-steps/],
		["an unknown command", ["sesions", "list"], /sessions/],
	])("ends with 2 on %s and offers the right one", async (_, args, hint) => {
		const ended = await runAgi(createProject(), args);
		expect(ended).toMatchObject({ code: 2, stdout: "" });
		expect(reasonOf(ended)).toMatch(hint);
	});

	it("ends with 42 where the folder it stands in is gone", async () => {
		const project = createProject();
		const ended = await runShell(
			project,
			'mkdir gone && cd gone && rmdir ../gone && exec "$AGI" -p hi -m offline --output-format json',
		);
		expect(ended.code).toBe(42);
		expect(jsonLines(ended.stdout)).toEqual([expect.objectContaining({ type: "result", is_error: true })]);
		expect(reasonOf(ended)).toMatch(/no longer exists/);
		expect(ended.stderr).not.toMatch(/ENOENT|uv_cwd|^\s+at /m);
	});

	it("ends with 42 on a session id that nobody has, and shows how to list them", async () => {
		const { code, reason } = await fails(createProject(), ["-p", "hi", "-r", "nope", "-m", "offline"]);
		expect(code).toBe(42);
		expect(reason).toMatch(/No session nope .*agi sessions list/);
	});

	it("ends with 42 on -c in a folder without a session", async () => {
		const { code, reason } = await fails(createProject(), ["-c", "-p", "hi", "-m", "offline"]);
		expect(code).toBe(42);
		expect(reason).toMatch(/without -c/);
	});

	it("ends with 42 on a log with a damaged line, names it, and leaves every byte as it was", async () => {
		const project = createProject();
		expect((await runAgi(project, ["-p", "list the files", "-m", "offline"])).code).toBe(0);
		const log = join(sessionFolders(project)[0]!, "log.jsonl");
		const lines = readFileSync(log, "utf8").split("\n");
		lines[1] = lines[1]!.replace('"type"', '"tipe"');
		writeFileSync(log, lines.join("\n"));
		const { code, reason } = await fails(project, ["-c", "-p", "hi", "-m", "offline"]);
		expect(code).toBe(42);
		expect(reason).toMatch(/damaged.*line 2/);
		expect(readFileSync(log, "utf8")).toBe(lines.join("\n"));
	});

	it("ends with a sentence where its data folder cannot be made", async () => {
		const project = createProject();
		writeFileSync(project.home, "a file where the folder should be");
		const { code, reason } = await fails(project, ["-p", "hi", "-m", "offline"]);
		expect(code).toBe(1);
		expect(reason).toContain(project.home);
		expect(reason).toMatch(/could not be made: .*set AGI_HOME .*--ephemeral/);
	});

	it.skipIf(process.getuid?.() !== 0)("ends with 42 in a folder that it may not enter", async () => {
		const project = createProject();
		chmodSync(project.outer, 0o777);
		chmodSync(project.root, 0o000);
		const run = { uid: 65_534, env: { HOME: "/nonexistent" } };
		const { code, reason } = await fails(project, ["-p", "list the files", "-m", "offline"], run);
		chmodSync(project.root, 0o700);
		expect(code).toBe(42);
		expect(reason).toMatch(/cannot be entered\. Start agi in one that does/);
	});

	it("says where it failed only with --debug", async () => {
		const plain = await runAgi(createProject(), ["-p", "hi"]);
		expect(plain.stderr).not.toMatch(/^\s+at /m);
		const debug = await runAgi(createProject(), ["-p", "hi", "--debug"]);
		expect(debug.stderr).toMatch(/^\s+at /m);
		expect(debug.code).toBe(41);
	});
});

describe.concurrent("against a server that cannot answer, agi -p", () => {
	it("ends with 1 after its retries where nothing listens, and names the address", async () => {
		const address = await refusingAddress();
		const { code, line, reason, stderr } = await fails(createProject(), [
			...["-p", "hi", "-m", "m", "--base-url", address],
		]);
		expect(code).toBe(1);
		expect(line?.subtype).toBe("error_model");
		expect(reason).toMatch(/connection was refused.*Tried 4 times/);
		expect(stderr.match(/retry \d of 3/g)).toEqual(["retry 1 of 3", "retry 2 of 3", "retry 3 of 3"]);
	});

	it("ends with 41 where the server refuses the key, without a retry", async () => {
		const server = await scripted([{ http: { status: 401, body: { error: { message: "bad key" } } } }]);
		const { code, line } = await fails(createProject(), ["-p", "hi", ...at(server)], {
			env: { LLM_API_KEY: "test-key-000111" },
		});
		expect(code).toBe(41);
		expect(line?.subtype).toBe("error_auth");
		expect(server.requests).toHaveLength(1);
	});

	it("ends with 1 on a web page in place of a reply and doubts the base URL", async () => {
		const page = "<!doctype html><html><head><title>Welcome</title></head></html>";
		const server = await scripted([{ http: { status: 200, body: page } }]);
		const { code, reason } = await fails(createProject(), ["-p", "hi", ...at(server)]);
		expect(code).toBe(1);
		expect(reason).toMatch(/web page.*base URL/);
		expect(server.requests).toHaveLength(1);
	});

	it("ends with 1 on a model that the server does not know and points to the names", async () => {
		const body = { error: { message: "model not found", code: "model_not_found" } };
		const server = await scripted([{ http: { status: 404, body } }]);
		const { code, reason } = await fails(createProject(), ["-p", "hi", ...at(server)]);
		expect(code).toBe(1);
		expect(reason).toMatch(/case-model.*agi models/);
		expect(server.requests).toHaveLength(1);
	});

	it("ends with 53 at a step limit and says how to raise it", async () => {
		const project = createProject({ "a.txt": "alpha\n" });
		const read = { calls: [{ name: "readFile", args: { path: "a.txt" } }] };
		const server = await scripted([read, read, read]);
		const { code, line, reason } = await fails(project, ["-p", "hi", ...at(server), "--max-steps", "2"]);
		expect(code).toBe(53);
		expect(line).toMatchObject({ subtype: "error_limit", num_steps: 2 });
		expect(line?.result).toMatch(/^\[Agent stopped: Loop iteration limit exceeded/);
		expect(reason).toMatch(/--max-steps/);
	});

	it("ends with 53 at a time limit while the model says nothing", async () => {
		const server = await scripted([{ hang: true }]);
		const { code, reason } = await fails(createProject(), ["-p", "hi", ...at(server), "--timeout", "1"]);
		expect(code).toBe(53);
		expect(reason).toMatch(/Time limit exceeded.*--timeout/);
	});

	it.each<[string, { d: unknown; f: string }, RegExp]>([
		[
			"a content filter",
			{ d: { content: "so far" }, f: "content_filter" },
			/content filter .*another model\.$/,
		],
		[
			"a refusal of two lines",
			{ d: { refusal: "I will not.\n\nIt is wrong." }, f: "stop" },
			/^The model refused: I will not\. It is wrong\. Say it in other words/,
		],
		[
			"an answer that is cut each time",
			{ d: { content: "one\ntwo\n" }, f: "length" },
			/^The output limit cut the answer .*: ask for less/,
		],
	])("ends with 1 on %s; the last line is the reason and the way out", async (_, frame, words) => {
		const server = await scripted(Array.from({ length: 3 }, () => ({ sse: [frame, "DONE"] })));
		const { code, line, reason } = await fails(createProject(), ["-p", "hi", ...at(server)]);
		expect(code).toBe(1);
		expect(line?.subtype).toBe("error_model");
		expect(reason).toMatch(words);
	});

	it("ends with 42 where the file with the project's id is broken, and says what to do about it", async () => {
		const project = createProject({ ".agent/project.json": "" });
		const server = await scripted([]);
		const { code, reason } = await fails(project, ["-c", "-p", "hi", ...at(server)]);
		expect(code).toBe(42);
		expect(reason).toMatch(/No session .*project\.json holds no id.*remove it to get a new id/);
		expect(project.read(".agent/project.json")).toBe("");
	});

	it("keeps the prompt of a failed run for the next one", async () => {
		const project = createProject();
		const broken = await scripted([{ http: { status: 400, body: { error: { message: "no" } } } }]);
		expect((await ask(project, broken, { prompt: "remember the word kiwi" })).code).toBe(1);
		const server = await scripted([{ text: "kiwi" }]);
		expect((await ask(project, server, { prompt: "again", flags: ["-c"] })).code).toBe(0);
		const said = server.requests[0]?.messages.filter((message) => message.role === "user");
		expect(said?.map((message) => message.content).join()).toMatch(/kiwi.*again/s);
	});
});

describe.concurrent("told to end, agi -p", () => {
	it.each([
		["SIGINT", 130],
		["SIGTERM", 143],
		["SIGHUP", 143],
	] as const)("settles the turn on %s and ends with %i", async (signal, code) => {
		const project = createProject();
		const server = await scripted([{ sse: [{ d: { content: "Half a sen" } }, "hang"] }]);
		const args = ["-p", "hi", ...at(server), "--output-format", "stream-json", "--include-partial-messages"];
		const run = startAgi(project, args);
		await until("the first words", () => run.stdout().includes("Half a sen"));
		run.kill(signal);
		const ended = await run.ended;
		expect(ended.code).toBe(code);
		expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ type: "result", subtype: "error_cancelled" });
		const events = eventsOf(project);
		expect(events.find((event) => event.type === "attempt/end")).toMatchObject({
			outcome: "cancelled",
			text: "Half a sen",
		});
		expect(events.at(-1)).toMatchObject({ type: "turn/end", status: "cancelled" });
	});

	it.skipIf(!existsSync("/proc/self/status"))(
		"hears a signal before anything is loaded: nobody waits for stdin, and there is a result",
		async () => {
			const server = await scripted([{ text: "never" }]);
			const run = startAgi(createProject(), ["-p", "hi", ...at(server), "--output-format", "json"], {
				stdin: { open: true },
			});
			// SIGHUP is signal 1, the lowest bit of the mask of caught ones; Node itself catches others only.
			await until("ears for signals", () => {
				const status = readFileSync(`/proc/${run.pid}/status`, "utf8");
				return (Number.parseInt(/SigCgt:.*(.)$/m.exec(status)?.[1] ?? "0", 16) & 1) === 1;
			});
			run.kill("SIGTERM");
			const ended = await run.ended;
			expect(ended.code).toBe(143);
			expect(jsonLines(ended.stdout).at(-1)).toMatchObject({ type: "result", subtype: "error_cancelled" });
			expect(server.requests).toHaveLength(0);
		},
	);

	it("ends at once on a second signal, says so, and leaves nothing running", async () => {
		const project = createProject();
		const command = "trap '' TERM; touch started; sleep 100; sleep 100";
		const server = await scripted([{ calls: [{ name: "runCommand", args: { command } }] }, { text: "no" }]);
		const run = startAgi(project, ["-p", "hi", ...at(server), ...BYPASS], { env: { MARK: project.outer } });
		await until("the command", () => existsSync(project.path("started")));
		run.kill("SIGINT");
		run.kill("SIGTERM");
		const ended = await run.ended;
		expect([130, 143]).toContain(ended.code);
		expect(ended.stderr).toMatch(/a second signal came\. `agi -c` settles it/);
		await until("the end of the command", () => markedProcesses(`MARK=${project.outer}`).length === 0);
	});

	it("ends what a running command started", async () => {
		const project = createProject();
		const command = "sleep 100 & sleep 100";
		const server = await scripted([{ calls: [{ name: "runCommand", args: { command } }] }, { text: "no" }]);
		const run = startAgi(project, ["-p", "hi", ...at(server), ...BYPASS], { env: { MARK: project.outer } });
		const sleeping = () =>
			markedProcesses(`MARK=${project.outer}`).filter((line) => line.startsWith("sleep"));
		await until("both", () => sleeping().length === 2);
		run.kill("SIGTERM");
		expect((await run.ended).code).toBe(143);
		expect(markedProcesses(`MARK=${project.outer}`)).toEqual([]);
	});
});
