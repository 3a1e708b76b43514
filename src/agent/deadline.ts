// The moment after which a Turn does nothing more: its signal, and what a call is told that this moment stopped. Calls
// are stopped as by a person's cancel; only the reason of the signal tells the two apart.

import type { ToolOutcome } from "../types.ts";
import type { TurnContext } from "./turn.ts";

/** The one reason that a signal is aborted with at a deadline; subagents pass it on. */
const TIME_IS_UP = new Error("The time limit of the turn is over.");

/** A signal that fires at a cancel and at the Turn's deadline. `clear` must be called when the Turn is over. */
export function deadlineSignal(context: Pick<TurnContext, "signal" | "deadline" | "world">): {
	signal: AbortSignal;
	clear(): void;
} {
	const controller = new AbortController();
	const cancel = () => controller.abort(context.signal.reason);
	if (context.signal.aborted) cancel();
	context.signal.addEventListener("abort", cancel, { once: true });
	const done = new AbortController();
	if (context.deadline !== undefined)
		context.world.clock.wait(Math.max(0, context.deadline - context.world.clock.now()), done.signal).then(
			() => controller.abort(TIME_IS_UP),
			() => undefined,
		);
	return {
		signal: controller.signal,
		clear() {
			context.signal.removeEventListener("abort", cancel);
			done.abort();
		},
	};
}

/** Whether a deadline aborted the signal, and not a person. */
export function isTimeUp(signal: AbortSignal): boolean {
	return signal.aborted && signal.reason === TIME_IS_UP;
}

/** The outcome of a call, with the reason where a deadline stopped it: its own words say only "cancelled". */
export function tellDeadline(outcome: ToolOutcome, signal: AbortSignal): ToolOutcome {
	const isStopped = outcome.status === "cancelled" || outcome.status === "outcome_unknown";
	if (!isStopped || !isTimeUp(signal)) return outcome;
	return {
		...outcome,
		text: `${outcome.text}\n[The time limit of the turn was over; the user did not cancel it.]`,
	};
}
