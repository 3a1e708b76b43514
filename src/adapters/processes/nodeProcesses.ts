// Runs commands with node:child_process: own session and process group, stdin closed, filtered environment, bounded
// output, and the whole tree ended when the command ends, times out or is cancelled. Nothing of a command survives its
// call. Not execa: a restart has to find the tree by its mark in any case, so that only execa's spawn would be used, and
// with it, bundled, 50 shell turns took 2.3 s instead of 1.9 s.

import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessEnd, Processes, ProcessRequest } from "../../ports/processes.ts";
import type { Confine, ConfinedLaunch, Confinement } from "../../ports/sandbox.ts";
import { type Capture, captureOutput } from "./captureOutput.ts";
import { childEnvironment } from "./childEnvironment.ts";
import { type LaunchPlan, planLaunch } from "./launchPlan.ts";
import { type OutputPipe, takeOutputPipe } from "./outputPipe.ts";
import { type CallStart, planStart } from "./planStart.ts";
import { endTree, killTreeNow, mayHaveLeftovers, type ProcessTree, untilGone } from "./processTree.ts";

/** How long output may still come after the command ended: `> >(cat)` is not waited for by the shell. */
const DRAIN_MS = 250;
/** Time for processes that are just ending by themselves, so that they are not taken for background ones. */
const SETTLE_MS = 20;
/** How long ending a container may take. */
const STOP_MS = 10_000;
/** Longer timers would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What the children get to see of the world. */
export interface ProcessesOptions {
	env: Readonly<Record<string, string | undefined>>;
	/** Values that no child may have in its environment. */
	secretValues: readonly string[];
	/** The way into the sandbox, for the requests that ask for it. */
	confine?: Confine;
}

/** A runner of commands; any number of them at once. */
export function createProcesses(options: ProcessesOptions): Processes {
	const environment = childEnvironment(options.env, options.secretValues);
	return { run: (request) => run(request, environment, options.confine) };
}

type Exit = { exitCode: number } | { signal: string } | { startError: string };

interface Running {
	child: ChildProcess;
	streams: Readable[];
	/** Of the pipe behind the stream; see OutputPipe. */
	release: OutputPipe["release"];
	exit: Promise<Exit>;
	tree: ProcessTree;
	confinement: Confinement | undefined;
	/** What the sandbox says of itself; undefined where it says nothing. */
	status: Promise<string> | undefined;
}

