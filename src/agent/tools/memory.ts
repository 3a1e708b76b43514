// Keeps and finds facts over sessions, in the project's MEMORY.md and the user's USER.md. Writes only over what it read;
// where somebody else wrote meanwhile, the one entry is put into the newer text or the call is a conflict.

import * as z from "zod";
import { isRedacted } from "../../policy/redact.ts";
import type { MemoryKeeper, MemoryResult, MemoryText } from "../../ports/memory.ts";
import type { PreparedCall, Tool } from "../../ports/tool.ts";
import type { MemoryChange } from "../../session/events.ts";
import type { Memory, MemoryScope, ToolError } from "../../types.ts";
import {
	contentKey,
	entryContent,
	findLines,
	formatEntry,
	MAX_ENTRY,
	parseMemory,
	searchLines,
	withEntry,
	withoutLine,
	withReplaced,
	wordsOf,
} from "../memoryText.ts";
import { failed } from "../toolResults.ts";
import { toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";

const schema = lazySchema(() =>
	z.strictObject({
		action: z.enum(["add", "replace", "remove", "search"]),
		text: z.string().exactOptional(),
		old: z.string().exactOptional(),
		category: z.enum(["preference", "fact", "instruction"]).exactOptional(),
		scope: z.enum(["project", "user"]).exactOptional(),
	}),
);
type Arguments = z.infer<ReturnType<typeof schema>>;

/** Lines that a search tells at most. */
const MOST_FOUND = 50;

/** All files of memory together. */
const STORE = { kind: "session", key: "memory" } as const;

/** The tool `memory`. */
export const memory: Tool<Arguments> = {
	name: "memory",
	description: "Facts kept over sessions. old: words of the entry to replace or remove.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "possible",
	recovery: "reconcile",
	async prepare(wish, { memory: keeper }) {
		if (!keeper) return toolError("FAILED", "Nothing can be remembered in this run.");
		return wish.action === "search" ? prepareSearch(keeper, wish) : prepareChange(keeper, wish);
	},
};

function prepareSearch({ files }: MemoryKeeper, { text = "", scope }: Arguments): PreparedCall {
	return {
		// Waits for the changes that stand before it in the same message.
		resources: [{ ...STORE, access: "read" }],
		summary: `search memory for ${text}`,
		// Nothing is written, so nothing is kept for undo.
		before: [],
		after: [],
		facts: { readsOnly: true },
		async run() {
			const scopes: MemoryScope[] = scope ? [scope] : ["user", "project"];
			const reads = scopes.map((one) => files.read(one));
			const found = reads.flatMap((read) => (read.ok ? excerpts(read.value, text) : []));
			const problems = reads.flatMap((read) => (read.ok || read.kind === "none" ? [] : [read.message]));
			const shown = found.slice(0, MOST_FOUND);
			const more =
				found.length > shown.length ? [`[${found.length - shown.length} more; use more words.]`] : [];
			const none = found.length === 0 ? ["Nothing of this is remembered."] : [];
			return { status: "result", text: [...shown, ...more, ...none, ...problems].join("\n") };
		},
	};
}

/** Lines as `path:line (version): text`. */
function excerpts({ path, text, digest }: MemoryText, query: string): string[] {
	const lines = parseMemory(text);
	return searchLines(lines, query).map(
		(index) => `${path}:${index + 1} (version ${digest?.slice(0, 8)}): ${lines[index]?.raw.trim()}`,
	);
}

/** What one call makes of one file. */
interface Edit {
	scope: MemoryScope;
	edit(now: MemoryText): MemoryResult<string>;
	action: MemoryChange["action"];
	/** The entry's words, for log and answer. */
	words: string;
}

async function prepareChange(keeper: MemoryKeeper, wish: Arguments): Promise<PreparedCall | ToolError> {
	const planned = wish.action === "add" ? planAdd(keeper, wish) : planOther(keeper, wish);
	if ("type" in planned) return planned;
	const { scope, edit, action, words } = planned;
	const now = keeper.files.read(scope);
	if (!now.ok) return toError(now);
	const edited = edit(now.value);
	if (!edited.ok) return toError(edited);
	const { path, real, digest, text } = now.value;
	const isNew = edited.value !== text;
	const stamp = { path: real, digest };
	return {
		resources: [
			{ kind: "file", key: real, access: "write" },
			{ ...STORE, access: "write" },
		],
		summary: `${VERBS[action]} in ${path}: ${words}`,
		preview: `${path}\n${VERBS[action]}: ${words}`,
		before: [stamp],
		after: [isNew ? { path: real, digest: keeper.digest(edited.value) } : stamp],
		facts: { memory: scope },
		async run() {
			const written = await keeper.files.change(scope, edit);
			if (!written.ok) return failed(toError(written));
			const { before, after } = written.value;
			if (before.digest === after.digest || after.digest === null)
				return { status: "result", text: `${path} says so already; nothing was changed.` };
			keeper.record({ scope, path, action, text: words, digest: after.digest, by: "model" });
			const merged =
				before.digest === digest ? "" : " Somebody else had changed it meanwhile; that was kept.";
			return {
				status: "result",
				text: `${DONE[action]} in ${path}: ${words}${merged}`,
				observed: [{ path: real, digest: after.digest }],
			};
		},
	};
}

const VERBS = { added: "remember", replaced: "replace", removed: "forget", edited: "edit" } as const;
const DONE = { added: "Remembered", replaced: "Replaced", removed: "Forgotten", edited: "Edited" } as const;

function planAdd(keeper: MemoryKeeper, wish: Arguments): Edit | ToolError {
	const entry = entryOf(keeper, wish);
	if ("type" in entry) return entry;
	const scope = wish.scope ?? scopeFor(keeper, entry);
	return {
		scope,
		action: "added",
		words: entry.content,
		edit: ({ text }) => {
			const key = contentKey(entry.content);
			const isKnown = parseMemory(text).some((line) => contentKey(wordsOf(line)) === key);
			return { ok: true, value: isKnown ? text : withEntry(text, entry) };
		},
	};
}

/** What a person prefers goes with the person; the rest belongs to the project, where there is one. */
function scopeFor({ files }: MemoryKeeper, { category }: Memory): MemoryScope {
	if (category === "preference") return "user";
	const project = files.read("project");
	return !project.ok && project.kind === "none" ? "user" : "project";
}

function planOther(keeper: MemoryKeeper, wish: Arguments): Edit | ToolError {
	const isRemoval = wish.action === "remove";
	const old = wish.old ?? (isRemoval ? wish.text : undefined);
	if (old === undefined || contentKey(old) === "")
		return toolError("INVALID_ARGUMENT", `${wish.action} needs old: words of the entry.`, { old: "missing" });
	const target = findTarget(keeper, old, wish.scope);
	if ("type" in target) return target;
	const { scope, raw } = target;
	const missing: MemoryResult<never> = {
		ok: false,
		kind: "conflict",
		message: `Somebody else changed the entry "${entryContent(raw)}" meanwhile; nothing was changed. Search again.`,
	};
	const editAt =
		(change: (text: string, index: number) => string): Edit["edit"] =>
		({ text }) => {
			const index = parseMemory(text).findIndex((line) => line.raw.trim() === raw.trim());
			return index < 0 ? missing : { ok: true, value: change(text, index) };
		};
	if (isRemoval) return { scope, action: "removed", words: wordsOf(target), edit: editAt(withoutLine) };
	const { category = target.entry?.category } = wish;
	const entry = entryOf(keeper, { ...wish, ...(category ? { category } : {}) });
	if ("type" in entry) return entry;
	return {
		scope,
		action: "replaced",
		words: entry.content,
		edit: editAt((text, index) => withReplaced(text, index, entry)),
	};
}

/** The one line that is meant. */
function findTarget(
	{ files }: MemoryKeeper,
	old: string,
	scope: MemoryScope | undefined,
): { scope: MemoryScope; raw: string; entry?: Memory } | ToolError {
	const scopes: MemoryScope[] = scope ? [scope] : ["project", "user"];
	const reads = scopes.map((one) => files.read(one));
	const found = reads.flatMap((read) => {
		if (!read.ok) return [];
		const lines = parseMemory(read.value.text);
		return findLines(lines, old).map((index) => ({ scope: read.value.scope, ...lines[index]! }));
	});
	if (found.length === 1) return found[0]!;
	const unread = reads.find((read) => !read.ok && read.kind !== "none");
	if (found.length === 0 && unread && !unread.ok) return toError(unread);
	if (found.length === 0)
		return toolError("NOT_FOUND", `No entry holds "${old}". Search with other words.`, { old: "no match" });
	const list = found.slice(0, 10).map((line) => `- ${wordsOf(line)}`);
	return toolError(
		"INVALID_ARGUMENT",
		`${found.length} entries hold "${old}"; give more of the one you mean:\n${list.join("\n")}`,
		{ old: `${found.length} matches` },
	);
}

/** The entry that a call wants to have, or why it cannot be kept. */
function entryOf(keeper: MemoryKeeper, { text = "", category = "fact" }: Arguments): Memory | ToolError {
	const refuse = (message: string, problem: string) =>
		toolError("INVALID_ARGUMENT", `Not remembered: ${message}`, { text: problem });
	const content = entryContent(text);
	if (content === "") return refuse("text is empty.", "missing");
	if (content.length > MAX_ENTRY)
		return refuse(`an entry has at most ${MAX_ENTRY} letters, this one ${content.length}.`, "too long");
	if (keeper.hasSecret(text) || isRedacted(text))
		return refuse(
			"the text holds what looks like a password or key, and memory is a plain file. Say where it is kept instead.",
			"holds a secret",
		);
	const entry: Memory = { content, category, createdAt: keeper.today() };
	// What reads as a category and date of its own would not come back as it was written.
	return parseMemory(formatEntry(entry))[0]?.entry
		? entry
		: refuse("text is no line of words.", "unreadable");
}

function toError({ kind, message }: MemoryResult<never> & { ok: false }): ToolError {
	switch (kind) {
		case "not_found":
			return toolError("NOT_FOUND", message);
		case "conflict":
			return toolError("CONFLICT", message);
		case "refused":
			return toolError("DENIED", message);
		case "none":
			return toolError("INVALID_ARGUMENT", `${message} Use scope user.`, { scope: "no project here" });
		case "failed":
			return toolError("FAILED", message);
		default:
			return kind satisfies never;
	}
}
