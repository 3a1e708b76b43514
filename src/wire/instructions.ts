// What the model is told before the conversation: the program's words, documents, memory and skills, each frozen for the
// session and told anew where it changes. It joins their rooms; what each of them says is its own matter.

import type { ChildDocuments } from "../agent/subagents/spawn.ts";
import type { PromptState } from "../agent/system/prompt.ts";
import type { World } from "../ports/world.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { openDocuments } from "./documents.ts";
import { openMemory, type SessionMemory } from "./memory.ts";
import { openSkills, type SessionSkills } from "./skills.ts";
import type { StartOptions } from "./startOptions.ts";

/** The instructions of one session. */
export interface Instructions {
	/** Absent where a program brings instructions of its own. */
	skills: SessionSkills | undefined;
	memory: SessionMemory;
	/** What the system prompt is made of now; with the list of skills only where the session has the tool to load one. */
	prompt(canLoadSkills: boolean): PromptState;
	/** Records what differs from what the model was told. */
	observe(): Promise<void>;
	/** The documents of a subagent's session; absent where a program brings instructions of its own. */
	documentsOf(child: LiveSession): ChildDocuments | undefined;
	/** What the start found, for the person. */
	notices: string[];
}

/** Opens them. A new session is told of them at once, an older one with its next step. */
export async function openInstructions(
	session: LiveSession,
	options: StartOptions,
	{ world, redact }: { world: World; redact(text: string): string },
): Promise<Instructions> {
	const { place, trusted, systemPrompt, appendSystemPrompt } = options;
	const parts = {
		...{ session, trusted, redact, digest: world.digest },
		cwd: place.cwd,
		configFolder: place.folders.config,
	};
	const isOwn = systemPrompt === undefined;
	const skills = isOwn ? await openSkills({ ...parts, env: options.env }) : undefined;
	const told = options.includeMemories ?? isOwn;
	const memory = openMemory({ session, place, trusted, redact, world, told });
	const documents = isOwn ? openDocuments(parts) : undefined;
	const words: PromptState = {
		cwd: session.state.cwd,
		platform: process.platform,
		date: session.state.startedOn,
		...(appendSystemPrompt === undefined ? {} : { append: appendSystemPrompt }),
		...(systemPrompt === undefined ? {} : { override: systemPrompt }),
	};
	return {
		skills,
		memory,
		prompt(canLoadSkills) {
			const remembered = memory.withMemory(documents?.withDocuments(words) ?? words);
			return skills && canLoadSkills ? skills.withSkills(remembered) : remembered;
		},
		documentsOf: (child) => (isOwn ? openDocuments({ ...parts, session: child }) : undefined),
		async observe() {
			documents?.observe();
			memory.observe();
			await skills?.observe();
		},
		notices: [...memory.notices, ...(documents?.notices ?? []), ...(skills?.notices ?? [])],
	};
}
