// Keeps work in the background to a part of one core, by resting after each piece of it.

import { setTimeout as sleep } from "node:timers/promises";

/**
 * Gives a function to call after each piece of work: it resolves once what the process has worked since the last call is
 * no more than `share` of the time. Rejects when `signal` aborts.
 */
export function createPace(share: number, signal: AbortSignal): () => Promise<void> {
	let began = process.cpuUsage();
	return async () => {
		const { user, system } = process.cpuUsage(began);
		const workedMs = (user + system) / 1000;
		await sleep((workedMs * (1 - share)) / share, undefined, { signal });
		began = process.cpuUsage();
	};
}
