// Looks whether a session holds what it promises: its invariants, its lines, its blobs, its requests. Reads only.

import { checkLog } from "../session/check.ts";
import type { Commit } from "../session/events.ts";
import { AgiError } from "../types.ts";
import { rebuildRequests } from "./requests.ts";
import type { SessionReading, Sessions } from "./sessions.ts";

/** One thing that is wrong, as `agi sessions check` tells it. `invariant` is its number in ARCHITECTURE.md. */
export interface SessionViolation {
	session: string;
	invariant: number;
	/** The commit that shows it; 0 where none can be named. */
	seq: number;
	message: string;
}

/** What a check found in one session. */
export interface SessionCheck {
	violations: SessionViolation[];
	/** Sentences about what is no fault, such as a last line that a killed process left half written. */
	notices: string[];
	/** Sessions of its subagents. */
	children: string[];
	/** A newer agi wrote it, so this one cannot tell. */
	isNewer?: true;
}

const DENSE_SEQUENCE = 1;
const CAN_BE_REBUILT = 10;

/** Checks one session; never rejects for what its files hold. `digest` is SHA-256 in hex. */
export async function checkSession(
	sessions: Pick<Sessions, "read">,
	sessionId: string,
	digest: (content: string) => string,
): Promise<SessionCheck> {
	const violations: SessionViolation[] = [];
	const report = (invariant: number, seq: number, message: string) =>
		violations.push({ session: sessionId, invariant, seq, message });
	let reading: SessionReading;
	try {
		reading = await sessions.read(sessionId, {
			onLostText: (seq, message) => report(CAN_BE_REBUILT, seq, message),
		});
	} catch (error) {
		// Nothing is wrong with it; only this agi cannot tell.
		if (error instanceof AgiError && error.code === "LOG_VERSION_NEWER")
			return { violations, notices: [notChecked(sessionId, error)], children: [], isNewer: true };
		report(DENSE_SEQUENCE, 0, messageOf(error));
		return { violations, notices: [], children: [] };
	}
	const { commits, damage, tornBytes, getBlob } = reading;
	if (damage) report(DENSE_SEQUENCE, damage.lines[0] ?? 0, `the log is damaged: ${damage.message}`);
	for (const { invariant, seq, message } of checkLog(commits)) report(invariant, seq, message);
	for await (const request of rebuildRequests(commits, { getBlob, digest }))
		if (!request.ok) report(CAN_BE_REBUILT, request.seq, request.message);
	for (const { seq, digest: name } of artifactsOf(commits))
		await getBlob(name).catch((error) => report(CAN_BE_REBUILT, seq, messageOf(error)));
	const notices =
		tornBytes > 0
			? [
					`Session ${sessionId}: the last ${tornBytes} bytes are a line that was never finished; the next start drops them.`,
				]
			: [];
	return { violations, notices, children: childrenOf(commits) };
}

/** Checks these sessions and those of their subagents, each once. `sessions` counts what was checked, `newer` what was not. */
export async function checkSessions(
	sessions: Pick<Sessions, "read">,
	ids: readonly string[],
	digest: (content: string) => string,
): Promise<{ sessions: number; newer: number; violations: SessionViolation[]; notices: string[] }> {
	const found = { sessions: 0, newer: 0, violations: [] as SessionViolation[], notices: [] as string[] };
	const seen = new Set(ids);
	// A set is walked to its end, what is added on the way included.
	for (const id of seen) {
		const check = await checkSession(sessions, id, digest);
		if (check.isNewer) found.newer++;
		else found.sessions++;
		found.violations.push(...check.violations);
		found.notices.push(...check.notices);
		for (const child of check.children) seen.add(child);
	}
	return found;
}

function notChecked(sessionId: string, { message }: AgiError): string {
	return `Session ${sessionId} was not checked: ${message}`;
}

function artifactsOf(commits: readonly Commit[]): { seq: number; digest: string }[] {
	return commits.flatMap(({ seq, events }) =>
		events.flatMap((event) => (event.type === "artifact/created" ? [{ seq, digest: event.digest }] : [])),
	);
}

function childrenOf(commits: readonly Commit[]): string[] {
	const ids = commits.flatMap(({ events }) =>
		events.flatMap((event) => (event.type === "subagent/changed" ? [event.sessionId] : [])),
	);
	return [...new Set(ids)];
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
