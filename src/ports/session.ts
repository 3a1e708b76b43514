// What the loop needs of the session it works in: its state, a way to record facts, and a way to tell live things that
// are no facts. There is one writer; facts recorded between two flushes become one commit.

import type { Command } from "../session/commands.ts";
import type { SessionEvent } from "../session/events.ts";
import type { LiveDelta } from "../session/live.ts";
import type { SessionState } from "../session/state.ts";

/**
 * The session as the loop sees it. `record` changes `state` at once and rejects nothing silently: a refused command
 * throws `AgiError` code `REFUSED` (a fault of the caller). Events reach the log at the next `flush`.
 */
export interface SessionWriter {
	readonly state: SessionState;
	record(command: Command): SessionEvent[];
	/**
	 * Writes everything recorded so far as one commit. `wait: true` resolves once it is on the disk; `wait: false` once it
	 * is in the system's hands, the disk following within moments. Rejects with `AgiError` (`LOG_WRITE_FAILED`,
	 * `LOG_SYNC_FAILED`); after the former, the events are kept for the next flush.
	 */
	flush(options: { wait: boolean }): Promise<void>;
	/** Bytes that are free where the log lies; Infinity where nobody can tell. Asks the system each time. */
	freeBytes(): number;
	/** Stores bytes beside the log; resolves with their SHA-256. */
	putBlob(bytes: Uint8Array): Promise<string>;
	/** Bytes that were stored so. Rejects with `AgiError` `BLOB_MISSING` or `BLOB_DAMAGED`. */
	getBlob(digest: string): Promise<Uint8Array>;
	/** Tells the screen something that is not a fact. */
	tell(delta: LiveDelta): void;
	/** The body of the previous request of this process; "" before the first. */
	previousBody: string;
}
