// What a person makes of a proposed write before they say yes: parts of its diff refused, or the text changed. Pure.

import type { ApprovalPrompt } from "../../session/live.ts";

/** How far that is. */
export interface Review {
	/** Parts of the diff that can be refused one by one; 0 where there are not several. */
	hunks: number;
	/** The part that keys act on, from 0. */
	marked: number;
	refused: readonly number[];
	/** The whole text as proposed; absent where it cannot be changed. */
	proposal: string | undefined;
	/** What the person wants instead; whatever was refused before no longer counts. */
	amended?: string;
}

/** Nothing refused, nothing changed. */
export function openReview({ hunks = 0, proposal }: ApprovalPrompt): Review {
	return { hunks: hunks > 1 ? hunks : 0, marked: 0, refused: [], proposal };
}

/** Another part marked; after the last comes the first. */
export function markHunk(review: Review, by: number): Review {
	const { hunks, marked } = review;
	return hunks === 0 ? review : { ...review, marked: (marked + by + hunks) % hunks };
}

/** The marked part refused, or taken again. */
export function toggleHunk(review: Review): Review {
	const { marked, refused } = review;
	if (!hasParts(review)) return review;
	const others = refused.filter((part) => part !== marked);
	return { ...review, refused: others.length < refused.length ? others : [...refused, marked] };
}

/** `text` instead of the proposal; the proposal itself changes nothing. */
export function amendProposal({ amended: _, ...review }: Review, text: string): Review {
	if (text === review.proposal) return review;
	return { ...review, refused: [], amended: text };
}

/** Whether parts can be refused now. */
export function hasParts({ hunks, amended }: Review): boolean {
	return hunks > 0 && amended === undefined;
}

/** What a yes then says beside yes; undefined where the proposal stands as it is. */
export function revisionOf(review: Review): { hunks: number[] } | { amended: string } | undefined {
	const { hunks, refused, amended } = review;
	if (amended !== undefined) return { amended };
	if (refused.length === 0) return undefined;
	return {
		hunks: Array.from({ length: hunks }, (_, part) => part).filter((part) => !refused.includes(part)),
	};
}
