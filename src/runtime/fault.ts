// Why a run broke off where neither the model nor a tool is to blame: its log could not be saved, or agi has a fault. Pure.

import type { Fault } from "../session/live.ts";
import { AgiError } from "../types.ts";

/** Errors of a session's log after which what was recorded last is not known to be on the disk. */
const NOT_SAVED: ReadonlySet<string> = new Set(["LOG_WRITE_FAILED", "LOG_SYNC_FAILED", "LOG_FENCED"]);

/** What `error` means for the run that it ended; `message` is its sentence for the person. */
export function faultOf(error: unknown): Fault {
	const message = error instanceof Error ? error.message : String(error);
	const isStorage = error instanceof AgiError && NOT_SAVED.has(error.code);
	return { code: isStorage ? "storage" : "internal", message };
}
