// Whether a folder would be below /proc, where the system refuses new ones in a way that has Node try for ever.

import { realpathSync } from "node:fs";
import { dirname } from "node:path";

/** Tells it of an absolute path, there or not, with links followed as far as it is there. */
export function isInsideProc(path: string): boolean {
	try {
		const real = realpathSync(path);
		return real === "/proc" || real.startsWith("/proc/");
	} catch {
		return path !== dirname(path) && isInsideProc(dirname(path));
	}
}
