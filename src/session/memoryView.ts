// What a person is shown of the files of memory. Shapes only.

import type { MemoryCategory, MemoryScope } from "../types.ts";

/** A line that says something. */
export interface MemoryLineView {
	/** In the file, from 1. */
	line: number;
	words: string;
	/** Absent where a person wrote the line in another form. */
	category?: MemoryCategory;
	/** ISO day. */
	createdAt?: string;
}

/** A file of memory; `problem` says why it cannot be used. */
export interface MemoryFileView {
	scope: MemoryScope;
	path: string;
	text: string;
	lines: MemoryLineView[];
	problem?: string;
}
