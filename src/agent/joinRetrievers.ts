// Several stores as one: asks each, puts the best passages first, and keeps to the budget. It knows no store by name, so
// another one is an entry of its list.

import type { Passage, Retrieved, Retriever } from "../ports/retriever.ts";
import { estimateTokens } from "./context/tokenEstimator.ts";

/** Tokens of a passage's first line. */
const HEAD = 16;

/** One retriever over `retrievers`; `mayRead` holds for each of them. */
export function joinRetrievers(
	retrievers: readonly Retriever[],
	mayRead: (realPath: string) => boolean,
): Retriever {
	return {
		async search(query, scope, budget) {
			const found = await Promise.all(
				retrievers.map((each) => each.search(query, { ...scope, mayRead }, budget)),
			);
			const ranked = found.flatMap(({ passages }) => passages).sort((one, other) => other.score - one.score);
			return { passages: within(budget, ranked), notes: found.flatMap(({ notes }) => notes) };
		},
	};
}

/** The best passages that fit, none twice; a long one that does not fit lets shorter ones pass. */
function within(budget: number, ranked: readonly Passage[]): Retrieved["passages"] {
	const kept: Passage[] = [];
	const seen = new Set<string>();
	let left = budget;
	for (const passage of ranked) {
		const tokens = HEAD + estimateTokens(passage.text);
		if (tokens > left || seen.has(passage.text)) continue;
		seen.add(passage.text);
		left -= tokens;
		kept.push(passage);
	}
	return kept;
}
