// `npm run bench:library`: what a large library of sessions, a long session and a large project cost. No model takes part.
// Everything is made in a temporary folder and removed; `--sessions N` and `--files N` make less of it.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createScriptedModel } from "../src/adapters/models/scripted.ts";
import { openFileIndex } from "../src/adapters/retriever/fileIndex.ts";
import { createFileRetriever } from "../src/adapters/retriever/files.ts";
import { indexFolder } from "../src/adapters/retriever/indexFolder.ts";
import { createPace } from "../src/adapters/retriever/pace.ts";
import { createRipgrepSearch } from "../src/adapters/search/ripgrep.ts";
import { createWorkspace } from "../src/adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../src/adapters/world.ts";
import { assemble } from "../src/agent/context/assemble.ts";
import { contributionsOf } from "../src/agent/context/contributions.ts";
import { sizeOfRequest } from "../src/agent/context/tokenEstimator.ts";
import { createTools } from "../src/agent/tools/index.ts";
import { toolSchemas } from "../src/agent/tools/schemas.ts";
import type { SessionState } from "../src/session/state.ts";
import { openView } from "../src/ui/view/reduce.ts";
import { openLibrary } from "../src/wire/library.ts";
import { locate, openSessions, type Place } from "../src/wire/place.ts";
import type { StartOptions } from "../src/wire/startOptions.ts";
import { newSession, startSession } from "../src/wire.ts";
import { sessionCommits, writeLog } from "../tests/support/recordedLog.ts";

const SESSIONS = numberOf("--sessions", 1_000);
const FILES = numberOf("--files", 5_000);
/** Projects that the sessions belong to. */
const PROJECTS = 20;
/** Turns of sessions with so many events. */
const TURNS = { short: 11, long: 1_100 };
const ROUNDS = 7;

const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-bench-")));
try {
	const project = join(outer, "project");
	mkdirSync(project);
	const env = { HOME: outer, AGI_HOME: join(outer, "home"), PATH: process.env["PATH"] };
	const place = await locate(project, env, true);
	console.log(`Node ${process.version}, ${process.platform}; least of ${ROUNDS} rounds (median)`);
	await benchSearch(place);
	await benchResume(place, env);
	await benchRecall(project);
} finally {
	rmSync(outer, { recursive: true, force: true });
}

/** Words of sessions of other projects: one that stands in a single text, and one that stands in nearly all. */
async function benchSearch(place: Place): Promise<void> {
	for (let i = 0; i < SESSIONS; i++) {
		const id = `20261101-${String(i).padStart(6, "0")}-bench`;
		const prompt = i === 7 ? "where is the zebrafish kept?" : `Mend the parser, case ${i}. ${prose(i, 80)}`;
		const texts = { prompt, answer: prose(i + 1, 120), result: prose(i + 2, 80) };
		writeLog(logPath(place, `project-${i % PROJECTS}`, id), sessionCommits(id, 3, texts));
	}
	const library = openLibrary(place, openSessions(place));
	const first = await timed(() => library.search("zebrafish"));
	const { wall, cpu } = first.time;
	row(`index of ${SESSIONS} sessions, made at once`, `${seconds(wall)}  cpu ${seconds(cpu)}`);
	for (const query of ["zebrafish", "parser", "nowhere-to-be-found", "in"])
		row(`search for ${query}`, await least(() => library.search(query)));
	row("sessions of this project by title and text", await least(() => library.find("parser")));
}

/** What opening a session adds to a start: from its log to a client and the first view. */
async function benchResume(place: Place, env: StartOptions["env"]): Promise<void> {
	const sessions = openSessions(place);
	const options: StartOptions = {
		...{ place, env, mode: "default", trusted: true, interactive: true, secrets: [], diagnostics: false },
		...{ limits: { stepsPerTurn: 50, toolCallsPerTurn: 50 }, sandboxCommands: false },
		model: { kind: "given", model: createScriptedModel([]) },
	};
	const start = async (open: () => ReturnType<typeof newSession>) => {
		const running = await startSession(sessions, await open(), options);
		openView(running.client.greeting, { columns: 120, rows: 40 }, 0);
		return running;
	};
	row("a new session", await least(async () => (await start(() => newSession(sessions, options))).close()));
	for (const [name, turns] of Object.entries(TURNS)) {
		const id = `20261102-000000-${name}`;
		const commits = sessionCommits(id, turns, { result: prose(turns, 60) });
		writeLog(logPath(place, place.projectId, id), commits);
		const events = commits.reduce((sum, commit) => sum + commit.events.length, 0);
		const rounds: Time[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			const { time, value: running } = await timed(() =>
				start(async () => (await sessions.open(id)).session),
			);
			rounds.push(time);
			if (round === 0 && name === "long") await benchAssembly(running.session.state, events);
			await running.close();
		}
		row(`a session of ${events} events`, shown(rounds));
	}
}

