// Joins a session with the documents of its workspace: read at its start, looked at before each step, part of its prompt.

import { createDocuments } from "../adapters/documents.ts";
import { createDocumentObserver, renderDocuments } from "../agent/context/documents.ts";
import type { PromptState } from "../agent/system/prompt.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { toldDocuments } from "../session/documents.ts";

export interface DocumentParts {
	session: LiveSession;
	/** Real path of the workspace, and the user's folder of settings. */
	cwd: string;
	configFolder: string;
	trusted: boolean;
	redact(text: string): string;
	digest(text: string): string;
}

/** The documents of one session. A new one is told of them at once, an older one with its next step. */
export function openDocuments(parts: DocumentParts): {
	observe(): void;
	/** The prompt with the documents that are part of it now. */
	withDocuments(prompt: PromptState): PromptState;
	/** What the start found, for the person. */
	notices: string[];
} {
	const { session } = parts;
	const notices: string[] = [];
	let started = false;
	const observe = createDocumentObserver({
		...parts,
		documents: createDocuments(parts.cwd, parts.configFolder),
		warn(text) {
			if (started) session.tell({ type: "notice", text });
			else notices.push(text);
		},
	});
	if (session.state.made.step === 0) observe();
	started = true;
	if (!parts.trusted) taintByDocuments(session, parts.configFolder);
	return {
		observe() {
			observe();
			if (!parts.trusted) taintByDocuments(session, parts.configFolder);
		},
		withDocuments(prompt) {
			const documents = renderDocuments(session.state.documents);
			return documents === undefined ? prompt : { ...prompt, documents };
		},
		notices,
	};
}

/** What an untrusted folder says is text of unknown intent; the person's own documents are not. */
function taintByDocuments(session: LiveSession, configFolder: string): void {
	for (const { path } of toldDocuments(session.state)) {
		if (path.startsWith(`${configFolder}/`) || session.state.taint.includes(path)) continue;
		session.record({ do: "setTaint", source: path });
	}
}
