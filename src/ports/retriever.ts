// What agi needs to find text that bears on a question: in the project's files, in earlier sessions, in memory. Another
// store, of vectors maybe, is one more adapter of this port.

/** What may be looked through. What it leaves out is left out before anything is ranked. */
export interface RetrievalScope {
	/** Sessions of the user's other projects too. */
	allProjects: boolean;
	/** Whether a file may be told to the model, by its real path; absent: every one that is no secret. */
	mayRead?(realPath: string): boolean;
	signal: AbortSignal;
}

/** A piece of text and where it stands. */
export interface Passage {
	/** A path as file tools take it, or a session's id and turn. */
	source: string;
	/** Tells this state of the source from others: the beginning of a digest, or a day. */
	version: string;
	/** The first line of `text` in its source; counts from 1. */
	line: number;
	text: string;
	/** From 0 to 1: how much of the question it holds. */
	score: number;
	/** Where text of unknown intent in it came from. */
	taint?: string;
}

/** The passages, the best first, and sentences about what could not be looked through. */
export interface Retrieved {
	passages: Passage[];
	notes: string[];
}

/** A store that can be asked. */
export interface Retriever {
	/** At most about `budget` tokens of passages. Never rejects: what is missing is told in `notes`. */
	search(query: string, scope: RetrievalScope, budget: number): Promise<Retrieved>;
}
