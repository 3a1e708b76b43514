import { appendFileSync, chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { doctorCommand } from "../../src/cli/doctor.ts";
import { checkNode } from "../../src/cli/doctorMachine.ts";
import type { Finding, LocalServer } from "../../src/cli/finding.ts";
import { LOG_VERSION } from "../../src/session/events.ts";
import { parseLog } from "../../src/session/parseLog.ts";
import { type ChatServer, startChatServer } from "../adapters/models/chatServer.ts";
import { writeLog } from "../support/recordedLog.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
let server: ChatServer | undefined;
afterEach(async () => {
	desk.remove();
	await server?.close();
	server = undefined;
});

async function serve(models: string[]): Promise<string> {
	server = await startChatServer([{ body: JSON.stringify({ data: models.map((id) => ({ id })) }) }]);
	return server.baseUrl;
}

async function examine(localServers: readonly LocalServer[] = [], ...words: string[]) {
	const parsed = parseArguments(["doctor", ...words]) as CommandLine<"models" | "doctor">;
	const code = await doctorCommand(parsed, desk.around, localServers);
	return { code, ...desk.taken() };
}

/** The findings by name. */
async function findings(localServers: readonly LocalServer[] = []) {
	const { code, out } = await examine(localServers, "--json");
	const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: Finding[] };
	return { code, ok, ...Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest])) } as {
		code: number;
		ok: boolean;
	} & Record<string, Omit<Finding, "name">>;
}

