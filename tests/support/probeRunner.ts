// Runs commands the way a session does, as whichever user started it, and prints how each ended. A program of its own,
// because a process cannot become another user and come back.

import { createProcesses } from "../../src/adapters/processes/nodeProcesses.ts";
import { chooseSandbox } from "../../src/adapters/sandbox/chooseSandbox.ts";
import { createConfine } from "../../src/adapters/sandbox/confine.ts";
import type { SandboxLevel } from "../../src/policy/sandboxProfile.ts";
import type { ProcessEnd } from "../../src/ports/processes.ts";

/** What it is told, as JSON in its first argument. */
export interface ProbeOrder {
	root: string;
	home: string;
	agiFolders: string[];
	cache: string;
	quarantine: string;
	writable: boolean;
	commands: string[];
}

/** What it prints, as JSON. */
export interface ProbeReport {
	level: SandboxLevel;
	notice?: string;
	ends: ProcessEnd[];
}

const order = JSON.parse(process.argv[2] ?? "") as ProbeOrder;
const { root, writable } = order;
const { sandbox, level, notice } = await chooseSandbox({
	mode: "auto",
	env: process.env,
	roots: [root],
	cacheFolder: order.cache,
});
const confine =
	sandbox &&
	createConfine({
		sandbox,
		roots: [root],
		writable,
		homes: [order.home],
		agiFolders: order.agiFolders,
		quarantine: order.quarantine,
	});
const processes = createProcesses({ env: process.env, secretValues: [], ...(confine ? { confine } : {}) });
const ends: ProcessEnd[] = [];
for (const shell of order.commands)
	ends.push(
		await processes.run({
			command: { shell },
			cwd: root,
			timeoutMs: 20_000,
			signal: new AbortController().signal,
			sandbox: { network: false },
		}),
	);
const report: ProbeReport = { level, ends, ...(notice === undefined ? {} : { notice }) };
process.stdout.write(JSON.stringify(report));
