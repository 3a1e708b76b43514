// Which skills a session has loaded, and what follows from it. Pure.

import { itemIdOf, viewEntries } from "./modelView.ts";
import type { SessionState } from "./state.ts";

/** Whether the model's view holds the text of that version of a skill. */
export function isSkillShown(state: SessionState, name: string, digest: string): boolean {
	const loads = state.skills.filter((skill) => skill.name === name && skill.digest === digest);
	const ids = new Set(loads.map(({ itemId }) => itemId).filter((id) => !state.masked.has(id)));
	return ids.size > 0 && viewEntries(state.history).some(({ item }) => ids.has(itemIdOf(item) ?? ""));
}

/** Real folders outside of the workspace that may be read because a skill of the person's own lies there. */
export function skillFolders({ skills }: SessionState): string[] {
	return [...new Set(skills.flatMap(({ folder }) => folder ?? []))];
}
