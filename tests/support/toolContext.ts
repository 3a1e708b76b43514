// A tool context over a temporary folder, with the real workspace and search, and a bench that calls tools the way the
// executor does: arguments read by the schema, then prepared, then run, with what was seen remembered.

import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRipgrepSearch } from "../../src/adapters/search/ripgrep.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import type { PreparedCall, Tool, ToolContext } from "../../src/ports/tool.ts";
import type { FileStamp, ToolError, ToolOutcome } from "../../src/types.ts";

/** A temporary folder with a tool context over it. */
export interface ToolBench {
	/** Real path of the folder that holds the workspace; for things beside it. */
	outer: string;
	/** Real path of the workspace. */
	root: string;
	context: ToolContext;
	/** Parses, prepares and runs a call; what it observed is seen by the next. */
	call<I>(tool: Tool<I>, args: unknown): Promise<ToolOutcome>;
	/** Parses and prepares a call; throws where that is refused. */
	prepare<I>(tool: Tool<I>, args: unknown): Promise<PreparedCall>;
	/** Runs what `prepare` gave; what it observed is seen by the next. */
	run(prepared: PreparedCall): Promise<ToolOutcome>;
	/** Removes the folder with everything in it. */
	remove(): Promise<void>;
}

/** Makes a bench. `parts` replace members of the context, such as `processes` or `ask`. */
export async function createToolBench(parts: Partial<ToolContext> = {}): Promise<ToolBench> {
	const outer = await realpath(await mkdtemp(join(tmpdir(), "agi-tools-")));
	const root = join(outer, "app");
	await mkdir(root);
	const seen = new Map<string, FileStamp>();
	const context: ToolContext = {
		workspace: await createWorkspace({ root }),
		search: createRipgrepSearch(),
		processes: absent("processes"),
		web: absent("web"),
		signal: new AbortController().signal,
		seen: (path) => seen.get(path),
		onOutput: () => {},
		limits: { commandSeconds: 30 },
		config: { sandboxCommands: false },
		replacePlan: () => {},
		...parts,
	};
	const run = async (prepared: PreparedCall) => {
		const outcome = await prepared.run(context);
		for (const stamp of outcome.observed ?? []) seen.set(stamp.path, stamp);
		return outcome;
	};
	return {
		outer,
		root,
		context,
		run,
		call: async (tool, args) => {
			const prepared = await parseAndPrepare(tool, args, context);
			return "run" in prepared ? run(prepared) : { status: "error", text: prepared.message, error: prepared };
		},
		prepare: async (tool, args) => {
			const prepared = await parseAndPrepare(tool, args, context);
			if ("run" in prepared) return prepared;
			throw new Error(`refused: ${prepared.type} ${prepared.message}`);
		},
		remove: () => rm(outer, { recursive: true, force: true }),
	};
}

async function parseAndPrepare<I>(
	tool: Tool<I>,
	args: unknown,
	context: ToolContext,
): Promise<PreparedCall | ToolError> {
	const parsed = tool.schema.safeParse(args);
	if (parsed.success) return tool.prepare(parsed.data, context);
	return { type: "INVALID_ARGUMENT", message: parsed.error.message, retryable: false };
}

/** Stands for a member that a test did not bring: any use of it fails the test by name. */
function absent<T extends object>(name: string): T {
	return new Proxy({} as T, {
		get() {
			throw new Error(`this test's context has no ${name}`);
		},
	});
}
