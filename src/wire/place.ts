// Where one start works: the user's folders, the project, its sessions, and how the policy tells places apart.

import { homedir } from "node:os";
import { join } from "node:path";
import { type DataFolders, dataFolders, projectIdentity, refuseProc } from "../adapters/projectFolder.ts";
import { createJsonlStore } from "../adapters/sessionLog/jsonl.ts";
import { createMemoryStore } from "../adapters/sessionLog/memory.ts";
import { createWorld } from "../adapters/world.ts";
import type { CommandPlaces } from "../policy/places.ts";
import type { Workspace } from "../ports/workspace.ts";
import { createSessions, type Sessions } from "../runtime/sessions.ts";
import type { SnapshotPlace } from "./undo.ts";

/** Where things are for one start: the user's folders, and the project that `cwd` belongs to. */
export interface Place {
	cwd: string;
	folders: DataFolders;
	projectId: string;
	agentFolder?: string;
	/** A sentence for the person, where the project's id cannot be read. */
	idFault?: string;
}

/**
 * Finds the folders of one start. `create: false` leaves no trace in the project. Rejects with `AgiError` for a home in
 * `/proc`.
 */
export async function locate(
	cwd: string,
	env: Readonly<Record<string, string | undefined>>,
	create: boolean,
): Promise<Place> {
	const folders = dataFolders(env);
	refuseProc(folders);
	return { cwd, folders, ...(await projectIdentity(cwd, { create })) };
}

/** The sessions of a project, on disk or (ephemeral) in memory. */
export function openSessions(place: Place, options: { ephemeral?: boolean } = {}): Sessions {
	const world = createWorld();
	const projectsFolder = join(place.folders.data, "projects");
	const store = options.ephemeral
		? createMemoryStore({ digest: world.digest })
		: createJsonlStore({
				folder: join(projectsFolder, place.projectId, "sessions"),
				projectsFolder,
				digest: world.digest,
			});
	return createSessions(store, world, () => undefined);
}

/** The places that the policy tells apart. */
export function commandPlaces(place: Place, workspace: Workspace): CommandPlaces {
	return {
		workspaceRoots: [workspace.root, ...workspace.added],
		home: homedir(),
		agiPid: process.pid,
		agiFolders: { config: place.folders.config, data: place.folders.data },
	};
}

/** Where a project keeps its snapshots, and agi's own folders, which are never part of one. */
export function snapshotPlace({ folders, projectId }: Place): SnapshotPlace {
	const { config, data, cache } = folders;
	return { folder: join(data, "projects", projectId, "snapshots"), without: [config, data, cache] };
}
