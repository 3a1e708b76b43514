// Where agi was started. Loads nothing heavy: every command asks it before the rest of it is loaded.

import { realpathSync } from "node:fs";
import { AgiError } from "../types.ts";

/** The folder agi was started in, by its real path; an `AgiError` (exit 42) with a way out where it is gone. */
export function startFolder(): string {
	try {
		return realpathSync(process.cwd());
	} catch (cause) {
		throw new AgiError(
			"FOLDER_GONE",
			"The folder agi was started in no longer exists. Go to one that does and start agi again.",
			{ exitCode: 42, cause },
		);
	}
}
