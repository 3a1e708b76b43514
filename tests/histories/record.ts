// Records the logs of this release, once for each release: `tsx tests/histories/record.ts`. Recorded logs are never made
// anew: what an older agi wrote has to be read for ever.

import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createScriptedModel, type ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { VERSION } from "../../src/version.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { newSession, startSession } from "../../src/wire.ts";
import { SEMANTICS } from "../crash/effects.ts";
import { live } from "../crash/life.ts";
import { createMortal } from "../crash/mortal.ts";
import { readHistory } from "./readHistory.ts";

const SCRIPT: ScriptedReply[] = [
	{ text: "Looking.", reasoning: "hm", calls: [{ name: "readFile", args: { path: "a.txt" } }] },
	{
		calls: [
			{ name: "editFile", args: { path: "a.txt", oldString: "alpha", newString: "beta" } },
			{ name: "writeFile", args: { path: "new/b.txt", content: "b\n" } },
			{ name: "noSuchTool", args: {} },
		],
	},
	{ failure: { kind: "network", message: "the connection broke", retryable: true } },
	{ calls: [{ name: "runCommand", args: { command: "seq 1 40000" } }] },
	{ calls: [{ name: "updatePlan", args: { items: [{ content: "look", status: "completed" }] } }] },
	{ text: "All ", finish: "length" },
	{ text: "done." },
	{ text: "Second answer." },
];

/** A session with most kinds of facts in it. */
async function workedSession(outer: string): Promise<string> {
	const root = join(outer, "app");
	mkdirSync(root);
	writeFileSync(join(root, "a.txt"), "alpha\n");
	const env = { PATH: process.env["PATH"] ?? "", HOME: outer, AGI_HOME: join(outer, "home") };
	const place = await locate(root, env, true);
	const sessions = openSessions(place);
	const start = {
		place,
		env,
		model: { kind: "given", model: createScriptedModel(SCRIPT) },
		mode: "bypassPermissions",
		trusted: false,
		interactive: false,
		limits: { stepsPerTurn: 50, toolCallsPerTurn: 50 },
		sandboxCommands: false,
		secrets: [],
		diagnostics: false,
	} as const;
	const running = await startSession(sessions, await newSession(sessions, start), start);
	for (const text of ["change alpha to beta", "and again"]) {
		const idle = new Promise<void>((resolve) => {
			running.client.listen((told) => told.kind === "idle" && resolve());
		});
		await running.client.send({ do: "submit", text, target: "next_turn" });
		await idle;
	}
	await running.client.send({ do: "renameSession", title: "A renamed one" });
	await running.close();
	return join(
		outer,
		"home",
		"data",
		"projects",
		place.projectId,
		"sessions",
		running.session.state.sessionId,
	);
}

/** A session that died at these boundaries and was worked on to its end. */
async function killedSession(outer: string, deaths: number[]): Promise<string> {
	const folder = join(outer, `killed-${deaths.join("-")}`);
	for (const at of [...deaths, 0]) await live({ folder, calls: SEMANTICS, mortal: createMortal(at) });
	return join(folder, "sessions", "s");
}

const target = join(fileURLToPath(new URL(".", import.meta.url)), VERSION);
if (existsSync(target))
	throw new Error(`${target} is there already; the logs of a release are recorded once.`);
const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-histories-")));
try {
	const recorded = {
		worked: await workedSession(outer),
		interrupted: await killedSession(outer, [6, 3]),
		killedInCalls: await killedSession(outer, [14, 9]),
	};
	for (const [name, folder] of Object.entries(recorded)) {
		const kept = join(target, name);
		mkdirSync(kept, { recursive: true });
		cpSync(join(folder, "log.jsonl"), join(kept, "log.jsonl"));
		if (existsSync(join(folder, "blobs")))
			cpSync(join(folder, "blobs"), join(kept, "blobs"), { recursive: true });
		writeFileSync(
			join(kept, "expected.json"),
			`${JSON.stringify(await readHistory(kept), undefined, "\t")}\n`,
		);
	}
} finally {
	rmSync(outer, { recursive: true, force: true });
}
