// Tools whose effects are written down outside of agi, one for each way in which a started call can be treated after a
// crash. The journal is the oracle: what stands in it happened.

import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { writeFile } from "../../src/agent/tools/writeFile.ts";
import type { AnyTool, Tool } from "../../src/ports/tool.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import type { RecoverySemantics } from "../../src/session/events.ts";

/** The ways, in the order of their names in the log. */
export const SEMANTICS: readonly RecoverySemantics[] = ["none", "idempotent", "reconcile", "manual"];

export interface Journal {
	/** Notes that something happened. */
	note(line: string): void;
	lines(): string[];
}

/** A journal in a file. */
export function openJournal(folder: string): Journal {
	const path = join(folder, "journal");
	return {
		note: (line) => appendFileSync(path, `${line}\n`),
		lines: () => (existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : []),
	};
}

/**
 * The tools, by name; `point` is passed before and after each effect. `reconcile` is agi's own writeFile, whose writes
 * `journaled` notes.
 */
export function effectTools(journal: Journal, point: () => void): Record<string, AnyTool> {
	return {
		none: journalTool("none", "none", journal, point) as AnyTool,
		idempotent: journalTool("idempotent", "possible", journal, point) as AnyTool,
		manual: journalTool("manual", "possible", journal, point) as AnyTool,
		writeFile: writeFile as unknown as AnyTool,
	};
}

const schema = z.strictObject({ id: z.string() });

function journalTool(
	name: "none" | "idempotent" | "manual",
	effects: "none" | "possible",
	journal: Journal,
	point: () => void,
): Tool<z.infer<typeof schema>> {
	return {
		name,
		description: `Does ${name}.`,
		schema,
		version: 1,
		effects,
		recovery: name,
		async prepare({ id }) {
			return {
				resources: [{ kind: "session", key: name, access: "write" }],
				summary: `Do ${name} ${id}`,
				async run({ idempotencyKey }) {
					const line = `${name} ${id}`;
					// A server that knows a key does its work once.
					const keyed = name === "idempotent" ? `${line} ${idempotencyKey}` : line;
					point();
					if (name !== "idempotent" || !journal.lines().includes(keyed)) journal.note(keyed);
					point();
					return { status: "result", text: `did ${line}` };
				},
			};
		},
	};
}

/** A workspace whose successful writes are noted. */
export function journaled(workspace: Workspace, journal: Journal, point: () => void): Workspace {
	return {
		...workspace,
		async write(path, bytes, options) {
			point();
			const written = await workspace.write(path, bytes, options);
			if (written.ok) journal.note(`reconcile ${path.shown}`);
			point();
			return written;
		},
	};
}