async function run(
	request: ProcessRequest,
	environment: Record<string, string>,
	confine: Confine | undefined,
): Promise<ProcessEnd> {
	const startedAt = performance.now();
	const capture = captureOutput(request.onOutput);
	const close = (end: Partial<ProcessEnd>): ProcessEnd => ({
		timedOut: false,
		cancelled: false,
		treeEnded: true,
		backgroundEnded: 0,
		...end,
		...capture.finish(),
		durationMs: performance.now() - startedAt,
	});
	if (request.signal.aborted) return close({ cancelled: true });
	let plan: LaunchPlan | undefined;
	try {
		plan = await planLaunch(request.command, environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin");
		const call = await planStart(plan, request, environment, confine);
		const running = start(call, request, capture);
		const end = "startError" in running ? running : await settle(running, request);
		const takenAway = (await call.confinement?.finish()) ?? [];
		return close(takenAway.length > 0 ? { ...end, takenAway } : end);
	} catch (error) {
		return close({ startError: (error as Error).message });
	} finally {
		await plan?.cleanUp();
	}
}

function start(call: CallStart, request: ProcessRequest, capture: Capture): Running | { startError: string } {
	const startedAt = performance.now();
	const pipe = takeOutputPipe();
	const output = pipe?.write ?? "pipe";
	const { file, fds } = call;
	let child: ChildProcess;
	try {
		child = spawn(file, call.args, {
			cwd: request.cwd,
			env: call.env,
			// A session of its own: no terminal to read keys from or to draw on, one group to signal.
			detached: true,
			stdio: [call.input === undefined ? "ignore" : "pipe", output, output, ...fds.stdio],
		});
	} catch (error) {
		if (pipe !== undefined) {
			closeSync(pipe.read);
			pipe.release(false);
		}
		return { startError: describeStartError(error as NodeJS.ErrnoException, file, request.cwd) };
	} finally {
		if (pipe !== undefined) closeSync(pipe.write);
		fds.close();
	}
	const streams =
		pipe === undefined ? [child.stdout!, child.stderr!] : [new Socket({ fd: pipe.read, writable: false })];
	for (const stream of streams) {
		stream.on("data", capture.write);
		stream.on("error", () => stream.destroy());
	}
	// The command may end without reading its input: that is its own affair.
	child.stdin?.on("error", () => {}).end(call.input);
	const exit = new Promise<Exit>((resolve) => {
		child.once("error", (error) => resolve({ startError: describeStartError(error, file, request.cwd) }));
		child.once("exit", (exitCode, signal) =>
			resolve(signal === null ? { exitCode: exitCode ?? 0 } : { signal }),
		);
	});
	const status = fds.feed(child);
	const tree = {
		leader: child.pid ?? 0,
		marker: call.marker,
		startedAt,
		isNamespace: status !== undefined,
	};
	const release = pipe?.release ?? (() => {});
	return { child, streams, release, exit, tree, confinement: call.confinement, status };
}

/** Waits for the end of a started command, whichever comes first, and sees to it that nothing of it is left. */
async function settle(running: Running, request: ProcessRequest): Promise<Partial<ProcessEnd>> {
	if (running.child.pid === undefined) {
		letGo(running);
		return running.exit;
	}
	const drained = Promise.all(running.streams.map(untilClosed)).then(() => true);
	// Unreferenced: a wait that was won must not keep agi from ending.
	const drainedSoon = () => Promise.race([drained, delay(DRAIN_MS, false, { ref: false })]);
	const stop = watchForStop(request);
	liveTrees.add(running.tree);
	let end: Partial<ProcessEnd> & { treeEnded: boolean };
	const first = await Promise.race([running.exit, stop.reason]);
	stop.ignore();
	if (typeof first === "string") {
		const { gone } = await endTree(running.tree);
		// A process that outlives SIGKILL (another user's, or stuck in the kernel) never tells its end.
		const exit = await Promise.race([running.exit, delay(DRAIN_MS, { signal: "SIGKILL" }, { ref: false })]);
		end = { ...exit, timedOut: first === "timeout", cancelled: first === "cancel", treeEnded: gone };
		await runStop(running.confinement?.launch.stop);
	} else {
		await drainedSoon();
		end = { ...first, ...(await endLeftovers(running.tree)) };
		if (!(await hasRun(running.status))) end = { treeEnded: end.treeEnded, startError: NO_WALLS };
	}
	liveTrees.delete(running.tree);
	// Who still holds the pipe is a process that left the tree without a trace.
	end.treeEnded &&= await drainedSoon();
	letGo(running);
	return end;
}

function letGo({ streams, release }: Running): void {
	const readToEnd = streams.every((stream) => stream.readableEnded && stream.closed);
	for (const stream of streams) stream.destroy();
	release(readToEnd);
}

const NO_WALLS = "the sandbox around it could not be set up.";

/** Whether the command itself has ended: bwrap tells an exit code only of one that it could start. */
async function hasRun(status: Promise<string> | undefined): Promise<boolean> {
	const said = await Promise.race([status, delay(DRAIN_MS, undefined, { ref: false })]);
	return status === undefined || said === undefined || said.includes('"exit-code"');
}

/** Ends what outlives its wrapper. */
async function runStop(stop: ConfinedLaunch["stop"]): Promise<void> {
	if (stop === undefined) return;
	const [file, ...args] = stop;
	const child = spawn(file, args, { stdio: "ignore", timeout: STOP_MS });
	await new Promise((resolve) => child.once("error", resolve).once("exit", resolve));
}

async function endLeftovers(tree: ProcessTree): Promise<{ treeEnded: boolean; backgroundEnded: number }> {
	// The kernel ends all of a sandbox with its wrapper; whom that caught is nowhere told.
	if (tree.isNamespace) return { treeEnded: await untilGone(tree), backgroundEnded: 0 };
	if (!mayHaveLeftovers(tree)) return { treeEnded: true, backgroundEnded: 0 };
	await delay(SETTLE_MS);
	const { found, gone } = await endTree(tree);
	return { treeEnded: gone, backgroundEnded: found };
}

function watchForStop(request: ProcessRequest): { reason: Promise<"timeout" | "cancel">; ignore(): void } {
	let ignore = () => {};
	const reason = new Promise<"timeout" | "cancel">((resolve) => {
		const timer = setTimeout(resolve, Math.min(request.timeoutMs, MAX_TIMER_MS), "timeout");
		const cancel = () => resolve("cancel");
		request.signal.addEventListener("abort", cancel, { once: true });
		ignore = () => {
			clearTimeout(timer);
			request.signal.removeEventListener("abort", cancel);
		};
	});
	return { reason, ignore: () => ignore() };
}

function untilClosed(stream: Readable): Promise<void> {
	return new Promise((resolve) => {
		if (stream.closed) resolve();
		else stream.once("close", resolve);
	});
}

/** The trees to end should agi itself end in the middle of a command. */
const liveTrees = new Set<ProcessTree>();
process.once("exit", () => {
	for (const tree of liveTrees) killTreeNow(tree);
});

function describeStartError(error: NodeJS.ErrnoException, file: string, cwd: string): string {
	// Node names the program when the folder is what is missing.
	if (error.code === "ENOENT" && !existsSync(cwd)) return `The folder ${cwd} no longer exists.`;
	if (error.code === "ENOENT") return `${file} was not found.`;
	if (error.code === "E2BIG")
		return "The command is too long for the system; write it to a file and run that.";
	if (error.code === "ERR_INVALID_ARG_VALUE")
		return "The command holds a NUL character, which no program can be given.";
	return `${file} could not be started: ${error.message}`;
}
