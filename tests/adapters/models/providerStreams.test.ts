// Streams recorded from real providers come out exactly. They lie beside the repository and are not part of it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { ask, DIALECTS } from "./ask.ts";
import { type ChatServer, startChatServer } from "./chatServer.ts";

const FOLDER = join(import.meta.dirname, "../../../../shared/provider-streams");
const isThere = existsSync(FOLDER);
const FILES = isThere
	? readdirSync(FOLDER).filter((name) => name.endsWith(".chunks.txt"))
	: ["(folder absent)"];

let server: ChatServer | undefined;
afterEach(() => server?.close());

// biome-ignore lint/suspicious/noExplicitAny: foreign JSON, read by the plainest means so as not to share the code under test
type Foreign = any;

/** What a recording says, by the letter of the reference. */
function expected(chunks: Foreign[]) {
	const deltas = chunks.flatMap((chunk) => chunk.choices.map((choice: Foreign) => choice.delta));
	const calls: { id: string; name: string; arguments: string }[] = [];
	for (const delta of deltas.flatMap((one) => one.tool_calls ?? [])) {
		calls[delta.index] ??= { id: delta.id, name: delta.function.name, arguments: "" };
		(calls[delta.index] as Foreign).arguments += delta.function.arguments ?? "";
	}
	const usage = chunks.findLast((chunk) => chunk.usage)?.usage;
	const finish = chunks
		.flatMap((chunk) => chunk.choices)
		.findLast((choice) => choice.finish_reason)?.finish_reason;
	return {
		text: deltas.map((delta) => delta.content ?? "").join(""),
		reasoning: deltas.map((delta) => delta.reasoning_content ?? "").join(""),
		...(deltas.some((delta) => delta.reasoning_content) && { reasoningPlace: "reasoning_content" }),
		calls,
		finish,
		...(usage && {
			usage: {
				inputTokens: usage.prompt_tokens,
				outputTokens: usage.completion_tokens,
				cachedInputTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
				reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
			},
		}),
	};
}

describe.each(DIALECTS)("recorded streams, dialect %s", (dialect) => {
	it.skipIf(!isThere).each(FILES)("%s comes out exactly", async (file) => {
		const lines = readFileSync(join(FOLDER, file), "utf8").trim().split("\n");
		const frames = [...lines.map((line) => ({ bytes: `data: ${line}\n\n` })), "DONE" as const];
		server = await startChatServer([{ frames }]);
		const { outcome, deltas } = await ask({ baseUrl: server.baseUrl, dialect, apiKey: "k" });
		if (!outcome.ok) throw new Error(outcome.failure.message);
		const { metadata, ...reply } = outcome.reply;
		const wanted = expected(lines.map((line) => JSON.parse(line)));
		expect(reply).toEqual(wanted);
		expect(metadata?.["id"]).toBe(JSON.parse(lines[0] ?? "").id);
		const shown = deltas.map((delta) => (delta.type === "text" ? delta.text : "")).join("");
		expect(shown).toBe(wanted.text);
	});
});
