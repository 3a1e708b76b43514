import { describe, expect, it } from "vitest";
import type { Client } from "../../src/rpc/client.ts";
import type { ClientRequest } from "../../src/rpc/protocol.ts";
import { createFileFinder } from "../../src/ui/fileFinder.ts";

const AT = "2026-01-01T00:00:00.000Z";
const session = (id: string, title: string) => ({
	...{ id, title, cwd: "/p", created: AT, updated: AT },
	turns: 2,
	model: "m",
});

function finder(sent: ClientRequest["do"][] = []) {
	const listed: Partial<Record<ClientRequest["do"], unknown>> = {
		listFiles: ["README.md", "src/ui/App.tsx", "sessions.md"],
		listSessions: [session("s-own", "now"), session("s-1", "Fix the parser"), session("s-2", "Docs")],
	};
	const client = {
		greeting: { sessionId: "s-own" },
		async send(request: ClientRequest) {
			sent.push(request.do);
			return { ok: true, value: listed[request.do] };
		},
	} as unknown as Client;
	return createFileFinder(client, () => Date.parse(AT));
}

describe("createFileFinder", () => {
	it("offers folders beside files", async () => {
		expect(await finder()("ui")).toEqual([{ path: "src/ui/" }, { path: "src/ui/App.tsx" }]);
	});

	it("offers the other sessions of the project by title or by the beginning of their id", async () => {
		const docs = { path: "session:s-2", label: "Docs", detail: "just now · 2 turns · m" };
		expect((await finder()("session:"))?.map(({ path }) => path)).toEqual(["session:s-1", "session:s-2"]);
		expect(await finder()("session:doc")).toEqual([docs]);
		expect(await finder()("session:s-2")).toEqual([docs]);
	});

	it("lists the sessions once while one is being named, and anew the next time", async () => {
		const sent: ClientRequest["do"][] = [];
		const find = finder(sent);
		for (const query of ["", "session:", "session:d", "session:do"]) await find(query);
		expect(sent).toEqual(["listFiles", "listSessions"]);
		for (const query of ["", "session:"]) await find(query);
		expect(sent).toEqual(["listFiles", "listSessions", "listFiles", "listSessions"]);
	});

	it("says behind the files that a session can be named, once its sign is begun", async () => {
		expect((await finder()("sess"))?.map(({ path }) => path)).toEqual(["sessions.md", "session:"]);
		expect((await finder()(""))?.map(({ path }) => path)).not.toContain("session:");
	});

	it("gives nothing to a query that a later one has overtaken", async () => {
		const find = finder();
		const [first, second] = await Promise.all([find("s"), find("src")]);
		expect(first).toBeUndefined();
		expect(second?.[0]).toEqual({ path: "src/" });
	});
});
