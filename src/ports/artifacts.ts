// What agi needs to read again what a model got only head and tail of.

/** The whole text of a result that was cut. */
export interface Artifact {
	/** Unique among those that a session may read. */
	id: string;
	/** In UTF-8. */
	bytes: number;
	/** One line: which tool did what. */
	summary: string;
}

/** The artifacts that a session may read: its own and, in a subagent, those of the sessions above it. */
export interface Artifacts {
	/** The oldest first. */
	list(): Artifact[];
	/** The text, redacted as the result was. Rejects with `AgiError` `BLOB_MISSING` or `BLOB_DAMAGED`; the id must be listed. */
	read(id: string): Promise<string>;
}
