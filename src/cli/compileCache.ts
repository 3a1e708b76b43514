// Keeps compiled code between runs. It is loaded before anything else, so it imports next to nothing.

import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { isInsideProc } from "../adapters/insideProc.ts";

/** Keeps it in agi's cache folder; not at all where no folder can be made, which the start will tell. */
export function keepCompiledCode({ AGI_HOME, XDG_CACHE_HOME, HOME }: NodeJS.ProcessEnv): void {
	const absolute = (path: string | undefined) => (path && isAbsolute(path) ? path : undefined);
	const own = absolute(AGI_HOME);
	const cache = own
		? join(own, "cache")
		: join(absolute(XDG_CACHE_HOME) ?? join(HOME || homedir(), ".cache"), "agi");
	if (!isInsideProc(cache)) enableCompileCache(join(cache, "compiled"));
}
