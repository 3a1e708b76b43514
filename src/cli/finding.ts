// What the doctor finds, and what it looks for on this machine. Shapes only.

import type { Profile } from "../adapters/models/catalog.ts";

/** One thing that was looked at. `warn`: agi works, with less; `fail`: something will not work. */
export interface Finding {
	name: string;
	status: "ok" | "warn" | "fail";
	/** What was found, and for `warn` and `fail` what to do. */
	detail: string;
}

/** Servers that people run on their own machine; a test brings its own. */
export type LocalServer = Pick<Profile, "title" | "baseUrl">;
