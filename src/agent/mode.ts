// The book's word for plan mode. The truth is the session's `mode`; this is its small face for programs.

import type { Mode } from "../types.ts";

/** Build changes things; plan only reads. */
export type AgentMode = "build" | "plan";

/** What a program passes to `runAgent` to say in which mode a turn runs. */
export interface PlanState {
	mode: AgentMode;
	/** The approved plan, where there is one. */
	plan?: string;
}

/** The session mode that a program's plan state asks for. */
export function sessionMode(plan: PlanState | undefined): Mode {
	return plan?.mode === "plan" ? "plan" : "default";
}
