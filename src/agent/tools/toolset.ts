// Sets of tools by name. A set never changes: the model's list of tools is part of the prefix that caches depend on.

import type { AnyTool } from "../../ports/tool.ts";
import type { Toolset } from "../turn.ts";

/** A set of these tools, in this order. `unoffered`: no model is told of them, and they answer where one calls them. */
export function createToolset(tools: readonly AnyTool[], unoffered: readonly AnyTool[] = []): Toolset {
	const byName = new Map([...tools, ...unoffered].map((tool) => [tool.name, tool]));
	const names = [...new Set(tools.map(({ name }) => name))];
	return { get: (name) => byName.get(name), names: () => names };
}

/** The tools of `set` that are in `names`; none that `set` lacks. */
export function narrowToolset(set: Toolset, names: readonly string[]): Toolset {
	return createToolset(names.map((name) => set.get(name)).filter((tool) => tool !== undefined));
}
