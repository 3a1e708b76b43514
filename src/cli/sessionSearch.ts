// `agi sessions list` and `search`: what is recorded, told from the index. What was said goes through the terminal's
// filter; nothing of a session is changed.

import type { FoundText } from "../runtime/sessionLibrary.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { openLibrary } from "../wire/library.ts";
import type { Place } from "../wire/place.ts";
import type { Surroundings } from "./surroundings.ts";

/** Prints the sessions of this folder, or with `all` of every folder, the newest first. */
export async function listSessions(
	place: Place,
	sessions: Sessions,
	{ all, json }: { all: boolean; json: boolean },
	around: Surroundings,
): Promise<ExitCode> {
	const library = openLibrary(place, sessions, { onWait: around.err });
	const { sessions: summaries, unreadable, notices } = await library.list({ allProjects: all });
	for (const notice of notices) around.err(notice);
	for (const { id, message } of unreadable) around.err(`Session ${id} cannot be read: ${message}`);
	if (json) {
		const marked = unreadable.map(({ id, message }) => ({ id, unreadable: message }));
		around.out(`${JSON.stringify([...summaries, ...marked])}\n`);
	} else if (summaries.length + unreadable.length === 0) {
		around.out(`No session ${all ? "" : "of this folder "}is recorded yet.\n`);
	} else {
		const { sessionTable } = await import("./sessionText.ts");
		const ids = unreadable.map(({ id }) => id);
		around.out(sessionTable(summaries, ids, around.now(), around.columns));
	}
	return 0;
}

/** Prints the texts of all projects that hold every word of `query`; exit 1 where there is none, like `grep`. */
export async function searchSessions(
	place: Place,
	sessions: Sessions,
	{ query, all, json }: { query: string; all: boolean; json: boolean },
	around: Surroundings,
): Promise<ExitCode> {
	const library = openLibrary(place, sessions, { onWait: around.err });
	const { found, more, notices } = await library.search(query, { all });
	for (const notice of notices) around.err(notice);
	if (json) {
		around.out(`${JSON.stringify({ found, more })}\n`);
	} else if (found.length === 0) {
		around.out(visibleText(`No session holds ${query}.\n`));
	} else {
		around.out(foundText(found, place.projectId, around.columns !== undefined));
		if (more) around.err("There are more hits: --all shows every one.");
	}
	return found.length > 0 ? 0 : 1;
}

/** Hits under a line for each session; on a screen what was found stands out. */
function foundText(found: readonly FoundText[], ownProject: string, isScreen: boolean): string {
	const lines: string[] = [];
	let current = "";
	for (const { sessionId, projectId, title, cwd, turn, kind, snippet } of found) {
		if (sessionId !== current) {
			if (current !== "") lines.push("");
			const where = projectId === ownProject ? "this folder" : cwd;
			lines.push(visibleText(`${sessionId}  ${where}  ${title}`));
			current = sessionId;
		}
		const [before, hit, after] = [snippet.before, snippet.hit, snippet.after].map(visibleText);
		const marked = isScreen ? `\u001b[1;7m${hit}\u001b[0m` : `[${hit}]`;
		lines.push(`  turn ${turn}, ${kind}: ${before}${marked}${after}`);
	}
	return `${lines.join("\n")}\n`;
}