/** A request as each step makes it: its messages, its size, what it is made of. */
async function benchAssembly(state: SessionState, events: number): Promise<void> {
	const { digest } = createWorld();
	const tools = toolSchemas(createTools({ canSearchWeb: false }));
	const make = () => {
		const request = assemble(state, { system: prose(1, 500), tools, contextWindow: 1_000_000 });
		sizeOfRequest(request);
		contributionsOf(state, request, digest);
	};
	row(`assembly from ${events} events, the first`, shown([(await timed(make)).time]));
	row(`assembly from ${events} events, each later one`, await least(make));
}

async function benchRecall(root: string): Promise<void> {
	let letters = 0;
	for (let i = 0; i < FILES; i++) {
		const path = join(root, "src", `module${i % 100}`, `file${i}.ts`);
		mkdirSync(dirname(path), { recursive: true });
		const text = i === 4321 % FILES ? "// the frobnicator lies here 会话的索引" : source(i);
		letters += text.length;
		writeFileSync(path, text);
	}
	const index = await openFileIndex(join(outer, "files.db"));
	const search = createRipgrepSearch();
	const { signal } = new AbortController();
	const rest = createPace(0.28, signal);
	for (const round of ["made", "brought up to date"]) {
		const { time } = await timed(() => indexFolder(index, { root, extra: [], search, rest, signal }));
		const share = `${((time.cpu / time.wall) * 100).toFixed(0)} % of a core`;
		const size = `${(letters / 1e6).toFixed(1)} MB`;
		row(`index of ${FILES} files, ${size}, ${round}`, `${seconds(time.wall)} at ${share}`);
	}
	const workspace = await createWorkspace({ root });
	const retriever = createFileRetriever({ workspace, search, extra: [], index: async () => index });
	for (const query of ["where is the frobnicator", "索引", "readCache retry token value"])
		row(`recall ${query}`, await least(() => retriever.search(query, { allProjects: false, signal }, 1_500)));
	index.close();
}

function logPath(place: Place, projectId: string, sessionId: string): string {
	return join(place.folders.data, "projects", projectId, "sessions", sessionId, "log.jsonl");
}

/** The same words for the same seed, `count` of them. */
function prose(seed: number, count: number): string {
	return Array.from({ length: count }, (_, i) => `word${(seed * 7919 + i * 104_729) % 5_000}`).join(" ");
}

/** Sixty lines that look like a program: some 80 names, as a source file of that length has. */
function source(seed: number): string {
	const name = (i: number) => {
		const n = (seed * 31 + (i % 80) * 17) % 4_000;
		const verb = ["read", "make", "open", "drop"][n % 4];
		const noun = ["Cache", "Retry", "Token", "Page", "Lock"][n % 5];
		return `${verb}${noun}${((n * 7919) % 1000).toString(36)}`;
	};
	return Array.from(
		{ length: 60 },
		(_, i) => `\tconst ${name(i * 2)} = await ${name(i * 3 + 1)}(${i % 20}, "a text"); // the value of it`,
	).join("\n");
}

/** What one act took, in milliseconds: by the wall clock, and of the processor. */
interface Time {
	wall: number;
	cpu: number;
}

async function timed<T>(act: () => T | Promise<T>): Promise<{ time: Time; value: T }> {
	const began = process.cpuUsage();
	const started = performance.now();
	const value = await act();
	const wall = performance.now() - started;
	const { user, system } = process.cpuUsage(began);
	return { time: { wall, cpu: (user + system) / 1000 }, value };
}

/** Some rounds of an act, the first one not counted. */
async function least(act: () => unknown): Promise<string> {
	await act();
	const rounds: Time[] = [];
	for (let round = 0; round < ROUNDS; round++) rounds.push((await timed(act)).time);
	return shown(rounds);
}

/** The least and the median by the wall clock, and the least of the processor, which another load lengthens less. */
function shown(rounds: readonly Time[]): string {
	const sorted = (of: (time: Time) => number) => rounds.map(of).sort((a, b) => a - b);
	const wall = sorted((time) => time.wall);
	const [cpu = 0] = sorted((time) => time.cpu);
	const [first = 0] = wall;
	const median = wall[Math.floor(wall.length / 2)] ?? 0;
	return `${first.toFixed(1).padStart(7)} ms (${median.toFixed(1)})  cpu ${cpu.toFixed(1)} ms`;
}

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}

function row(name: string, figure: string): void {
	console.log(`${name.padEnd(52)}  ${figure}`);
}

function numberOf(flag: string, standard: number): number {
	const at = process.argv.indexOf(flag);
	return at < 0 ? standard : Number(process.argv[at + 1]);
}
