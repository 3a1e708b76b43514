// The tool `readArtifact`: reads on in a result of which the model got head and tail, by pages or by the lines that hold
// a text. It reads what was recorded and never runs anything again.

import * as z from "zod";
import type { Artifact, Artifacts } from "../../ports/artifacts.ts";
import type { Tool } from "../../ports/tool.ts";
import type { ToolError, ToolOutcome } from "../../types.ts";
import { failed } from "../toolResults.ts";
import { toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { breakLines, pageNote, takePage } from "./linePage.ts";

const DEFAULT_LINES = 200;

/** Artifacts that an error names at most, the newest. */
const MAX_NAMED = 20;

const schema = lazySchema(() =>
	z.strictObject({
		id: z.string(),
		offset: z.int().min(0).optional().describe("lines to skip"),
		limit: z.int().min(1).optional().describe("default 200"),
		search: z.string().min(1).optional().describe("only lines with this text"),
	}),
);

/** The tool `readArtifact`. */
export const readArtifact: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "readArtifact",
	description: "Read on in a result that was cut.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ id, offset = 0, limit = DEFAULT_LINES, search }, { artifacts }) {
		const known = artifacts?.list() ?? [];
		const artifact = known.find((each) => each.id === id);
		if (!artifacts || !artifact) return unknownArtifact(id, known);
		return {
			resources: [],
			summary: `Read ${id} (${artifact.summary})`,
			run: () => show(artifacts, id, { offset, limit, search }),
		};
	},
};

function unknownArtifact(id: string, known: readonly Artifact[]): ToolError {
	const named = known.slice(-MAX_NAMED).map((each) => `${each.id} (${each.summary})`);
	const there = named.length === 0 ? "This session has none yet." : `There are: ${named.join("; ")}.`;
	return toolError("NOT_FOUND", `There is no artifact ${id}. ${there}`, { id: "unknown" });
}

async function show(
	artifacts: Artifacts,
	id: string,
	{ offset, limit, search }: { offset: number; limit: number; search: string | undefined },
): Promise<ToolOutcome> {
	let text: string;
	try {
		text = await artifacts.read(id);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const message = `${id} cannot be read any more: ${reason} Make the result anew.`;
		return failed(toolError("FAILED", message));
	}
	const numbered = breakLines(text).map((line, i) => ({ line, number: i + 1 }));
	const found = search === undefined ? numbered : numbered.filter(holds(search));
	if (found.length === 0)
		return { status: "result", text: `No line of ${id} holds ${search} (plain text, in any letter case).` };
	if (offset >= found.length) {
		const what = search === undefined ? "lines" : "lines with that text";
		const message = `offset ${offset} is past the end: ${id} has ${found.length} ${what}.`;
		return failed(toolError("INVALID_ARGUMENT", message, { offset: `at most ${found.length - 1}` }));
	}
	const shown = takePage(found, offset, limit, ({ line, number }) =>
		search === undefined ? line : `${number}: ${line}`,
	);
	const what = search === undefined ? "lines" : "matching lines";
	return {
		status: "result",
		text: [...shown, pageNote(offset, shown.length, found.length, what)].join("\n"),
	};
}

function holds(search: string): (numbered: { line: string }) => boolean {
	const wanted = search.toLowerCase();
	return ({ line }) => line.toLowerCase().includes(wanted);
}
