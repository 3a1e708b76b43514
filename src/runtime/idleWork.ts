// Work that waits until nobody waits: it begins a moment after a turn ended, and stops when another one begins.

import type { Clock } from "../ports/world.ts";
import type { LiveSession } from "./liveSession.ts";

/** How long a session has rested before the work begins, in milliseconds. */
const RESTED_MS = 1_500;

/** After work that was finished, how long it is not done again, in milliseconds. */
const DONE_FOR_MS = 60_000;

export interface IdleWork {
	/** Stops it for good and resolves once it has stopped. */
	stop(): Promise<void>;
}

/**
 * Does `work` whenever `session` rests. It has to stop soon after its signal; a later time it goes on where it left off.
 * What it rejects with counts as finished.
 */
export function createIdleWork(
	session: Pick<LiveSession, "subscribe">,
	clock: Clock,
	work: (signal: AbortSignal) => Promise<void>,
): IdleWork {
	let current: { controller: AbortController; ended: Promise<void> } | undefined;
	let doneAt = Number.NEGATIVE_INFINITY;

	const begin = () => {
		current?.controller.abort();
		const controller = new AbortController();
		const before = current?.ended;
		current = { controller, ended: run(controller.signal, before) };
	};
	const run = async (signal: AbortSignal, before: Promise<void> | undefined) => {
		await before;
		try {
			await clock.wait(RESTED_MS, signal);
			if (clock.now() - doneAt < DONE_FOR_MS) return;
			await work(signal);
		} catch {
			// Whatever it could not do now, it can do the next time.
		}
		if (!signal.aborted) doneAt = clock.now();
	};
	const unsubscribe = session.subscribe((told) => {
		if (told.kind !== "facts") return;
		const last = told.events.findLast(({ type }) => type === "turn/start" || type === "turn/end");
		if (last?.type === "turn/end") begin();
		else if (last) current?.controller.abort();
	});
	return {
		async stop() {
			unsubscribe();
			current?.controller.abort();
			await current?.ended;
		},
	};
}
