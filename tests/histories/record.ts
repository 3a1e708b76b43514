// Records the logs of this release that are not there yet: `tsx tests/histories/record.ts`. Recorded logs are never made
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

const UNDO_SCRIPT: ScriptedReply[] = [
	{ calls: [{ name: "editFile", args: { path: "a.txt", oldString: "alpha", newString: "beta" } }] },
	{ text: "Changed." },
	{ hang: true },
	{ text: "Third." },
	{ text: "Second." },
];

const ASKED_SCRIPT: ScriptedReply[] = [
	{ calls: [{ name: "askUser", args: { question: "Which colour?", options: ["red", "blue"] } }] },
	{ calls: [{ name: "askUser", args: { question: "The password?", secret: true } }] },
	{ text: "Thank you." },
];

/** A session in folders of its own; as a program's unless it is `interactive`. */
async function openSession(outer: string, script: readonly ScriptedReply[], interactive = false) {
	const root = join(outer, "app");
	mkdirSync(root, { recursive: true });
	writeFileSync(join(root, "a.txt"), "alpha\n");
	const env = { PATH: process.env["PATH"] ?? "", HOME: outer, AGI_HOME: join(outer, "home") };
	const place = await locate(root, env, true);
	const sessions = openSessions(place);
	const start = {
		place,
		env,
		model: { kind: "given", model: createScriptedModel([...script]) },
		mode: "bypassPermissions",
		trusted: false,
		interactive,
		limits: { stepsPerTurn: 50, toolCallsPerTurn: 50 },
		sandboxCommands: false,
		secrets: [],
		diagnostics: false,
		undo: true,
	} as const;
	const running = await startSession(sessions, await newSession(sessions, start), start);
	const { sessionId } = running.session.state;
	const idle = () =>
		new Promise<void>((resolve) => {
			running.client.listen((told) => told.kind === "idle" && resolve());
		});
	const submit = (text: string) => running.client.send({ do: "submit", text, target: "next_turn" });
	return {
		running,
		idle,
		submit,
		async say(text: string) {
			const ended = idle();
			await submit(text);
			await ended;
		},
		folder: join(outer, "home", "data", "projects", place.projectId, "sessions", sessionId),
	};
}

/** A session with most kinds of facts in it. */
async function workedSession(outer: string): Promise<string> {
	const { running, say, folder } = await openSession(join(outer, "worked"), SCRIPT);
	for (const text of ["change alpha to beta", "and again"]) await say(text);
	await running.client.send({ do: "renameSession", title: "A renamed one" });
	await running.close();
	return folder;
}

/** A session that went back and forth, and whose queue was put in another order. */
async function rewoundSession(outer: string): Promise<string> {
	const { running, say, submit, idle, folder } = await openSession(join(outer, "rewound"), UNDO_SCRIPT);
	const { client, session } = running;
	await say("change it");
	await client.send({ do: "rewind", turnId: "turn-1", what: "both" });
	await client.send({ do: "redo" });
	await client.send({ do: "rewind", turnId: "turn-1", what: "files" });
	for (const text of ["first", "second", "third"]) await submit(text);
	const third = session.state.inbox.at(-1)?.messageId ?? "";
	await client.send({ do: "moveInput", messageId: third, by: -1 });
	const stopped = idle();
	await client.send({ do: "interrupt" });
	await stopped;
	await say("go on");
	await running.close();
	return folder;
}

/** A session whose model asked the person, also for a secret. */
async function askedSession(outer: string): Promise<string> {
	const { running, say, folder } = await openSession(join(outer, "asked"), ASKED_SCRIPT, true);
	const { client } = running;
	const answers = ["blue", "swordfish"];
	client.listen((told) => {
		const callId = told.kind === "prompts" ? told.open[0]?.prompt.callId : undefined;
		if (callId !== undefined)
			void client.send({ do: "answerQuestion", callId, answer: answers.shift() ?? "" });
	});
	await say("ask me");
	await running.close();
	return folder;
}

/** A session that died at these boundaries and was worked on to its end. */
async function killedSession(outer: string, deaths: number[]): Promise<string> {
	const folder = join(outer, `killed-${deaths.join("-")}`);
	for (const at of [...deaths, 0]) await live({ folder, calls: SEMANTICS, mortal: createMortal(at) });
	return join(folder, "sessions", "s");
}

const target = join(fileURLToPath(new URL(".", import.meta.url)), VERSION);
const HISTORIES: Record<string, (outer: string) => Promise<string>> = {
	worked: workedSession,
	interrupted: (outer) => killedSession(outer, [6, 3]),
	killedInCalls: (outer) => killedSession(outer, [14, 9]),
	rewound: rewoundSession,
	asked: askedSession,
};

const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-histories-")));
try {
	for (const [name, make] of Object.entries(HISTORIES)) {
		const kept = join(target, name);
		if (existsSync(kept)) continue;
		const folder = await make(outer);
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
