// Joins the undo of one session with the snapshots of its workspace, which are loaded with the first effect of a turn.

import type { Snapshots } from "../ports/snapshots.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createTurnFiles, type TurnFiles } from "../runtime/turnFiles.ts";
import { createUndo, type Undo } from "../runtime/undo.ts";

/** Where snapshots are kept, and folders that are never part of one. */
export interface SnapshotPlace {
	folder: string;
	without: readonly string[];
}

/** The undo of a session; `files` is absent where nothing may be left on the disk, which no `place` says. */
export function openUndo(
	session: LiveSession,
	workspace: Workspace,
	place: SnapshotPlace | undefined,
): { files?: TurnFiles; undo: Undo } {
	if (!place) return { undo: createUndo(session, undefined, undefined) };
	let opened: Promise<Snapshots> | undefined;
	const open = () => {
		opened ??= openSnapshots(place, workspace);
		return opened;
	};
	const files = createTurnFiles(session, open);
	return { files, undo: createUndo(session, files, open, workspace) };
}

async function openSnapshots(place: SnapshotPlace, workspace: Workspace): Promise<Snapshots> {
	const { createSnapshots } = await import("../adapters/snapshots/snapshots.ts");
	return createSnapshots({ ...place, root: workspace.root, added: workspace.added });
}
