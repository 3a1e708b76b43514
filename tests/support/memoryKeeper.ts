// A keeper of memory over real files in a temporary folder, which keeps the changes that it was told.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { createMemoryFiles } from "../../src/adapters/memory/memoryFiles.ts";
import { createWorld } from "../../src/adapters/world.ts";
import { createRedactor } from "../../src/policy/redact.ts";
import type { MemoryKeeper } from "../../src/ports/memory.ts";
import type { MemoryChange } from "../../src/session/events.ts";
import type { MemoryScope } from "../../src/types.ts";

/** A keeper with its files. */
export interface MemoryBench {
	keeper: MemoryKeeper;
	changes: MemoryChange[];
	/** Absolute path of a scope's file. */
	path(scope: MemoryScope): string;
	/** What stands in a scope's file. */
	text(scope: MemoryScope): string;
	write(scope: MemoryScope, text: string): void;
}

/** Makes a keeper for whom today is 2026-11-29 and `hunter2-hunter2` a secret; its folder goes with the test. */
export function createMemoryBench(options: { isProject?: boolean } = {}): MemoryBench {
	const outer = realpathSync(mkdtempSync(join(tmpdir(), "agi-memory-")));
	onTestFinished(() => rmSync(outer, { recursive: true, force: true }));
	const cwd = join(outer, "app");
	mkdirSync(cwd);
	const changes: MemoryChange[] = [];
	const redact = createRedactor(["hunter2-hunter2"]);
	const paths = { project: join(cwd, ".agent", "MEMORY.md"), user: join(outer, "config", "USER.md") };
	return {
		changes,
		path: (scope) => paths[scope],
		text: (scope) => readFileSync(paths[scope], "utf8"),
		write(scope, text) {
			mkdirSync(dirname(paths[scope]), { recursive: true });
			writeFileSync(paths[scope], text);
		},
		keeper: {
			files: createMemoryFiles({
				cwd,
				configFolder: join(outer, "config"),
				lockFolder: join(outer, "locks"),
				...(options.isProject === false ? {} : { agentFolder: join(cwd, ".agent") }),
			}),
			today: () => "2026-11-29",
			hasSecret: (text) => redact(text) !== text,
			digest: createWorld().digest,
			record: (change) => void changes.push(change),
		},
	};
}
