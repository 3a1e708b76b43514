// Memory for programs, under the book's names: what is remembered for this process's folder and its user, read and merged.
// The same files, checks and locks as in a session; the world that they need is loaded when they are called.

import type { MemoryKeeper, MemoryResult } from "../ports/memory.ts";
import { AgiError, MEMORY_CATEGORIES, type Memory, type MemoryScope } from "../types.ts";
import {
	contentKey,
	entryContent,
	MAX_ENTRY,
	parseMemory,
	withEntry,
	withoutLine,
	wordsOf,
} from "./memoryText.ts";

/** How memories are saved. */
export interface SaveOptions {
	/** Default: `project`, and `user` in a folder that is no project. */
	scope?: MemoryScope;
	/** What was loaded before: of these, the ones that are no longer among the memories are taken out. */
	loaded?: readonly Memory[];
}

/** The entries of the user's and then of the project's file. Rejects with `AgiError` where one cannot be read. */
export async function loadMemories(): Promise<Memory[]> {
	const { files } = await openMemory();
	return (["user", "project"] as const).flatMap((scope) => {
		const read = files.read(scope);
		if (!read.ok && read.kind === "none") return [];
		return parseMemory(demand(read).text).flatMap(({ entry }) => entry ?? []);
	});
}

/**
 * Adds what is not remembered yet and keeps everything else that stands there, whoever wrote it; see `loaded` for taking
 * out. Rejects with `AgiError` where an entry cannot be kept (nothing is written then) or the file cannot be written.
 */
export async function saveMemories(memories: readonly Memory[], options: SaveOptions = {}): Promise<void> {
	const keeper = await openMemory();
	const entries = memories.map((memory) => checkEntry(keeper, memory));
	const wanted = new Set(entries.map(({ content }) => contentKey(content)));
	const gone = new Set((options.loaded ?? []).map(({ content }) => contentKey(content)));
	for (const key of wanted) gone.delete(key);
	const project = keeper.files.read("project");
	const scope = options.scope ?? (!project.ok && project.kind === "none" ? "user" : "project");
	const other = scope === "user" ? "project" : "user";
	const elsewhere = keeper.files.read(other);
	const known = new Set(elsewhere.ok ? keysOf(elsewhere.value.text) : []);
	const adding = entries.filter(({ content }) => !known.has(contentKey(content)));
	demand(
		await keeper.files.change(scope, ({ text }) => ({
			ok: true,
			value: addAll(takeOut(text, gone), adding),
		})),
	);
	if (elsewhere.ok && [...gone].some((key) => known.has(key)))
		demand(await keeper.files.change(other, ({ text }) => ({ ok: true, value: takeOut(text, gone) })));
}

async function openMemory(): Promise<MemoryKeeper> {
	return (await import("../wire/memory.ts")).openOwnMemory();
}

function demand<T>(result: MemoryResult<T>): T {
	if (result.ok) return result.value;
	throw new AgiError("MEMORY", result.message);
}

function checkEntry({ hasSecret }: MemoryKeeper, memory: Memory): Memory {
	const content = entryContent(memory.content);
	const refuse = (why: string) => new AgiError("MEMORY", `Nothing was saved: ${why}`, { exitCode: 42 });
	if (content === "") throw refuse("an entry is empty.");
	if (content.length > MAX_ENTRY) throw refuse(`an entry has more than ${MAX_ENTRY} letters.`);
	if (!MEMORY_CATEGORIES.includes(memory.category))
		throw refuse(`the category of "${content}" is none of ${MEMORY_CATEGORIES.join(", ")}.`);
	if (hasSecret(content)) throw refuse("an entry holds what looks like a password or key.");
	const createdAt = memory.createdAt.slice(0, 10);
	if (!/^\d{4}-\d{2}-\d{2}$/.test(createdAt)) throw refuse(`the date of "${content}" is no ISO date.`);
	return { content, category: memory.category, createdAt };
}

function keysOf(text: string): string[] {
	return parseMemory(text).map((line) => contentKey(wordsOf(line)));
}

function takeOut(text: string, gone: ReadonlySet<string>): string {
	let left = text;
	for (const [index, line] of [...parseMemory(text).entries()].reverse())
		if (line.entry && gone.has(contentKey(line.entry.content))) left = withoutLine(left, index);
	return left;
}

function addAll(text: string, entries: readonly Memory[]): string {
	let all = text;
	for (const entry of entries)
		if (!keysOf(all).includes(contentKey(entry.content))) all = withEntry(all, entry);
	return all;
}
