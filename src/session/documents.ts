// Which documents of the workspace the model was told of: those frozen in the instructions, and what changed since. Pure.

import type { ObservedDocument } from "./events.ts";
import type { SessionState } from "./state.ts";

/** Takes an observation in: into the instructions as long as no step began, as a message of the history after that. */
export function observeDocument(state: SessionState, document: ObservedDocument): SessionState {
	if (state.made.step === 0) state.documents = withDocument(state.documents, document);
	else state.history = [...state.history, { kind: "document", document }];
	return state;
}

/** The documents as the model knows them now, gone ones left out. */
export function toldDocuments(state: SessionState): ObservedDocument[] {
	return state.history.reduce(
		(told, item) => (item.kind === "document" ? withDocument(told, item.document) : told),
		state.documents,
	);
}

function withDocument(documents: ObservedDocument[], document: ObservedDocument): ObservedDocument[] {
	const known = documents.some(({ path }) => path === document.path);
	const next = known
		? documents.map((old) => (old.path === document.path ? document : old))
		: [...documents, document];
	return next.filter(({ text }) => text !== null);
}
