// What fills a model's window, item by item, as clients show it. Types only.

/** One item of the next request. */
export interface ContextItem {
	/** How a person names it: `p2` for a part that stands before the conversation, else its place in that, from 1. */
	ref: string;
	/** By which it is masked and pinned; absent where it cannot be. */
	itemId?: string;
	/** `user`, `answer`, `result`, `notice`, `checkpoint`, or the kind of a part such as `instructions`. */
	kind: string;
	/** What it is, on one line. */
	source: string;
	/** Estimated, as the model sees it. */
	tokens: number;
	/** Set while the model sees a mark: the tokens of what it hides. */
	masked?: number;
	pinned?: true;
}

/** Everything the next request would hold, in its order. */
export interface ContextItems {
	items: ContextItem[];
	/** Of that request, estimated. */
	tokens: number;
	/** Of the last request with its reply; 0 before the first. `usedEstimated`: the server told no count. */
	usedTokens: number;
	usedEstimated: boolean;
	contextWindow: number;
}

/** What a person can do to an item. */
export type ItemChange = "mask" | "unmask" | "pin" | "unpin";
