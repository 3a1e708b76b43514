// What of a recorded result is shown to a person: the same words when a call ends as when its session is entered again.

import type { ToolStatus } from "../../types.ts";

/** The words of an error that the model reads as JSON; any other text is shown as it was recorded. */
export function resultWords(status: ToolStatus, text: string): string {
	if (status === "result") return text;
	const [line = ""] = text.split("\n", 1);
	return messageIn(line) ?? text;
}

function messageIn(line: string): string | undefined {
	if (!line.startsWith('{"ok":false,')) return undefined;
	try {
		const { error } = JSON.parse(line) as { error?: { message?: unknown } };
		return typeof error?.message === "string" ? error.message : undefined;
	} catch {
		return undefined;
	}
}
