// The end of a rewind's work on files: that it is done, or how much of it is, where something failed or agi was ended in
// the middle. What the log holds afterwards is what the disk holds, so that the rest can be planned anew.

import type { Snapshots } from "../ports/snapshots.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { FileChange } from "../session/events.ts";
import { decodeChanges, encodeChanges, sameImage } from "../session/fileChanges.ts";
import { titleOf } from "../session/reduce.ts";
import type { RewindEntry } from "../session/state.ts";
import { turnEntry, unfinishedRewind } from "../session/timeline.ts";
import type { LiveSession } from "./liveSession.ts";
import { removeDrafts } from "./reconcile.ts";

/** Paths that a notice names. */
const NAMED = 5;

/** Records which of the last rewind's changes are on the disk, and resolves with them. */
export async function finishRewind(
	session: LiveSession,
	changes: readonly FileChange[],
	isDone: (change: FileChange) => boolean,
): Promise<FileChange[]> {
	const rewindId = unfinishedRewind(session.state)?.rewindId;
	const done = changes.filter(isDone);
	if (rewindId === undefined) return done;
	const part = done.length < changes.length ? { changes: encodeChanges(done) } : {};
	session.record({ do: "finishRewind", rewindId, ...part });
	await session.flush({ wait: true });
	return done;
}

/**
 * Looks how far a rewind came that a dead process had begun, records it, and resolves with the sentence for the person;
 * [] where there is none, so that a second call says and appends nothing.
 */
export async function settleRewind(
	session: LiveSession,
	open: (() => Promise<Snapshots>) | undefined,
	workspace?: Workspace,
): Promise<string[]> {
	const last = unfinishedRewind(session.state);
	if (!last) return [];
	const changes = decodeChanges(last.changes);
	if (workspace)
		await removeDrafts(
			changes.map(({ after }) => after.path),
			workspace,
		);
	const present = (await open?.())?.look(changes.map(({ after }) => after)) ?? [];
	const isBack = (change: FileChange): boolean => {
		const now = present[changes.indexOf(change)];
		return now !== undefined && sameImage(now, change.after);
	};
	const text = turnEntry(session.state, last.toTurnId)?.text ?? "";
	const place = text === "" ? "that turn" : `"${titleOf(text)}"`;
	return [cutOffNotice(last, place, changes, await finishRewind(session, changes, isBack))];
}

/** How far it came, and what can be done about it. `place`: what the person had asked for in the turn gone back to. */
function cutOffNotice(
	{ undoes }: RewindEntry,
	place: string,
	changes: readonly FileChange[],
	done: readonly FileChange[],
): string {
	const way = undoes === undefined ? "going back" : "a redo";
	const left = changes.filter((change) => !done.includes(change)).map(({ after }) => after.path);
	const head = `agi ended in the middle of ${way}: ${done.length} of ${changes.length} files were put back`;
	if (left.length === 0) return `${head}, so it is done.`;
	const more = left.length > NAMED ? ` and ${left.length - NAMED} more` : "";
	const ways =
		undoes === undefined
			? `/rewind to before ${place} puts the rest back, /redo takes back what was done.`
			: "/redo brings the rest back, /rewind goes back again.";
	return `${head}, not ${left.slice(0, NAMED).join(", ")}${more}. ${ways}`;
}
