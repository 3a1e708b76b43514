// Joins the library of sessions with its index on the disk. Loaded by what lists or searches, never by a start.

import { join } from "node:path";
import { openSqliteIndex } from "../adapters/sessionIndex/sqlite.ts";
import { createSessionLibrary, type LibraryParts, type SessionLibrary } from "../runtime/sessionLibrary.ts";
import type { Place } from "./place.ts";

/** Where the index of all sessions lies. */
export function sessionIndexPath(place: Place): string {
	return join(place.folders.data, "index.db");
}

/** The library of these sessions. `ephemeral`: the index is made anew in memory each time. */
export function openLibrary(
	place: Place,
	sessions: LibraryParts["sessions"],
	options: { ephemeral?: boolean; onWait?: (sentence: string) => void } = {},
): SessionLibrary {
	const path = sessionIndexPath(place);
	return createSessionLibrary({
		sessions,
		projectId: place.projectId,
		openIndex: (where) =>
			options.ephemeral || where === "memory"
				? openSqliteIndex(undefined)
				: openSqliteIndex(path, { anew: where === "anew" }),
		...(options.onWait && { onWait: options.onWait }),
	});
}
