// What a recorded log gives: its state in the parts that no later release may read otherwise, and its requests.

import { basename, dirname } from "node:path";
import { createJsonlStore } from "../../src/adapters/sessionLog/jsonl.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { rebuildRequests } from "../../src/runtime/requests.ts";
import { createSessions, stateOf } from "../../src/runtime/sessions.ts";
import { checkLog } from "../../src/session/check.ts";

export interface History {
	commits: number;
	/** SHA-256 over the model's history, plan, inbox, mode, title and usage. */
	state: string;
	/** SHA-256 of each request's body, or why it cannot be rebuilt. */
	requests: string[];
	violations: string[];
	damage: string | null;
}

/** Reads the log in `folder`. */
export async function readHistory(folder: string): Promise<History> {
	const world = createWorld();
	const store = createJsonlStore({ folder: dirname(folder), digest: world.digest });
	const reading = await createSessions(store, world, () => undefined).read(basename(folder));
	const { history, plan, inbox, mode, title, usage } = stateOf(reading.commits);
	const requests: string[] = [];
	for await (const request of rebuildRequests(reading.commits, { ...reading, digest: world.digest }))
		requests.push(request.ok ? world.digest(request.body) : request.message);
	return {
		commits: reading.commits.length,
		state: world.digest(JSON.stringify({ history, plan, inbox, mode, title, usage })),
		requests,
		violations: checkLog(reading.commits).map(({ message }) => message),
		damage: reading.damage?.message ?? null,
	};
}
