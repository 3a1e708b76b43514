// What agi needs of the files in which a person or a project tells how to work: AGENTS.md, or CLAUDE.md where there is none.

/** One such file as it stands now. */
export interface FoundDocument {
	/** Relative to the workspace where the project brought it, absolute for the user's own. */
	path: string;
	scope: "user" | "project";
	/** The folder for whose files alone it speaks, relative to the workspace; absent where it speaks for all. */
	below?: string;
	/** Valid Unicode without hidden characters, at most 32 KiB. */
	text: string;
	/** Of the file as it stands on the disk. */
	bytes: number;
	/** Whether `text` is only its beginning. */
	cut: boolean;
}

export interface DocumentsFound {
	/** The user's first, then from the repository's root inwards, then those of folders that were entered. */
	documents: FoundDocument[];
	/** A sentence for each that was left out, cut or cleaned. */
	warnings: string[];
}

/** Never throws, whatever stands at these paths. Synchronous: a handful of small reads. */
export interface Documents {
	/**
	 * Takes in that a file was touched (real path, or relative to the workspace): what stands in the folders down to it is
	 * read from now on. Folders of dependencies and of other repositories speak for others and are never entered.
	 */
	enter(path: string): void;
	read(): DocumentsFound;
	/** Changes whenever one of the files does; quick enough for every step. */
	mark(): string;
}
