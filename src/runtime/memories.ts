// Memory in the person's hands: shown line by line, a line taken out, a file edited as a whole. What another process wrote
// meanwhile is kept. Each change is a fact of the session.

import { mergeMemory, parseMemory, withoutLine, wordsOf } from "../agent/memoryText.ts";
import { isRedacted } from "../policy/redact.ts";
import type { MemoryKeeper, MemoryText } from "../ports/memory.ts";
import type { MemoryChange } from "../session/events.ts";
import type { MemoryFileView, MemoryLineView } from "../session/memoryView.ts";
import type { MemoryScope } from "../types.ts";
import type { LiveSession } from "./liveSession.ts";

type Result<V> = { ok: true; value: V } | { ok: false; message: string };

export interface Memories {
	/** The project's file and the user's; without the project's where the folder is none. */
	list(): MemoryFileView[];
	/** Takes out the line with these words. */
	remove(scope: MemoryScope, words: string): Promise<Result<{ path: string }>>;
	/** Puts in place what the person made of `before`; `merged`: somebody else had written meanwhile. */
	edit(
		scope: MemoryScope,
		texts: { before: string; after: string },
	): Promise<Result<{ path: string; merged: boolean }>>;
}

/** The memory of one session's project and user. */
export function createMemories(session: LiveSession, keeper: MemoryKeeper): Memories {
	const record = async (
		now: MemoryText,
		action: MemoryChange["action"],
		words: string,
	): Promise<{ path: string }> => {
		const { scope, path, digest } = now;
		keeper.record({ scope, path, action, text: words, digest: digest ?? "", by: "person" });
		await session.flush({ wait: true });
		return { path };
	};
	return {
		list: () => (["project", "user"] as const).flatMap((scope) => viewOf(keeper, scope)),
		async remove(scope, words) {
			const written = await keeper.files.change(scope, ({ text, path }) => {
				const index = parseMemory(text).findIndex((line) => wordsOf(line) === words);
				if (index >= 0) return { ok: true, value: withoutLine(text, index) };
				return { ok: false, kind: "not_found", message: `That line is no longer in ${path}.` };
			});
			if (!written.ok) return written;
			return { ok: true, value: await record(written.value.after, "removed", words) };
		},
		async edit(scope, { before, after }) {
			const known = new Set(before.split("\n"));
			const hasSecret = after.split("\n").some((line) => !known.has(line) && isSecret(keeper, line));
			if (hasSecret)
				return {
					ok: false,
					message:
						"Nothing was changed: a line holds what looks like a password or key, and memory is a plain file that models read.",
				};
			let merged = false;
			const written = await keeper.files.change(scope, ({ text }) => {
				merged = text !== before;
				return { ok: true, value: mergeMemory(before, after, text) };
			});
			if (!written.ok) return written;
			const { before: was, after: now } = written.value;
			const changed = was.digest !== now.digest;
			const { path } = changed ? await record(now, "edited", "") : now;
			return { ok: true, value: { path, merged: merged && changed } };
		},
	};
}

function isSecret({ hasSecret }: MemoryKeeper, line: string): boolean {
	return hasSecret(line) || isRedacted(line);
}

function viewOf({ files }: MemoryKeeper, scope: MemoryScope): MemoryFileView[] {
	const read = files.read(scope);
	if (!read.ok)
		return read.kind === "none" ? [] : [{ scope, path: "", text: "", lines: [], problem: read.message }];
	const { path, text } = read.value;
	const lines = parseMemory(text).flatMap((line, index): MemoryLineView[] => {
		const words = wordsOf(line);
		if (words === "") return [];
		const { category, createdAt } = line.entry ?? {};
		return [
			{
				line: index + 1,
				words,
				...(category === undefined ? {} : { category }),
				...(createdAt === undefined ? {} : { createdAt }),
			},
		];
	});
	return [{ scope, path, text, lines }];
}
