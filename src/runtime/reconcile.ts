// Looks at the disk to tell whether a started file call did its work. Reads digests and removes drafts that a killed write
// left; writes nothing.

import type { Workspace } from "../ports/workspace.ts";
import type { DiskFinding } from "../session/settle.ts";
import type { OpenCall } from "../session/state.ts";
import type { FileStamp } from "../types.ts";

/** A draft that the workspace writes beside a file before it takes the file's name. */
const DRAFT = /^\.agi-[0-9a-f]{12}\.tmp$/;

/** How the files of a started call stand now. `other` also where one cannot be looked at. */
export async function findingOf(call: OpenCall, workspace: Workspace): Promise<DiskFinding> {
	const { before = [], after = [] } = call.started ?? {};
	// Where there is no content to compare, such as with a link that leads nowhere, the disk tells nothing.
	if ([...before, ...after].every(({ digest }) => digest === null)) return "other";
	const now = await Promise.all(after.map(({ path }) => digestOf(path, workspace)));
	const stands = (as: readonly FileStamp[]) =>
		after.every(({ path }, i) => {
			const stamp = as.find((one) => one.path === path);
			return stamp !== undefined && stamp.digest === now[i];
		});
	if (stands(after)) return "after";
	return stands(before) ? "before" : "other";
}

/** Removes drafts beside files that a killed process was writing. One that cannot be removed stays. */
export async function removeDrafts(paths: readonly string[], workspace: Workspace): Promise<void> {
	const folders = paths.map((path) => {
		const absolute = path.startsWith("/") ? path : `${workspace.root}/${path}`;
		return absolute.slice(0, absolute.lastIndexOf("/")) || "/";
	});
	for (const folder of new Set(folders)) {
		const resolved = await workspace.resolve(folder);
		const listed = resolved.ok ? await workspace.list(resolved.value) : undefined;
		if (!listed?.ok) continue;
		for (const { name } of listed.value.filter((entry) => entry.kind === "file" && DRAFT.test(entry.name))) {
			const draft = await workspace.resolve(`${folder}/${name}`);
			if (draft.ok) await workspace.remove(draft.value);
		}
	}
}

/** The digest at a real path; null where nothing stands, undefined where it cannot be told. */
async function digestOf(path: string, workspace: Workspace): Promise<string | null | undefined> {
	const resolved = await workspace.resolve(path);
	if (!resolved.ok || (resolved.value.real !== path && !resolved.value.isLink)) return undefined;
	const stamp = await workspace.stamp(resolved.value);
	return stamp.ok ? stamp.value.digest : undefined;
}
