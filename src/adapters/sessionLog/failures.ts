// The errors of session logs, as a person reads them: what happened, to which session, what to do now. No logic.

import { AgiError } from "../../types.ts";
import { diskCause } from "../diskCause.ts";

/** An append or a blob that could not be written. */
export function writeFailed(sessionId: string, cause: unknown): AgiError {
	return new AgiError(
		"LOG_WRITE_FAILED",
		`Session ${sessionId} could not be saved: ${diskCause(cause)}. What was saved before is whole. ` +
			`Free some space or mend the disk, then go on: what is open is saved with the next write that succeeds, and ` +
			`after a new start --resume ${sessionId} goes on from what was saved.`,
		{ cause },
	);
}

/** A sync that failed: nobody knows what the disk holds, so nothing more may rest on it. */
export function syncFailed(sessionId: string, cause: unknown): AgiError {
	return new AgiError(
		"LOG_SYNC_FAILED",
		`The disk did not confirm that session ${sessionId} is saved: ${diskCause(cause)}. Nothing more is written to it ` +
			`now. Check the disk, then start agi again with --resume ${sessionId} to go on from what it holds.`,
		{ cause },
	);
}

/** The log is not as this process left it. */
export function fenced(sessionId: string, what: string): AgiError {
	return new AgiError(
		"LOG_FENCED",
		`The log of session ${sessionId} was changed from outside (${what}), so nothing more is written to it. ` +
			`Close what else uses it, then start agi again with --resume ${sessionId}.`,
	);
}

/** A call on a log that was closed: a fault of agi. */
export function closed(sessionId: string): AgiError {
	return new AgiError(
		"LOG_CLOSED",
		`The log of session ${sessionId} is closed. Open the session again to go on.`,
	);
}

/** A commit that does not follow the last one: a fault of agi, stopped before it becomes damage. */
export function wrongSeq(sessionId: string, got: number, expected: number): AgiError {
	return new AgiError(
		"LOG_SEQ_WRONG",
		`A commit with number ${got} was refused by session ${sessionId}, whose next number is ${expected}. Nothing was ` +
			"written. Open the session again to go on.",
	);
}

/** No session has this id. */
export function notFound(sessionId: string): AgiError {
	return new AgiError(
		"SESSION_NOT_FOUND",
		`There is no session ${sessionId}. See the ids with: agi sessions list`,
		{
			exitCode: 42,
		},
	);
}

/** A new session under an id that cannot be used. */
export function badNewId(sessionId: string, why: string): AgiError {
	return new AgiError(
		"SESSION_ID_REFUSED",
		`A session ${sessionId} cannot be made: ${why}. Use another id.`,
		{
			exitCode: 42,
		},
	);
}

/** Nothing can be written where it lies. */
export function folderReadOnly(sessionId: string, folder: string, cause: unknown): AgiError {
	return new AgiError(
		"SESSION_OPEN_FAILED",
		`Session ${sessionId} cannot be written in ${folder}: ${diskCause(cause)}. Make that folder writable and try ` +
			`again; nothing was changed. Reading it works all the same: agi sessions show ${sessionId}`,
		{ cause },
	);
}

/** Its files could not be made, read or opened. */
export function openFailed(sessionId: string, cause: unknown): AgiError {
	return new AgiError(
		"SESSION_OPEN_FAILED",
		`The files of session ${sessionId} could not be opened: ${diskCause(cause)}. Mend that and try again; ` +
			"nothing was changed.",
		{ cause },
	);
}

/** The folder of a new session could not be made. */
export function folderFailed(folder: string, cause: unknown): AgiError {
	return new AgiError(
		"SESSION_OPEN_FAILED",
		`The folder ${folder} for this session could not be made: ${diskCause(cause)}. Mend that, set AGI_HOME to a ` +
			"folder that you may write, or add --ephemeral to keep the session in memory only.",
		{ cause },
	);
}

/** Its files could not be deleted, or not all of them. */
export function removeFailed(sessionId: string, cause: unknown): AgiError {
	return new AgiError(
		"SESSION_REMOVE_FAILED",
		`Session ${sessionId} could not be deleted: ${diskCause(cause)}. Mend that and try again.`,
		{ cause },
	);
}

/** SQLite could not lock it, for another reason than a second holder. */
export function lockFailed(sessionId: string, path: string, cause: unknown): AgiError {
	return new AgiError(
		"SESSION_LOCK_FAILED",
		`Session ${sessionId} could not be locked: ${diskCause(cause)}. If no agi uses it, delete ${path} and try again.`,
		{ cause },
	);
}

/** Another process writes it. `holder` names that process. */
export function locked(sessionId: string, holder: string): AgiError {
	return new AgiError(
		"SESSION_LOCKED",
		`Session ${sessionId} is in use by ${holder}. Close it there, or go on in a copy with: ` +
			`agi sessions fork ${sessionId}`,
		{ exitCode: 42 },
	);
}

/** Its log is damaged before its tail. */
export function damaged(sessionId: string, message: string): AgiError {
	const what = `The log of session ${sessionId} is damaged (${message}). Nothing was changed; it can still be read.`;
	return new AgiError(
		"SESSION_DAMAGED",
		`${what} Go on with all that is readable in a copy: agi -r ${sessionId} --fork-session`,
		{ exitCode: 42, sessionId, copyOffer: what },
	);
}

/** Its first commit is lost, without which the others are no session. */
export function beginningLost(sessionId: string, message: string): AgiError {
	return new AgiError(
		"SESSION_DAMAGED",
		`The log of session ${sessionId} is damaged at its beginning (${message}), so it cannot be gone on with, nor ` +
			`copied. Nothing was changed. What is left of it: agi sessions show ${sessionId}`,
		{ exitCode: 42, sessionId },
	);
}

/** A blob that the log names is not there. */
export function blobMissing(sessionId: string, digest: string): AgiError {
	return new AgiError(
		"BLOB_MISSING",
		`Session ${sessionId} has no stored content ${digest}. Restore its blobs folder from a backup to see it.`,
	);
}

/** A blob's bytes are not those that were stored. */
export function blobDamaged(sessionId: string, digest: string): AgiError {
	return new AgiError(
		"BLOB_DAMAGED",
		`The stored content ${digest} of session ${sessionId} was changed since it was written and is not used. ` +
			"Restore its blobs folder from a backup to see it.",
	);
}
