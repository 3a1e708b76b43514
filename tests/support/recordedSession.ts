// A home and a project in temporary folders, sessions recorded there by real turns of a scripted model, and what a command
// writes when it is run in that place.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createScriptedModel, type ScriptedReply } from "../../src/adapters/models/scripted.ts";
import type { Surroundings } from "../../src/cli/surroundings.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import { newSession, startSession } from "../../src/wire.ts";

/** A place to run commands in. */
export interface Desk {
	home: string;
	project: string;
	around: Surroundings;
	/** Everything written so far, and what was written is forgotten. */
	taken(): { out: string; err: string };
	remove(): void;
}

/** A new home and project. `env` is the whole environment beside `AGI_HOME` and `PATH`. */
export function openDesk(env: Record<string, string> = {}): Desk {
	const root = realpathSync(mkdtempSync(join(tmpdir(), "agi-desk-")));
	const home = join(root, "home");
	const project = join(root, "project");
	mkdirSync(project);
	let out = "";
	let err = "";
	return {
		home,
		project,
		around: {
			env: { AGI_HOME: home, PATH: process.env["PATH"], ...env },
			folder: () => project,
			out: (text) => {
				out += text;
			},
			err: (line) => {
				err += `${line}\n`;
			},
			columns: 80,
			now: Date.now,
		},
		taken() {
			const written = { out, err };
			out = "";
			err = "";
			return written;
		},
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}

/** What was recorded, and the request bodies as the model got them. */
export interface Recorded {
	sessionId: string;
	bodies: string[];
	/** Folder with the log and its blobs. */
	folder: string;
}

/** Records a session: one turn for each prompt, answered by `script`. With `resume` it goes on with that session. */
export async function recordSession(
	desk: Desk,
	prompts: readonly string[],
	script: readonly ScriptedReply[],
	resume?: string,
): Promise<Recorded> {
	const place = await locate(desk.project, desk.around.env, true);
	const sessions = openSessions(place);
	const model = createScriptedModel(script);
	const options = {
		place,
		env: desk.around.env,
		model: { kind: "given" as const, model },
		mode: "acceptEdits" as const,
		trusted: true,
		interactive: false,
		limits: { stepsPerTurn: 20, toolCallsPerTurn: 20 },
		sandboxCommands: false,
		secrets: [],
		diagnostics: false,
	};
	const session = resume ? (await sessions.open(resume)).session : await newSession(sessions, options);
	const { client, close } = await startSession(sessions, session, options);
	for (const text of prompts) {
		const idle = new Promise<void>((resolve) => {
			const stop = client.listen((notification) => {
				if (notification.kind !== "idle") return;
				stop();
				resolve();
			});
		});
		await client.send({ do: "submit", text, target: "next_turn" });
		await idle;
	}
	await close();
	const { sessionId } = client.greeting;
	return {
		sessionId,
		bodies: model.requests.map(({ body }) => body),
		folder: join(place.folders.data, "projects", place.projectId, "sessions", sessionId),
	};
}
