// The sidecar with the text of an Attempt that still streams, so that a crash loses a second of it at most.
// It is no fact: losing it, or writing it late, must never disturb the session.

import { readFile } from "node:fs/promises";
import type { PartialReply } from "../../ports/sessionLog.ts";
import { replaceFile } from "./durable.ts";

const INTERVAL_MS = 1000;

export interface PartialWriter {
	/** Takes the newest text; it is on its way to the file within a second. */
	write(partial: PartialReply): void;
	/** Drops what was not written yet; resolves when no write is under way. */
	stop(): Promise<void>;
}

/** A writer for the sidecar at `path`. Its first write waits too, so that short replies cost no file at all. */
export function createPartialWriter(path: string): PartialWriter {
	let newest: PartialReply | undefined;
	let timer: NodeJS.Timeout | undefined;
	let writing: Promise<void> = Promise.resolve();

	function flush(): void {
		timer = undefined;
		const text = JSON.stringify(newest);
		writing = writing.then(() => replaceFile(path, text, { sync: false })).catch(() => {});
	}

	return {
		write(partial) {
			newest = partial;
			// Unreferenced: a pending sidecar must not keep the program alive.
			timer ??= setTimeout(flush, INTERVAL_MS).unref();
		},
		stop() {
			clearTimeout(timer);
			timer = undefined;
			return writing;
		},
	};
}

/** The sidecar's content, or undefined where there is none or it is not readable. */
export async function readPartial(path: string): Promise<PartialReply | undefined> {
	try {
		const { attemptId, text, reasoning } = JSON.parse(await readFile(path, "utf8")) as Partial<PartialReply>;
		if (typeof attemptId !== "string" || typeof text !== "string" || typeof reasoning !== "string")
			return undefined;
		return { attemptId, text, reasoning };
	} catch {
		return undefined;
	}
}
