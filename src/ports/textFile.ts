// What agi needs to read a text that a person or a project left somewhere. Shapes only.

/** What a path holds. `real`: its real path; `cut`: `text` is only the beginning of `bytes` bytes. */
export type TextReading =
	| { state: "absent" }
	/** `why` goes on a sentence, such as "it is a folder". */
	| { state: "unusable"; why: string }
	| { state: "text"; real: string; text: string; bytes: number; cut: boolean };

/**
 * The text of a file in UTF-8, at most `maxBytes` of it. `within`: a real folder that no link may lead out of. Never
 * throws, and never waits for what stands there.
 */
export type ReadTextFile = (path: string, options: { maxBytes: number; within?: string }) => TextReading;
