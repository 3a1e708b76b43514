// What agi needs of the place where approved plans are kept for people to read.

/** A plan to keep. */
export interface PlanText {
	/** Day of its approval, ISO. */
	day: string;
	text: string;
}

/** Where it is kept, relative to the workspace where that is inside; or a sentence that says why it is not. */
export type KeptPlan = { ok: true; path: string } | { ok: false; message: string };

/** Never rejects, never follows a link that a repository brought, never replaces an older plan. */
export interface Plans {
	keep(plan: PlanText): Promise<KeptPlan>;
}
