// Makes the sessions of subagents. They are kept beside their parent's and never outlive its turn.

import type { ChildDocuments, spawnSubagent } from "../agent/subagents/spawn.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { LiveDelta } from "../session/live.ts";
import { VERSION } from "../version.ts";

/** What a child session is made with. */
export interface ChildParts {
	/** Opens its documents. */
	documentsOf(child: LiveSession): ChildDocuments | undefined;
	/** Hears of it before its first fact. */
	onChild(child: LiveSession): void;
}

/** Makes child sessions whose facts, waits and notices are told to the parent's clients. */
export function childMaker(sessions: Sessions, parent: LiveSession, { documentsOf, onChild }: ChildParts) {
	return async (
		agent: string,
		callId: string,
		seed: Parameters<Parameters<typeof spawnSubagent>[1]["createChild"]>[2],
	) => {
		const child = await sessions.create({
			cwd: parent.state.cwd,
			projectId: parent.state.projectId,
			agiVersion: VERSION,
			startedOn: parent.state.startedOn,
			mode: parent.state.mode,
			parent: { sessionId: parent.state.sessionId, callId, agent },
			seed,
		});
		child.subscribe((publication) => {
			if (publication.kind === "live") return tellNamed(parent, agent, publication.delta);
			for (const event of publication.events) parent.tell({ type: "subagent", callId, agent, event });
		});
		onChild(child);
		const documents = documentsOf(child);
		return { session: child, close: () => child.close(), ...(documents ? { documents } : {}) };
	};
}

/** What a person must know while a subagent works; its words are its own. */
function tellNamed(parent: LiveSession, agent: string, delta: LiveDelta): void {
	if (delta.type === "notice") parent.tell({ ...delta, text: `${agent}: ${delta.text}` });
	if (delta.type === "waiting" && delta.for === "retry")
		parent.tell({ ...delta, detail: `${agent}: ${delta.detail}` });
}
