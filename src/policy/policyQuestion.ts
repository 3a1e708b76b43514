// What the judge is asked: one call, and everything beside it that a verdict depends on. Facts only; nothing is decided.

import type { Resource } from "../session/events.ts";
import type { Mode } from "../types.ts";
import type { PolicyFacts } from "./facts.ts";
import type { Grant } from "./grants.ts";
import type { CommandPlaces } from "./places.ts";
import type { Rule } from "./rules.ts";
import type { SandboxLevel } from "./sandboxProfile.ts";

/** A prepared call, as its judge sees it. */
export interface PolicyQuestion {
	tool: string;
	version: number;
	args: Record<string, unknown>;
	/** Digest of `canonicalCall`; without one no grant can match. */
	digest?: string;
	effects: "none" | "possible";
	resources: Resource[];
	facts: PolicyFacts;
	/** The tool result in which this very command stands; absent where it stands in none. */
	quotedFrom?: string;
}

/** Everything beside the call that a verdict depends on. */
export interface PolicyContext {
	mode: Mode;
	grants: readonly Grant[];
	/** Rules of the command line and of settings files; the strictest wins. */
	rules?: readonly Rule[];
	/** Somebody can be asked. */
	interactive: boolean;
	/** The person trusts this folder. */
	trusted: boolean;
	/** Where text of unknown intent came into the session from; absent where none did. */
	tainted?: string;
	/** How commands are confined; absent: not at all. `network`: every command may use it. */
	sandbox?: { level: SandboxLevel; network: boolean };
	places: CommandPlaces;
}
