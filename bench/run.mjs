#!/usr/bin/env node
// `npm run bench`: what agi itself costs with a model that answers at once. Prints medians and the fastest runs of
// start-up, memory, overhead per turn and request size. `--runs N` (default 10); `--agi PATH` measures another build.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { now, startModelServer } from "./modelServer.mjs";

const TURNS = 50;

const { values } = parseArgs({
	options: { runs: { type: "string", default: "10" }, agi: { type: "string" } },
});
const runs = Number(values.runs);
const agi = values.agi ?? fileURLToPath(new URL("../bin/agi", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agi-bench-"));
const project = join(folder, "project");
mkdirSync(join(project, "notes"), { recursive: true });
for (let turn = 0; turn < TURNS; turn++) writeFileSync(noteOf(turn), `note ${turn}\n`.repeat(20));

const loadBefore = loadavg()[0];
const rows = [];
try {
	await measureHello();
	await measureTurns("tool turn", "readFile", (turn) => ({ path: noteOf(turn) }));
	await measureTurns("shell turn", "runCommand", (turn) => ({ command: `cat notes/${name(turn)}` }));
} finally {
	rmSync(folder, { recursive: true, force: true });
}
console.log(
	`${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, ${runs} runs, load ${loadBefore.toFixed(1)}`,
);
console.log("\n| figure | median | least |\n|---|---|---|");
for (const row of rows) console.log(`| ${row.join(" | ")} |`);

/** Start-up, memory and the first request. */
async function measureHello() {
	const server = await startModelServer();
	const wall = [];
	const first = [];
	for (let i = 0; i <= runs; i++) {
		const before = server.exchanges.length;
		const { startedAt, endedAt } = await runAgi(server.baseUrl);
		wall.push(endedAt - startedAt);
		first.push(server.exchanges[before].receivedAt - startedAt);
	}
	const cpu = [];
	const memory = [];
	for (let i = 0; i <= runs; i++) {
		const file = join(folder, "usage.json");
		await runAgi(server.baseUrl, {
			NODE_OPTIONS: `--require=${fileURLToPath(new URL("usage.cjs", import.meta.url))}`,
			BENCH_USAGE: file,
		});
		const used = JSON.parse(readFileSync(file, "utf8"));
		cpu.push((used.userCPUTime + used.systemCPUTime) / 1000);
		memory.push(used.maxRSS / 1024);
	}
	server.close();
	addRow("hello: wall, ms", wall);
	addRow("hello: start to first request, ms", first);
	addRow("hello: CPU, ms", cpu);
	addRow("hello: peak memory, MB", memory);
	const { body } = server.exchanges[0];
	const { tools, messages } = JSON.parse(body);
	rows.push([
		"first request: bytes / 4",
		Math.ceil(Buffer.byteLength(body) / 4),
		`tools ${Math.ceil(JSON.stringify(tools).length / 4)}, system ${Math.ceil(messages[0].content.length / 4)}`,
	]);
}

/** Time from the last byte of a reply to the next request, over a run of many calls; and how far the prefix holds. */
async function measureTurns(label, tool, argumentsOf) {
	const medians = [];
	let stability = 1;
	for (let i = 0; i <= Math.ceil(runs / 3); i++) {
		const server = await startModelServer({ turns: TURNS, tool, argumentsOf });
		await runAgi(server.baseUrl);
		server.close();
		const { exchanges } = server;
		if (exchanges.length !== TURNS + 1)
			throw new Error(`agi sent ${exchanges.length} requests, not ${TURNS + 1}.`);
		const gaps = exchanges.slice(1).map((exchange, k) => exchange.receivedAt - exchanges[k].answeredAt);
		medians.push(median(gaps));
		for (const [k, exchange] of exchanges.slice(1).entries())
			stability = Math.min(stability, kept(exchanges[k].body, exchange.body));
	}
	addRow(`${label}: overhead, ms`, medians);
	rows.push([`${label}: prefix stability`, stability.toFixed(3), ""]);
}

/** Runs `agi -p hello` in the project to its end, as a user does: the Node that is on PATH, a home of its own. */
async function runAgi(baseUrl, more = {}) {
	const env = {
		PATH: process.env.PATH.split(":")
			.filter((part) => !part.includes("node_modules"))
			.join(":"),
		HOME: join(folder, "home"),
		LLM_BASE_URL: baseUrl,
		LLM_API_KEY: "bench-key",
		LLM_MODEL: "bench-model",
		...more,
	};
	const startedAt = now();
	const child = spawn(agi, ["-p", "hello", "--permission-mode", "bypassPermissions"], {
		cwd: project,
		env,
		stdio: ["ignore", "ignore", "pipe"],
	});
	let said = "";
	child.stderr.on("data", (part) => (said += part));
	const [code] = await once(child, "exit");
	if (code !== 0) throw new Error(`agi ended with exit code ${code}: ${said}`);
	return { startedAt, endedAt: now() };
}

/** A row of the table, without the first run. */
function addRow(label, [, ...counted]) {
	rows.push([label, median(counted).toFixed(1), Math.min(...counted).toFixed(1)]);
}

/** How much of the earlier request stands unchanged at the start of the later one: tools, system, then messages. */
function kept(earlier, later) {
	const [a, b] = [earlier, later].map((body) => {
		const { tools, messages } = JSON.parse(body);
		return `${JSON.stringify(tools)}${messages.map((message) => JSON.stringify(message)).join("")}`;
	});
	let at = 0;
	while (at < a.length && a[at] === b[at]) at++;
	return at / a.length;
}

function median(numbers) {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function name(turn) {
	return `${String(turn).padStart(3, "0")}.txt`;
}

function noteOf(turn) {
	return join(project, "notes", name(turn));
}
