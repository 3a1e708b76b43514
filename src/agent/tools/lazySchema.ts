// A tool's schema, made when the tool is first called: most runs call few tools, and zod takes its time.

import type * as z from "zod";

/** Calls `make` at the first use and gives the same schema ever after. */
export function lazySchema<T extends z.ZodType>(make: () => T): () => T {
	let made: T | undefined;
	return () => (made ??= make());
}
