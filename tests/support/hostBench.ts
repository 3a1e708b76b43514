// A host over real files with a scripted model: a project, a home for agi, a client that keeps what it hears.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";
import {
	createScriptedModel,
	type ScriptedModel,
	type ScriptedReply,
} from "../../src/adapters/models/scripted.ts";
import type { Client } from "../../src/rpc/client.ts";
import type { ClientRequest, Notification, ValueOf } from "../../src/rpc/protocol.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import type { Mode } from "../../src/types.ts";
import { hostSession } from "../../src/wire/host.ts";
import { locate, openSessions } from "../../src/wire/place.ts";
import type { StartOptions } from "../../src/wire/startOptions.ts";
import { newSession, startSession } from "../../src/wire.ts";

export interface HostBench {
	client: Client;
	model: ScriptedModel;
	/** Real path of the project. */
	root: string;
	/** `AGI_HOME`. */
	home: string;
	projectId: string;
	heard: Notification[];
	/** What the start tells the person. */
	notices: readonly string[];
	/** Every fact heard so far, of all sessions. */
	facts(): SessionEvent[];
	/** Sends and gives the value; fails the test with the message of a refusal. */
	ok<R extends ClientRequest>(request: R): Promise<ValueOf<R>>;
	/** Sends and gives the refusal; fails the test where there is none. */
	refusal(request: ClientRequest): Promise<string>;
	/** Submits and waits until nothing runs. */
	say(text: string): Promise<void>;
	/** Resolves with what `check` gives once it is true. */
	until<T>(check: () => T): Promise<NonNullable<T>>;
	write(name: string, text: string): void;
	git(...args: string[]): string;
	close(): Promise<void>;
}

/** Opens a host; it is closed and its folders are removed when the test ends. */
export async function openHostBench(
	script: readonly ScriptedReply[] = [{ text: "done" }],
	options: {
		mode?: Mode;
		env?: Record<string, string>;
		secrets?: string[];
		trusted?: boolean;
		prepare?(root: string): void;
		model?: StartOptions["model"];
		undo?: boolean;
		limits?: StartOptions["limits"];
		images?: boolean;
		/** Completed turns between two looks for facts to keep. */
		extractEveryTurns?: number;
	} = {},
): Promise<HostBench> {
	const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-host-")));
	onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
	const [root, home] = [join(outer, "app"), join(outer, "home")];
	mkdirSync(root);
	options.prepare?.(root);
	const env = { PATH: process.env["PATH"] ?? "", HOME: outer, AGI_HOME: home, ...options.env };
	const model = createScriptedModel((_, index) => script[index] ?? { text: `reply ${index + 1}` });
	const place = await locate(root, env, true);
	const start: StartOptions = {
		place,
		env,
		model: options.model ?? { kind: "given", model },
		mode: options.mode ?? "bypassPermissions",
		trusted: options.trusted ?? false,
		interactive: true,
		limits: options.limits ?? { stepsPerTurn: 50, toolCallsPerTurn: 50 },
		sandboxCommands: false,
		secrets: options.secrets ?? [],
		diagnostics: false,
		undo: options.undo ?? false,
		...(options.images === undefined ? {} : { images: options.images }),
		extractEveryTurns: options.extractEveryTurns ?? 0,
	};
	const sessions = openSessions(place);
	const running = await startSession(sessions, await newSession(sessions, start), start);
	const host = hostSession(running, { sessions, options: start, ephemeral: false });
	onTestFinished(() => host.close());
	const heard: Notification[] = [];
	host.client.listen((notification) => heard.push(notification));
	const until: HostBench["until"] = (check) =>
		vi.waitFor(
			() => {
				const value = check();
				if (!value) throw new Error("it never came");
				return value;
			},
			{ timeout: 10_000, interval: 5 },
		);
	return {
		client: host.client,
		model,
		root,
		home,
		projectId: place.projectId,
		heard,
		notices: running.notices,
		until,
		facts: () => heard.flatMap((one) => (one.kind === "facts" ? one.events : [])),
		async ok(request) {
			const result = await host.client.send(request);
			if (!result.ok) throw new Error(`refused: ${result.message}`);
			return result.value;
		},
		async refusal(request) {
			const result = await host.client.send(request);
			if (result.ok) throw new Error(`${request.do} was not refused`);
			return result.message;
		},
		async say(text) {
			const before = heard.filter((one) => one.kind === "idle").length;
			const sent = await host.client.send({ do: "submit", text, target: "next_turn" });
			if (!sent.ok) throw new Error(sent.message);
			await until(() => heard.filter((one) => one.kind === "idle").length > before);
		},
		write(name, text) {
			mkdirSync(dirname(join(root, name)), { recursive: true });
			writeFileSync(join(root, name), text);
		},
		git: (...args) =>
			execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
				cwd: root,
				env: { ...env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" },
				encoding: "utf8",
			}),
		close: () => host.close(),
	};
}
