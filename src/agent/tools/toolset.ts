// Sets of tools by name. A set never changes: the model's list of tools is part of the prefix that caches depend on.

import type { AnyTool } from "../../ports/tool.ts";
import type { Toolset } from "../turn.ts";

/** A set of these tools, in this order. */
export function createToolset(tools: readonly AnyTool[]): Toolset {
	const byName = new Map(tools.map((tool) => [tool.name, tool]));
	const names = [...byName.keys()];
	return { get: (name) => byName.get(name), names: () => names };
}

/** The tools of `set` that are in `names`; none that `set` lacks. */
export function narrowToolset(set: Toolset, names: readonly string[]): Toolset {
	return createToolset(names.map((name) => set.get(name)).filter((tool) => tool !== undefined));
}