describe("doctorCommand", () => {
	it("finds nothing failed on a fresh machine, and leaves no trace", async () => {
		desk = openDesk();
		const found = await findings();
		expect(found).toMatchObject({ code: 0, ok: true });
		expect(found["node"]?.detail).toContain(process.execPath);
		expect(found["ripgrep"]).toMatchObject({ status: "ok" });
		expect(found["model"]).toMatchObject({ status: "warn", detail: expect.stringContaining("LLM_API_KEY") });
		expect(found["local servers"]).toEqual({ status: "ok", detail: "none found" });
		expect(readdirSync(desk.project)).toEqual([]);
	});

	it("looks for Ollama where OLLAMA_HOST says that it is", async () => {
		const { host } = new URL(await serve(["qwen"]));
		desk = openDesk({ OLLAMA_HOST: host });
		const parsed = parseArguments(["doctor", "--json"]) as CommandLine<"models" | "doctor">;
		await doctorCommand(parsed, desk.around);
		const { checks } = JSON.parse(desk.taken().out) as { checks: Finding[] };
		const { detail } = checks.find(({ name }) => name === "local servers") ?? {};
		expect(detail).toContain(`Ollama at http://${host}/v1 with 1 model`);
	});

	it("warns where the person's editor is not there, by the name of its program", async () => {
		desk = openDesk({ VISUAL: "no-such-editor --wait" });
		expect((await findings())["editor"]).toEqual({
			status: "warn",
			detail: "no-such-editor was not found: Ctrl+G cannot open it; install it, or set VISUAL or EDITOR",
		});
		desk.remove();
		desk = openDesk({ EDITOR: "sh -c true" });
		const { editor, clipboard } = await findings();
		expect(editor).toEqual({ status: "ok", detail: "sh -c true" });
		expect(clipboard?.status).toBe("ok");
	});

	it("says that the configured model answers, and where its key comes from, never the key", async () => {
		const baseUrl = await serve(["alpha"]);
		desk = openDesk({ LLM_BASE_URL: baseUrl, LLM_MODEL: "alpha", LLM_API_KEY: "k-secret" });
		const { code, out } = await examine();
		expect(code).toBe(0);
		expect(out).toMatch(/^ok +key +set, from LLM_API_KEY$/m);
		expect(out).toContain(`alpha at ${baseUrl}, which answers`);
		expect(out).not.toContain("k-secret");
	});

	it("names broken skills of the person, and none of a folder that is not trusted", async () => {
		desk = openDesk();
		for (const folder of [
			join(desk.home, "config/skills/mine"),
			join(desk.project, ".agent/skills/theirs"),
		]) {
			mkdirSync(folder, { recursive: true });
			writeFileSync(join(folder, "SKILL.md"), "no head");
		}
		const { skills } = await findings();
		expect(skills?.status).toBe("warn");
		expect(skills?.detail).toMatch(/^0 can be used; left out: \S+mine\/SKILL\.md: it does not begin/);
		expect(skills?.detail).not.toContain("theirs");
	});

	it("warns of a model that the server does not list", async () => {
		const baseUrl = await serve(["alpha"]);
		desk = openDesk({ LLM_BASE_URL: baseUrl, LLM_MODEL: "beta" });
		expect((await findings())["model"]).toMatchObject({
			status: "warn",
			detail: expect.stringContaining("does not list"),
		});
	});

	it("fails where the configured server does not answer", async () => {
		const baseUrl = await serve([]);
		await server?.close();
		desk = openDesk({ LLM_BASE_URL: baseUrl, LLM_MODEL: "alpha" });
		expect(await findings()).toMatchObject({ code: 1, ok: false, model: { status: "fail" } });
	});

	it("offers a server on this machine without a key and goes on not using it", async () => {
		const baseUrl = await serve(["llama", "qwen"]);
		desk = openDesk({ LLM_API_KEY: "k-secret", LLM_MODEL: "offline" });
		const found = await findings([{ title: "Ollama", baseUrl }]);
		expect(found["local servers"]?.detail).toBe(
			`Ollama at ${baseUrl} with 2 models; to use it: agi --base-url ${baseUrl} -m llama`,
		);
		expect(found["model"]?.detail).toContain("embedded");
		expect(server?.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
	});

	it("fails with file, line and right key for a wrong settings file, and goes on looking", async () => {
		desk = openDesk();
		mkdirSync(join(desk.home, "config"), { recursive: true });
		writeFileSync(join(desk.home, "config", "settings.json"), '{\n\t"modle": "x"\n}');
		const found = await findings();
		expect(found).toMatchObject({ code: 1, settings: { status: "fail" } });
		expect(found["settings"]?.detail).toMatch(/settings\.json has a mistake: line 2: .*did you mean "model"/);
		expect(found["sessions"]).toMatchObject({ status: "ok" });
	});

	it("warns where others can look into the data folder", async () => {
		desk = openDesk();
		const data = join(desk.home, "data");
		mkdirSync(data, { recursive: true });
		chmodSync(data, 0o755);
		expect((await findings())["data folder"]).toEqual({
			status: "warn",
			detail: `others on this machine can look into ${data} (mode 755): chmod 700 ${data}`,
		});
		expect(readdirSync(data)).toEqual([]);
	});

	it("fails where a file stands in the place of the data folder", async () => {
		desk = openDesk();
		mkdirSync(desk.home);
		writeFileSync(join(desk.home, "data"), "");
		expect(await findings()).toMatchObject({
			code: 1,
			"data folder": { status: "fail", detail: expect.stringContaining("is not a folder") },
		});
	});

	it("warns of missing programs and says what is missed", async () => {
		desk = openDesk({ PATH: "/nonexistent" });
		expect((await findings())["git"]).toEqual({
			status: "warn",
			detail: "not on PATH: the agent cannot look at history or make commits; install it",
		});
	});

	it("tells a session that a newer agi wrote apart from a damaged one", async () => {
		desk = openDesk();
		const { folder } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		const log = join(folder, "log.jsonl");
		const { commits } = parseLog(readFileSync(log), crc32);
		writeLog(
			log,
			commits.map((commit) => ({ ...commit, v: LOG_VERSION + 1 })),
		);
		expect((await findings())["sessions"]).toEqual({
			status: "ok",
			detail: "0 of all folders, all sound; 1 of a newer agi not checked",
		});
	});

	it("fails with a count where a recorded session is damaged", async () => {
		desk = openDesk();
		const { folder } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
		expect((await findings())["sessions"]).toEqual({ status: "ok", detail: "1 of all folders, all sound" });
		const log = join(folder, "log.jsonl");
		const [line = ""] = readFileSync(log, "utf8").split("\n");
		appendFileSync(log, `${line}\n`);
		expect(await findings()).toMatchObject({ code: 1, sessions: { status: "fail" } });
	});
});

describe("checkNode", () => {
	it.each([
		["22.16.0", "ok"],
		["26.10.0", "ok"],
		["22.15.0", "fail"],
		["20.19.1", "fail"],
	])("calls %s %s", (version, status) => {
		expect(checkNode(version, "/usr/bin/node")).toMatchObject({ name: "node", status });
	});
});
