import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { storeLogin } from "../../../src/adapters/credentials/loginFiles.ts";
import { createLogins } from "../../../src/adapters/credentials/logins.ts";
import type { Profile } from "../../../src/adapters/models/catalog.ts";
import { type Reply, startChatServer } from "../models/chatServer.ts";

const NO_KEY = async () => undefined;

function folder(): string {
	const path = mkdtempSync(join(tmpdir(), "agi-logins-"));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

async function serve(...replies: Reply[]) {
	const server = await startChatServer(replies);
	onTestFinished(() => server.close());
	return server;
}

const local = (name: string, baseUrl: string): Profile => ({
	name,
	title: name,
	baseUrl,
	local: true,
	models: {},
});
const json = (path: string) => JSON.parse(readFileSync(path, "utf8"));

describe("createLogins", () => {
	it("finds the servers that answer on this machine, and no others", async () => {
		const here = await serve({ body: '{"data":[{"id":"m"}]}' });
		const silent = await serve({ frames: ["hang"] });
		const closed = await startChatServer([]);
		await closed.close();
		const profiles = [
			local("here", here.baseUrl),
			local("silent", silent.baseUrl),
			local("gone", closed.baseUrl),
		];
		const logins = createLogins({ configFolder: folder(), env: {}, findKey: NO_KEY, profiles });
		expect(await logins.findLocal()).toEqual([
			{ profile: "here", title: "here", baseUrl: here.baseUrl, models: ["m"] },
		]);
	});

	it("uses the key that is set or stored where none is given, and only at its own server", async () => {
		const server = await serve({ body: '{"data":[]}' });
		const asked: unknown[] = [];
		const findKey = async (one: unknown) => {
			asked.push(one);
			return "sk-stored";
		};
		const logins = createLogins({ configFolder: folder(), env: {}, findKey });
		await logins.models({ profile: "custom", baseUrl: server.baseUrl });
		expect(asked).toEqual([{ profile: "custom", baseUrl: server.baseUrl }]);
		expect(server.requests[0]?.headers.authorization).toBe("Bearer sk-stored");
	});

	it("tells how long a tiny request took, without tools in it", async () => {
		const server = await serve({ frames: [{ d: { content: "ok" } }, { f: "stop" }, "DONE"] });
		const logins = createLogins({ configFolder: folder(), env: {}, findKey: NO_KEY });
		const tested = await logins.test({ profile: "custom", baseUrl: server.baseUrl, model: "m" });
		expect(tested).toEqual({ ok: true, value: expect.any(Number) });
		expect(JSON.parse(server.requests[0]?.body ?? "")).not.toHaveProperty("tools");
	});

	it("tells a refused key as such, without the key", async () => {
		const server = await serve({
			status: 401,
			body: '{"error":{"message":"bad key sk-very-secret-0123456789"}}',
		});
		const logins = createLogins({ configFolder: folder(), env: {}, findKey: NO_KEY });
		const login = {
			profile: "custom",
			baseUrl: server.baseUrl,
			apiKey: "sk-very-secret-0123456789",
			model: "m",
		};
		const tested = await logins.test(login);
		expect(tested).toMatchObject({ ok: false, refused: true });
		expect(JSON.stringify(tested)).not.toContain("sk-very-secret-0123456789");
	});

	it("refuses a provider without an address", async () => {
		const logins = createLogins({ configFolder: folder(), env: {}, findKey: NO_KEY });
		expect(await logins.save({ profile: "custom", model: "m" })).toMatchObject({
			ok: false,
			message: expect.stringContaining("has no address of its own"),
		});
	});
});

describe("storeLogin", () => {
	it("keeps what else stands in both files, and lets no old address get the new key", async () => {
		const path = folder();
		const settings = {
			theme: "dark",
			profile: "custom",
			baseUrl: "https://old.example/v1",
			model: "old",
			contextWindow: 9,
		};
		writeFileSync(join(path, "settings.json"), JSON.stringify(settings));
		writeFileSync(join(path, "credentials.json"), '{"profiles":{"groq":{"apiKey":"other"}}}', {
			mode: 0o644,
		});
		expect(await storeLogin(path, { profile: "openai", apiKey: "new", model: "gpt-5" })).toEqual({
			ok: true,
		});
		expect(json(join(path, "settings.json"))).toEqual({ theme: "dark", profile: "openai", model: "gpt-5" });
		expect(json(join(path, "credentials.json"))).toEqual({
			profiles: { groq: { apiKey: "other" }, openai: { apiKey: "new" } },
		});
		expect(statSync(join(path, "credentials.json")).mode & 0o777).toBe(0o600);
	});

	it("takes settings that begin with a byte order mark, as their reader does", async () => {
		const config = folder();
		writeFileSync(join(config, "settings.json"), '\ufeff{"theme":"dark"}');
		expect(await storeLogin(config, { profile: "openai", model: "m" })).toEqual({ ok: true });
		const stored: unknown = JSON.parse(readFileSync(join(config, "settings.json"), "utf8"));
		expect(stored).toEqual({ theme: "dark", profile: "openai", model: "m" });
	});

	it("keeps a link to a file that is kept elsewhere", async () => {
		const [path, elsewhere] = [folder(), folder()];
		writeFileSync(join(elsewhere, "mine.json"), "{}");
		symlinkSync(join(elsewhere, "mine.json"), join(path, "settings.json"));
		await storeLogin(path, { profile: "ollama", model: "m" });
		expect(lstatSync(join(path, "settings.json")).isSymbolicLink()).toBe(true);
		expect(json(join(elsewhere, "mine.json"))).toEqual({ profile: "ollama", model: "m" });
	});

	it("writes nothing and quotes no key where the credentials file is broken", async () => {
		const path = folder();
		writeFileSync(join(path, "credentials.json"), '{"profiles": sk-secret-in-a-broken-file');
		const stored = await storeLogin(path, { profile: "openai", apiKey: "new", model: "m" });
		expect(stored).toMatchObject({ ok: false });
		expect(JSON.stringify(stored)).not.toContain("sk-secret");
		expect(() => statSync(join(path, "settings.json"))).toThrow("ENOENT");
	});
});
