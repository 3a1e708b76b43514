// From a plan that a person approved to work that runs: keeps the plan, leaves plan mode, submits it. Only a person's
// request comes here; nothing that a model says does.

import type { Plans } from "../ports/plans.ts";
import type { SessionState } from "../session/state.ts";
import type { LiveSession } from "./liveSession.ts";

export interface PlanApproval {
	/** The plan as the person changed it; absent: the last answer as it is. */
	text?: string;
	/** Today, ISO. */
	day: string;
}

/** What was approved, or a sentence that says why nothing can be. `path` null: not stored, `notice` says why. */
export type ApprovedPlan =
	| { ok: true; path: string | null; notice: string | null }
	| { ok: false; message: string };

/** Approves a plan. The new input is on the disk once this resolves; starting the turn is the caller's. */
export async function approvePlan(
	session: LiveSession,
	plans: Plans,
	approval: PlanApproval,
): Promise<ApprovedPlan> {
	const before = obstacle(session.state, approval.text);
	if (before !== undefined) return { ok: false, message: before };
	const text = (approval.text ?? lastAnswer(session.state) ?? "").trim();
	const kept = await plans.keep({ day: approval.day, text });
	const refused = await session.save(() => {
		// Things may have changed while the file was written.
		const after = obstacle(session.state, approval.text);
		if (after !== undefined) return after;
		const mode = session.state.modeBeforePlan === "acceptEdits" ? "acceptEdits" : "default";
		session.record({ do: "changeMode", mode, by: "person" });
		session.record({
			do: "submitInput",
			text: approvedText(text, kept.ok ? kept.path : undefined),
			target: "next_turn",
			wakeup: true,
			origin: "person",
		});
		return undefined;
	});
	if (refused !== undefined) return { ok: false, message: refused };
	return kept.ok
		? { ok: true, path: kept.path, notice: null }
		: { ok: true, path: null, notice: `${kept.message} The work starts all the same.` };
}

function obstacle(state: SessionState, text: string | undefined): string | undefined {
	if (state.mode !== "plan")
		return "There is no plan to approve: plan mode is off. /plan TASK or Shift+Tab turns it on.";
	if (state.turn)
		return "The plan is still being made. Approve it when the turn has ended, or press Esc first.";
	if (text !== undefined && text.trim() === "") return "The plan is empty. Write what is to be done.";
	if (text === undefined && lastAnswer(state) === undefined)
		return "There is no plan to approve yet: the model has not answered. Ask for a plan first.";
	return undefined;
}

function lastAnswer(state: SessionState): string | undefined {
	const item = state.history.findLast((entry) => entry.kind === "assistant" && entry.text.trim() !== "");
	return item?.kind === "assistant" ? item.text : undefined;
}

function approvedText(plan: string, path: string | undefined): string {
	const where = path === undefined ? "" : `, stored in ${path}`;
	return `I approve this plan${where}. Carry it out now, step by step.\n\n${plan}`;
}
