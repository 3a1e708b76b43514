// Ctrl+R: the search in earlier messages, newest first, each told once. Pure; the list itself is a picker.

import { openPicker, type PickerState } from "./picker.ts";

/** The search over `prompts` (newest first, of all sessions), beginning with what the prompt line holds. */
export function openHistorySearch(prompts: readonly string[], query = ""): PickerState {
	const known = new Set<string>();
	for (const prompt of prompts) if (prompt.trim() !== "") known.add(prompt);
	return openPicker(
		Array.from(known, (prompt) => ({ id: prompt, label: prompt })),
		query.replace(/\s+/g, " ").trim(),
	);
}
