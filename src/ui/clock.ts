// Time, as the screen gets it from outside.

/** A clock that can be asked and can wake. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Calls `wake` once, after so many milliseconds; the returned function stops that. */
	after(milliseconds: number, wake: () => void): () => void;
}
