// Reads a text that a person or a project left somewhere, for agi itself. Whatever stands there instead of one is told and
// never thrown. Never opens what could block, never reads more than the bound.

import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { sep } from "node:path";
import type { ReadTextFile, TextReading } from "../ports/textFile.ts";

/** Keeps the promise of the port. */
export const readTextFile: ReadTextFile = (path, { maxBytes, within }) => {
	let fd: number | undefined;
	try {
		const real = realpathSync(path);
		if (
			within !== undefined &&
			real !== within &&
			!real.startsWith(within.endsWith(sep) ? within : within + sep)
		)
			return { state: "unusable", why: `it is a link that leads out of ${within}` };
		// A pipe that stands there must not be waited for.
		fd = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		const stats = fstatSync(fd);
		if (stats.isDirectory()) return { state: "unusable", why: "it is a folder" };
		if (!stats.isFile()) return { state: "unusable", why: "it is not a file" };
		const bytes = Buffer.alloc(Math.min(stats.size, Math.max(0, maxBytes)));
		const length = readSync(fd, bytes, 0, bytes.length, 0);
		return decode(real, bytes.subarray(0, length), stats.size);
	} catch (error) {
		return reasonOf(error);
	} finally {
		if (fd !== undefined) closeSync(fd);
	}
};

function decode(real: string, bytes: Uint8Array, size: number): TextReading {
	// Streaming, so that a letter at the cut is left out and not taken for damage.
	const text = new TextDecoder("utf-8").decode(bytes, { stream: bytes.length < size });
	const damaged = text.match(/[\0\ufffd]/g)?.length ?? 0;
	if (damaged > text.length / 50) return { state: "unusable", why: "it is not a text in UTF-8" };
	return { state: "text", real, text, bytes: size, cut: bytes.length < size };
}

function reasonOf(error: unknown): TextReading {
	const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
	switch (code) {
		case "ENOENT":
		case "ENOTDIR":
			return { state: "absent" };
		case "ELOOP":
			return { state: "unusable", why: "it is a link that leads in a circle" };
		case "EACCES":
		case "EPERM":
			return { state: "unusable", why: "its permissions forbid it" };
		default:
			return { state: "unusable", why: code };
	}
}
