// The real clock, chance and digest. The only file from which rules get time and randomness, as arguments.

import { hash, randomInt } from "node:crypto";
import type { World } from "../ports/world.ts";

/** The longest delay that a timer of this platform keeps. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const TAIL_CHOICES = 36 ** 4;

/** This machine's world. */
export function createWorld(): World {
	return {
		clock: { now: Date.now, wait },
		sessionId: () => formatSessionId(Date.now(), randomInt(TAIL_CHOICES)),
		random: Math.random,
		digest: (content) => hash("sha256", content, "hex"),
	};
}

/**
 * `20261129-172031-<6 characters>`: the time in UTC, then two base-36 digits for the milliseconds, so that ids sort by
 * time, and four for `chance` (a whole number below 36^4), so that two of one millisecond differ. Safe as a file name.
 */
export function formatSessionId(epochMs: number, chance: number): string {
	const [day, time] = new Date(epochMs).toISOString().replace(/[-:]/g, "").slice(0, 15).split("T");
	const milliseconds = (epochMs % 1000).toString(36).padStart(2, "0");
	return `${day}-${time}-${milliseconds}${chance.toString(36).padStart(4, "0")}`;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) return reject(signal.reason);
		const timer = setTimeout(finish, Math.min(ms, LONGEST_TIMER_MS));
		signal.addEventListener("abort", abort, { once: true });

		function finish(): void {
			signal.removeEventListener("abort", abort);
			resolve();
		}
		function abort(): void {
			clearTimeout(timer);
			reject(signal.reason);
		}
	});
}
