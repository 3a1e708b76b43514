import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { sessionsCommand } from "../../src/cli/sessions.ts";
import { type CaseServer, startCaseServer } from "../support/caseServer.ts";
import { type Desk, openDesk, recordSession } from "../support/recordedSession.ts";

let desk: Desk;
let server: CaseServer | undefined;
beforeEach(() => {
	desk = openDesk();
});
afterEach(async () => {
	desk.remove();
	await server?.close();
	server = undefined;
});

/** Asks a model at the one decision of a session, whose server tells the usage or does not. */
async function ask(flags: string[], told: boolean) {
	const { sessionId } = await recordSession(desk, ["hello"], [{ text: "hi" }]);
	const usage = told ? [{ u: { prompt_tokens: 1200, completion_tokens: 30, total_tokens: 1230 } }] : [];
	server = await startCaseServer([
		{ sse: [{ d: { content: "hi there" } }, { f: "stop" }, ...usage, "DONE"] },
	]);
	const words = ["sessions", "replay", sessionId, "-m", "some-model", "--base-url", server.baseUrl, ...flags];
	desk.taken();
	const code = await sessionsCommand(parseArguments(words) as CommandLine<"sessions">, desk.around);
	return { code, ...desk.taken() };
}

describe("agi sessions replay with another model", () => {
	it("says what it used, and that the cost is not known where the price is not", async () => {
		const { code, out } = await ask([], true);
		expect([code, out]).toEqual([
			0,
			"1 of 1 decisions are the same.\nUsed: 1200 tokens in, 30 out, cost not known.\n",
		]);
	});

	it("does not pass off as nothing what no server told", async () => {
		const { out } = await ask([], false);
		expect(out).toMatch(/The server told no usage, so tokens and cost are not known\.\n$/);
	});

	it("leaves the list of decisions a list where a program reads it", async () => {
		const { out, err } = await ask(["--json"], true);
		expect(JSON.parse(out)).toHaveLength(1);
		expect(err).toBe("Used: 1200 tokens in, 30 out, cost not known.\n");
	});
});
