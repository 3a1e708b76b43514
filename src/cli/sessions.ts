// `agi sessions`: finds the action, and shows and checks recorded sessions and gives back a request as it was sent. That
// only reads, takes no lock, and leaves no trace in the project; other actions live in files of their own.

import { createWorld } from "../adapters/world.ts";
import { checkSessions } from "../runtime/checkSession.ts";
import { rebuildRequests } from "../runtime/requests.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { locate, openSessions } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { forkSession, removeSession, renameSession } from "./sessionChanges.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";

/** Runs `agi sessions ...`. Rejects with `AgiError` (exit 42) for an id or number that names nothing. */
export async function sessionsCommand(
	parsed: CommandLine<"sessions">,
	around: Surroundings = ownSurroundings(),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const sessions = openSessions(place);
	if (place.idFault !== undefined) around.err(place.idFault);
	switch (parsed.action) {
		case "list": {
			const { listSessions } = await import("./sessionSearch.ts");
			return listSessions(place, sessions, parsed, around);
		}
		case "search": {
			const { searchSessions } = await import("./sessionSearch.ts");
			return searchSessions(place, sessions, parsed, around);
		}
		case "show":
			return show(sessions, parsed.id, parsed.json, around);
		case "rename":
			return renameSession(sessions, parsed, around);
		case "fork":
			return forkSession(sessions, parsed, parsed.json, around);
		case "export": {
			const { exportSession } = await import("./sessionExport.ts");
			return exportSession(place, sessions, parsed, around);
		}
		case "trace": {
			const { showTrace } = await import("./sessionExport.ts");
			return showTrace(sessions, parsed, around);
		}
		case "replay": {
			const { replay } = await import("./sessionReplay.ts");
			return replay(sessions, parsed, around);
		}
		case "to-eval": {
			const { printCases } = await import("./sessionExport.ts");
			return printCases(place, sessions, parsed, around);
		}
		case "rm":
			return removeSession(sessions, parsed, around);
		case "check":
			return check(sessions, parsed.id, parsed.json, around);
		case "request":
			return giveRequest(sessions, parsed.id, parsed.attempt, around);
		default: {
			const unknown: never = parsed;
			throw new AgiError("BUG", `no action ${JSON.stringify(unknown)}`);
		}
	}
}

async function show(
	sessions: Sessions,
	given: string,
	json: boolean,
	around: Surroundings,
): Promise<ExitCode> {
	const sessionId = await sessions.find(given, { allProjects: true });
	const reading = await sessions.read(sessionId, { onLostText: (_, message) => around.err(message) });
	if (reading.damage)
		around.err(`The log of session ${sessionId} is damaged (${reading.damage.message}); the rest is shown.`);
	if (json) {
		for (const { seq, at, events } of reading.commits)
			around.out(events.map((event) => `${JSON.stringify({ seq, at, ...event })}\n`).join(""));
	} else {
		const { conversationText } = await import("./sessionText.ts");
		around.out(conversationText(reading.commits));
	}
	return 0;
}

async function check(
	sessions: Sessions,
	given: string | undefined,
	json: boolean,
	around: Surroundings,
): Promise<ExitCode> {
	const ids =
		given === undefined ? await sessions.ids() : [await sessions.find(given, { allProjects: true })];
	const found = await checkSessions(sessions, ids, createWorld().digest);
	const ok = found.violations.length === 0;
	for (const notice of found.notices) around.err(notice);
	if (json) {
		const { sessions: count, violations } = found;
		around.out(`${JSON.stringify({ ok, sessions: count, violations })}\n`);
	} else {
		for (const { session, invariant, seq, message } of found.violations)
			around.out(visibleText(`${session}: commit ${seq}, invariant ${invariant}: ${message}\n`));
		around.out(
			`${counted(found.sessions, "session")} checked, ${found.violations.length || "no"} violations.\n`,
		);
	}
	return ok ? 0 : 1;
}

async function giveRequest(
	sessions: Sessions,
	given: string,
	attempt: number,
	around: Surroundings,
): Promise<ExitCode> {
	const sessionId = await sessions.find(given, { allProjects: true });
	// A text that is lost elsewhere is no reason to keep this request back.
	const lost = new Map<number, string>();
	const onLostText = (seq: number, message: string) => lost.set(seq, message);
	const { commits, getBlob } = await sessions.read(sessionId, { onLostText });
	let count = 0;
	for await (const request of rebuildRequests(commits, { getBlob, digest: createWorld().digest })) {
		if (++count < attempt) continue;
		if (!request.ok) {
			const why = lost.get(request.seq) ?? `${request.message}.`;
			throw new AgiError("REQUEST_LOST", `Request ${attempt} of session ${sessionId} is lost: ${why}`);
		}
		around.out(request.body);
		return 0;
	}
	const held =
		count === 0 ? "sent no request to a model" : `sent ${counted(count, "request")}, numbered from 1`;
	throw new AgiError("NO_REQUEST", `There is no request ${attempt}: session ${sessionId} ${held}.`, {
		exitCode: 42,
	});
}

function counted(count: number, word: string): string {
	return `${count} ${word}${count === 1 ? "" : "s"}`;
}
