// What agi needs of the memory of what a person typed in a project. It is a comfort: losing it harms nothing.

/** Bounded; never rejects. Texts come redacted. */
export interface PromptHistory {
	/** Adds what was typed. Resolves at once; the disk follows. */
	append(text: string): void;
	/** The newest first, each text once. */
	read(): Promise<string[]>;
	/** Everything appended is on the disk. */
	close(): Promise<void>;
}
