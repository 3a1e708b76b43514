// What a person sees of undo: where to go back to, what that would do, and what it did. Shapes only.

/** What goes back. */
export type RewindWhat = "files" | "conversation" | "both";

/** A turn that can be gone back to. */
export interface RewindPoint {
	turnId: string;
	/** What the person asked for in it. */
	text: string;
	/** Paths that going back there would change; those of which no copy is kept do not count. */
	files: number;
	/** False where its conversation was taken back already: only its files can be. */
	inConversation: boolean;
}

/** What a rewind does to one path. */
export interface PlannedPath {
	/** Relative to the workspace; absolute outside of it. */
	path: string;
	change: "create" | "restore" | "remove";
	/** Why the person must name the path before it is touched. */
	conflict?: string;
	/** Why it cannot be put back at all. */
	impossible?: string;
}

/** What a rewind would do now. */
export interface RewindPlan {
	paths: PlannedPath[];
	/** Sentences about what the plan leaves out. */
	notes: string[];
}

/** A path that was not put back, and why. */
export interface LeftPath {
	path: string;
	why: string;
}

/** What a rewind did. */
export interface RewindResult {
	/** Paths that are now as they were. */
	changed: string[];
	left: LeftPath[];
	/** What the person had asked for in the turn that was gone back to; "" where the conversation stays. */
	text: string;
}
