// What agi needs of the files in which a person or a project tells how to work: AGENTS.md, or CLAUDE.md where there is none.

/** One such file as it stands now. */
export interface FoundDocument {
	/** Relative to the workspace where the project brought it, absolute for the user's own. */
	path: string;
	scope: "user" | "project";
	/** Valid Unicode without hidden characters, at most 32 KiB. */
	text: string;
	/** Of the file as it stands on the disk. */
	bytes: number;
	/** Whether `text` is only its beginning. */
	cut: boolean;
}

export interface DocumentsFound {
	/** The user's first, then from the repository's root inwards. */
	documents: FoundDocument[];
	/** A sentence for each that was left out, cut or cleaned. */
	warnings: string[];
}

/** Never throws, whatever stands at these paths. Synchronous: a handful of small reads. */
export interface Documents {
	read(): DocumentsFound;
	/** Changes whenever one of the files does; quick enough for every step. */
	mark(): string;
}
