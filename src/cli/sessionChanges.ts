// `agi sessions rename`, `fork` and `rm`: the actions that write. Each takes the session's lock or leaves it as it is.

import { type Sessions, stateOf } from "../runtime/sessions.ts";
import { lossSentences } from "../session/fork.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import type { Surroundings } from "./surroundings.ts";

/** Gives a session of any project another title. Rejects with `SESSION_LOCKED` (exit 42) while another agi writes it. */
export async function renameSession(
	sessions: Sessions,
	{ id, title }: { id: string; title: string },
	around: Surroundings,
): Promise<ExitCode> {
	const { session, notices } = await sessions.open(await sessions.find(id, { allProjects: true }));
	try {
		for (const notice of notices) around.err(notice);
		await session.save(() => session.record({ do: "renameSession", title }));
	} finally {
		await session.close();
	}
	return 0;
}

/** Copies a session of this folder and prints the id of the copy. Rejects with exit 42 for a step that did not end. */
export async function forkSession(
	sessions: Sessions,
	{ id, at }: { id: string; at?: string },
	json: boolean,
	around: Surroundings,
): Promise<ExitCode> {
	const from = await sessions.find(id);
	const copy = await sessions.fork(from, {
		...(at === undefined ? {} : { afterStep: at }),
		onLoss: (loss) => lossSentences(loss).forEach(around.err),
	});
	const { sessionId } = copy.state;
	await copy.close();
	around.out(json ? `${JSON.stringify({ id: sessionId, from })}\n` : `${sessionId}\n`);
	if (!json) around.err(`Go on in it with: agi -r ${sessionId}`);
	return 0;
}

/** Deletes a session of any project after a yes; exit 1 where the answer was no. */
export async function removeSession(
	sessions: Sessions,
	{ id, yes }: { id: string; yes: boolean },
	around: Surroundings,
): Promise<ExitCode> {
	const sessionId = await sessions.find(id, { allProjects: true });
	if (!yes && !(await agrees(sessions, sessionId, around))) {
		around.err("Nothing was deleted.");
		return 1;
	}
	await sessions.remove(sessionId);
	around.err(`Session ${sessionId} is deleted.`);
	return 0;
}

async function agrees(sessions: Sessions, sessionId: string, around: Surroundings): Promise<boolean> {
	if (!around.confirm) {
		const message = `Nobody can be asked whether session ${sessionId} is to be deleted; --yes deletes it without a question.`;
		throw new AgiError("NOBODY_TO_ASK", message, { exitCode: 42 });
	}
	// A log that cannot be read may be deleted all the same.
	const reading = await sessions.read(sessionId, { onLostText: () => undefined }).catch(() => undefined);
	const title = reading ? stateOf(reading.commits).title : "";
	return around.confirm(
		visibleText(`Delete session ${sessionId}${title === "" ? "" : ` (${title})`} for ever?`),
	);
}
