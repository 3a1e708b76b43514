#!/usr/bin/env node
// `npm start`: builds where the bundle is older than its sources, then runs agi on this checkout. Without a terminal it
// shows one headless turn instead of a conversation, of the offline model where no other is configured. Here, and only
// here, a `.env` file is read.

import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--stale"], {
	cwd: root,
	stdio: "inherit",
});
if (built.status !== 0) process.exit(built.status ?? 1);

const env = join(root, ".env");
if (existsSync(env)) process.loadEnvFile(env);

const agi = join(root, "bin", "agi");

/** Whether anything names a model or its server; a mistake in the settings is told by the run itself. */
function isModelConfigured() {
	const listed = spawnSync(agi, ["config", "list", "--json"], {
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	});
	if (listed.status !== 0) return true;
	return JSON.parse(listed.stdout).some(({ key }) => ["model", "profile", "baseUrl", "apiKey"].includes(key));
}

function demo() {
	const prompt = 'list the files, then search for "runTurn" in src/agent, then read package.json';
	return [...(isModelConfigured() ? [] : ["-m", "offline"]), "-p", prompt];
}

const given = process.argv.slice(2);
const hasTerminal = process.stdin.isTTY && process.stdout.isTTY;
const child = spawn(agi, given.length > 0 || hasTerminal ? given : demo(), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) =>
	process.exit(code ?? 128 + (constants.signals[signal ?? "SIGTERM"] ?? 15)),
);
