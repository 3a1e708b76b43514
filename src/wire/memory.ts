// Joins a session with what is kept over sessions: read at its start, looked at before each step, part of its prompt,
// changed by a tool, by the person, and after turns.

import { join } from "node:path";
import { createMemoryFiles } from "../adapters/memory/memoryFiles.ts";
import { createWorld } from "../adapters/world.ts";
import { memoryNotice, renderMemory, summarizeMemory } from "../agent/context/memory.ts";
import type { PromptState } from "../agent/system/prompt.ts";
import { createRedactor } from "../policy/redact.ts";
import type { MemoryFiles, MemoryKeeper, MemoryText } from "../ports/memory.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { toldDocuments } from "../session/documents.ts";
import type { MemoryScope } from "../types.ts";
import { locate, type Place } from "./place.ts";

/** The user's own first. */
const SCOPES: readonly MemoryScope[] = ["user", "project"];

export interface MemoryParts {
	session: LiveSession;
	place: Place;
	trusted: boolean;
	redact(text: string): string;
	world: World;
	/** Whether what is remembered is part of the requests. */
	told: boolean;
}

/** The memory of one session. */
export interface SessionMemory {
	keeper: MemoryKeeper;
	/** Records what differs from what the model was told. */
	observe(): void;
	withMemory(prompt: PromptState): PromptState;
	/** What the start found, for the person. */
	notices: string[];
}

/** Opens a session's memory. A new session is told of it at once, an older one with its next step. */
export function openMemory(parts: MemoryParts): SessionMemory {
	const { session, place, told } = parts;
	const files = filesOf(place);
	const notices: string[] = [];
	let started = false;
	const warned = new Set<string>();
	const warn = (text: string) => {
		if (warned.has(text)) return;
		warned.add(text);
		if (started) session.tell({ type: "notice", text });
		else notices.push(text);
	};
	const observe = createObserver(parts, files, warn);
	if (told && session.state.made.step === 0) observe();
	started = true;
	return {
		keeper: keeperOf(parts, files, (change) => void session.record({ do: "recordMemory", change })),
		observe: told ? observe : () => undefined,
		withMemory(prompt) {
			const memory = told ? renderMemory(session.state.documents) : undefined;
			return memory === undefined ? prompt : { ...prompt, memory };
		},
		notices,
	};
}

/** The memory of this process's folder and its user, outside of any session. */
export async function openOwnMemory(): Promise<MemoryKeeper> {
	const { env } = process;
	const secrets = [env["LLM_API_KEY"], env["OPENAI_API_KEY"], env["EXA_API_KEY"]].filter(
		(key) => key !== undefined,
	);
	const place = await locate(process.cwd(), env, false);
	const parts = { redact: createRedactor(secrets), world: createWorld() };
	return keeperOf(parts, filesOf(place), () => undefined);
}

function filesOf({ cwd, agentFolder, folders }: Place): MemoryFiles {
	return createMemoryFiles({
		cwd,
		configFolder: folders.config,
		lockFolder: join(folders.data, "locks"),
		...(agentFolder ? { agentFolder } : {}),
	});
}

function keeperOf(
	{ redact, world }: Pick<MemoryParts, "redact" | "world">,
	files: MemoryFiles,
	record: MemoryKeeper["record"],
): MemoryKeeper {
	return {
		files,
		today: () => new Date(world.clock.now()).toISOString().slice(0, 10),
		hasSecret: (text) => redact(text) !== text,
		digest: world.digest,
		record,
	};
}

/** A function that records whatever differs from what the model was told; its facts join the next flush. */
function createObserver(parts: MemoryParts, files: MemoryFiles, warn: (text: string) => void): () => void {
	const { session } = parts;
	let mark: string | undefined;
	let length = 0;
	return () => {
		const { history } = session.state;
		const now = files.mark();
		// A shorter history is one that was gone back in: what it had told may be gone.
		if (now === mark && history.length >= length) return;
		mark = now;
		const found: MemoryText[] = [];
		for (const scope of SCOPES) {
			const read = files.read(scope);
			if (read.ok) found.push({ ...read.value, text: parts.redact(read.value.text) });
			else if (read.kind !== "none") warn(read.message);
		}
		recordChanges(parts, found);
		length = session.state.history.length;
	};
}

function recordChanges({ session, trusted, world }: MemoryParts, found: readonly MemoryText[]): void {
	const known = toldDocuments(session.state).filter(({ kind }) => kind === "memory");
	const summaries = summarizeMemory(found);
	const isNew = session.state.made.step === 0;
	for (const [at, { path, scope, text: file }] of found.entries()) {
		const { text, cut } = summaries[at] ?? { text: "", cut: false };
		const before = known.find((document) => document.path === path)?.text ?? "";
		if (before === text) continue;
		const bytes = new TextEncoder().encode(file).length;
		const document = { kind: "memory", path, bytes, cut, trusted: scope === "user" || trusted } as const;
		const notice = memoryNotice(document, { before, after: text, file });
		if (!isNew && notice === undefined) continue;
		session.record({
			do: "observeDocument",
			document: {
				...document,
				...(text === "" ? { digest: "", text: null } : { digest: world.digest(text), text }),
				...(isNew || notice === undefined ? {} : { notice }),
			},
		});
		// What an untrusted folder says is text of unknown intent.
		if (!document.trusted && text !== "") session.record({ do: "setTaint", source: path });
	}
}
