// What has to hold after any death and the lives that followed it. Gives sentences about what does not.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { rebuildRequests } from "../../src/runtime/requests.ts";
import { createSessions } from "../../src/runtime/sessions.ts";
import { checkLog } from "../../src/session/check.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { openJournal } from "./effects.ts";
import { sessionsIn } from "./life.ts";

/** What is wrong with the folder after all lives: lost facts, doubled effects, broken invariants; [] where nothing is. */
export async function faultsOf(
	folder: string,
	calls: readonly string[],
	acknowledged: readonly SessionEvent[],
): Promise<string[]> {
	const world = createWorld();
	const sessions = createSessions(
		createJsonlStore({ folder: sessionsIn(folder), digest: world.digest }),
		world,
		() => undefined,
	);
	const { commits, damage, getBlob } = await sessions.read("s");
	const faults = checkLog(commits).map(({ invariant, message }) => `invariant ${invariant}: ${message}`);
	if (damage) faults.push(`the log is damaged: ${damage.message}`);
	const recorded = new Set(commits.flatMap((commit) => commit.events).map((event) => JSON.stringify(event)));
	for (const event of acknowledged)
		if (!recorded.has(JSON.stringify(event))) faults.push(`acknowledged and lost: ${JSON.stringify(event)}`);
	for await (const request of rebuildRequests(commits, { getBlob, digest: world.digest }))
		if (!request.ok) faults.push(request.message);
	const lines = openJournal(folder).lines();
	for (const name of calls) {
		const times = lines.filter((line) => line.startsWith(`${name} `)).length;
		// A real kill may fall between a write and its line; the file itself then tells.
		if (name === "reconcile" ? !isWritten(folder) : times === 0) faults.push(`${name} never happened`);
		if (times > 1 && name !== "none") faults.push(`${name} happened ${times} times`);
	}
	return faults;
}

function isWritten(folder: string): boolean {
	const path = join(folder, "workspace", "n.txt");
	return existsSync(path) && readFileSync(path, "utf8") === "new\n";
}
