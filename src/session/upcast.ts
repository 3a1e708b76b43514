// Brings a commit of any earlier version to the current one. Owns what each version of the log means; it never guesses
// at a version it does not know, since a fact that is read wrongly is worse than one that is not read.

import { AgiError } from "../types.ts";
import { type Commit, LOG_VERSION, type SessionEvent } from "./events.ts";
import type { StoredCommit } from "./line.ts";

/** The commit in today's words. Throws `AgiError` `LOG_VERSION_NEWER` (exit 42) for a line of a later agi. */
export function upcast(stored: StoredCommit): Commit {
	if (stored.v > LOG_VERSION) {
		throw new AgiError(
			"LOG_VERSION_NEWER",
			`This session was written by a newer agi (log version ${stored.v}; this one reads up to ${LOG_VERSION}). ` +
				"Update agi to open it; nothing was changed.",
			{ exitCode: 42 },
		);
	}
	return { v: stored.v, seq: stored.seq, at: stored.at, events: stored.events as SessionEvent[] };
}
