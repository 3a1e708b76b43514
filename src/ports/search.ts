// What agi needs to look through a file tree: lines that match an expression, files whose path matches a glob.
// Both leave out what git ignores, never follow links, and are bounded in output and time.

/** Where to look; `path` was resolved before and is not resolved again. */
export interface SearchScope {
	/** Real path of a file or a folder. */
	path: string;
	/** Glob relative to that folder; without a slash it matches names at any depth. */
	glob?: string;
	/** At most so many hits or files come back. */
	limit: number;
	signal: AbortSignal;
}

export interface LineSearch extends SearchScope {
	/** A regular expression for one line. */
	pattern: string;
	ignoreCase: boolean;
	/** Lines shown before and after each hit. */
	context: number;
	/** Files that usually hold secrets are looked into only where this is true. */
	includeSecrets: boolean;
}

/** One line of a file, bounded: of a long line only a piece around the hit. */
export interface FoundLine {
	/** Relative to the searched folder with `/`; the file's name where a file was searched. */
	path: string;
	/** Counts from 1; 0 where the line was too long to be read. */
	line: number;
	text: string;
	/** False for a line that is only context. */
	isHit: boolean;
}

export interface LineSearchEnd {
	/** In order of path, then line. */
	lines: FoundLine[];
	hits: number;
	/** True where more hits were left out. */
	cut: boolean;
	/** True where the time ran out before everything was looked at. */
	timedOut: boolean;
	/** Files with hits that were left out because they usually hold secrets. */
	secretFiles: number;
}

export interface FileSearchEnd {
	/** Relative to the searched folder with `/`, sorted. */
	paths: string[];
	/** All that match, also those beyond the limit. */
	total: number;
	timedOut: boolean;
}

export interface SearchError {
	kind: "invalid_pattern" | "cancelled" | "failed";
	/** A sentence for a model. */
	message: string;
}

export type SearchResult<T> = { ok: true; value: T } | { ok: false; error: SearchError };

/** Never rejects. After an abort it resolves once its process is gone. */
export interface Search {
	lines(request: LineSearch): Promise<SearchResult<LineSearchEnd>>;
	files(request: SearchScope & { glob: string }): Promise<SearchResult<FileSearchEnd>>;
}
