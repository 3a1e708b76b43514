// Joins the undo of one session with the snapshots of its workspace, which are loaded with the first effect of a turn.

import { join } from "node:path";
import type { Snapshots } from "../ports/snapshots.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { createTurnFiles, type TurnFiles } from "../runtime/turnFiles.ts";
import { createUndo, type Undo } from "../runtime/undo.ts";
import type { Place } from "../wire.ts";

/** The undo of a session; `files` is absent where nothing may be left on the disk. */
export function openUndo(
	session: LiveSession,
	{ place, workspace, keep }: { place: Place; workspace: Workspace; keep: boolean },
): { files?: TurnFiles; undo: Undo } {
	if (!keep) return { undo: createUndo(session, undefined, undefined) };
	let opened: Promise<Snapshots> | undefined;
	const open = () => {
		opened ??= openSnapshots(place, workspace);
		return opened;
	};
	const files = createTurnFiles(session, open);
	return { files, undo: createUndo(session, files, open) };
}

async function openSnapshots({ folders, projectId }: Place, workspace: Workspace): Promise<Snapshots> {
	const { createSnapshots } = await import("../adapters/snapshots/snapshots.ts");
	return createSnapshots({
		folder: join(folders.data, "projects", projectId, "snapshots"),
		root: workspace.root,
		added: workspace.added,
		without: [folders.data, folders.config, folders.cache],
	});
}
