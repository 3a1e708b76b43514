// Time and chance, so that rules stay pure and tests deterministic.

export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Resolves after `ms`, or rejects with the signal's reason. */
	wait(ms: number, signal: AbortSignal): Promise<void>;
}

export interface World {
	clock: Clock;
	/** A new id that sorts by time, for sessions. */
	sessionId(): string;
	/** In [0, 1). */
	random(): number;
	/** SHA-256 in hex. */
	digest(content: string | Uint8Array): string;
}
