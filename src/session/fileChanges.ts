// What turns and rewinds made of files, as values: how it is written into an event, compared, and joined over several of
// them. Pure; nothing here knows a disk.

import type { FileChange, FileImage } from "./events.ts";

const CHANGED_BETWEEN = "something else changed it between these turns";

/** Whether two images show the same: kind, content and permission bits. */
export function sameImage(a: FileImage, b: FileImage): boolean {
	return a.kind === b.kind && a.digest === b.digest && a.mode === b.mode && a.size === b.size;
}

/** Changes as text, a JSON line each: a text, unlike a list, leaves a log line that would grow too long. */
export function encodeChanges(changes: readonly FileChange[]): string {
	return changes.map((change) => JSON.stringify(change)).join("\n");
}

/** Changes out of such a text; a line that is none is left out. */
export function decodeChanges(text: string): FileChange[] {
	return text.split("\n").flatMap((line) => {
		try {
			const change = JSON.parse(line) as Partial<FileChange>;
			return change.before && change.after ? [change as FileChange] : [];
		} catch {
			return [];
		}
	});
}

/** What several stretches, the oldest first, did together; paths that are in the end as they were are left out. */
export function joinChanges(stretches: readonly (readonly FileChange[])[]): FileChange[] {
	const joined = new Map<string, FileChange>();
	for (const { before, after, doubt } of stretches.flat()) {
		const earlier = joined.get(before.path);
		const between = earlier && !sameImage(earlier.after, before) ? CHANGED_BETWEEN : undefined;
		const why = earlier?.doubt ?? doubt ?? between;
		const change = { before: earlier?.before ?? before, after };
		joined.set(before.path, why === undefined ? change : { ...change, doubt: why });
	}
	return [...joined.values()].filter((change) => !sameImage(change.before, change.after));
}

/** What `after` shows of each path otherwise than `before`; a path that only one knows is nothing in the other. */
export function compareImages(
	before: ReadonlyMap<string, FileImage>,
	after: ReadonlyMap<string, FileImage>,
): FileChange[] {
	const changes: FileChange[] = [];
	for (const [path, old] of before) {
		const now = after.get(path) ?? nothingAt(path);
		if (old !== now && !sameImage(old, now)) changes.push({ before: old, after: now });
	}
	for (const [path, now] of after)
		if (!before.has(path) && now.kind !== "none") changes.push({ before: nothingAt(path), after: now });
	return changes;
}

/** The image of a path at which nothing stands. */
export function nothingAt(path: string): FileImage {
	return { path, kind: "none" };
}
