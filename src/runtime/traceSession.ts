// Reads the trace of a session, those of its subagents nested in the calls that started them. Reads only.

import { type SessionTrace, traceLog } from "../session/trace.ts";
import type { Sessions } from "./sessions.ts";

/** The trace; rejects like `Sessions.read`. A subagent's session that cannot be read has none, its call tells the rest. */
export async function traceSession(
	sessions: Pick<Sessions, "read">,
	sessionId: string,
): Promise<SessionTrace> {
	return read(sessions, sessionId, new Set());
}

/** `above` are the sessions that this one is a part of: a log that names one of them as its subagent leads nowhere. */
async function read(
	sessions: Pick<Sessions, "read">,
	sessionId: string,
	above: ReadonlySet<string>,
): Promise<SessionTrace> {
	const { commits } = await sessions.read(sessionId, { onLostText: () => undefined });
	const trace = traceLog(commits);
	const chain = new Set([...above, sessionId]);
	for (const { child } of trace.turns.flatMap((turn) => turn.steps).flatMap((step) => step.tools)) {
		if (!child || chain.has(child.sessionId)) continue;
		const nested = await read(sessions, child.sessionId, chain).catch(() => undefined);
		if (nested) child.trace = nested;
	}
	return trace;
}
