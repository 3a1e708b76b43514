// The loop of one session: next, perform, record, until its Turn ends. It decides nothing by itself: what is owed is
// `session/next.ts`, what is allowed is the policy, what a failure means is `retry.ts`.

import type { TurnEndCode } from "../session/events.ts";
import type { TurnEnd } from "../session/live.ts";
import { type Action, next } from "../session/next.ts";
import { MAX_REPEATED_FAILURES } from "../session/repeats.ts";
import { AgiError, type ModelFailure } from "../types.ts";
import { attempt } from "./attempt.ts";
import { claimAndStartStep, claimAndStartTurn, type Ending, settleTurnIfQuiescent } from "./claim.ts";
import { makeRoom } from "./context/makeRoom.ts";
import { deadlineSignal, isTimeUp } from "./deadline.ts";
import { describeGiveUp, retryDelay } from "./retry.ts";
import { runCalls } from "./toolBatch.ts";
import type { TurnContext } from "./turn.ts";

/**
 * Runs the session's waiting work: claims one message, or with `goOn` what waits for a person, and goes on until
 * its Turn ends. Resolves with that end, or with undefined where nothing waits. Never rejects for what a model or a tool
 * does; rejects only where the log fails.
 */
export async function runTurn(
	context: TurnContext,
	options: { goOn?: boolean } = {},
): Promise<TurnEnd | undefined> {
	const stopAt = deadlineSignal(context);
	try {
		return await loop(context, options.goOn ?? false, stopAt.signal);
	} finally {
		stopAt.clear();
	}
}

async function loop(context: TurnContext, goOn: boolean, signal: AbortSignal): Promise<TurnEnd | undefined> {
	const { session } = context;
	if (!session.state.turn && !claimAndStartTurn(session, { goOn })) {
		await session.flush({ wait: true });
		return undefined;
	}
	if (context.startNewTurn) context.tracker.startTurn();
	if (context.breaker.openReason()) context.breaker.reset();
	for (let isOpen = true; isOpen; ) {
		const ending = await perform(context, next(session.state), signal);
		if (ending) isOpen = !settleTurnIfQuiescent(session, ending);
	}
	await session.flush({ wait: true });
	return lastEnd(context);
}

/** Carries out one action; resolves with the Turn's end where the action was its last. */
async function perform(
	context: TurnContext,
	action: Action,
	signal: AbortSignal,
): Promise<Ending | undefined> {
	const { session } = context;
	switch (action.do) {
		case "startStep":
			return startStep(context, signal);
		case "ask":
			return ask(context, signal);
		case "runCalls": {
			const { limit } = await runCalls(context, action.callIds, signal);
			if (limit === undefined && !signal.aborted) return undefined;
			session.record({ do: "endStep", outcome: signal.aborted ? "cancelled" : "tools" });
			return limit === undefined ? stopped(signal) : limitEnding(limit);
		}
		case "endStep": {
			const ending = action.outcome === "failed" ? rejectedEnding(context) : undefined;
			session.record({ do: "endStep", outcome: action.outcome });
			return ending;
		}
		case "endTurn":
			return endingOf(action.end);
		default:
			return undefined;
	}
}

/** Limits are looked at before every Step: a Turn that is over budget asks nothing more. */
async function startStep(context: TurnContext, signal: AbortSignal): Promise<Ending | undefined> {
	if (signal.aborted) return stopped(signal);
	const before = context.tracker.check();
	if (!before.ok) return limitEnding(before.reason ?? "A limit was reached");
	context.tracker.addIteration();
	const after = context.tracker.check();
	if (!after.ok) return limitEnding(after.reason ?? "A limit was reached");
	await context.observe?.();
	claimAndStartStep(context.session, context.modelConfig);
	return undefined;
}

/** One Attempt, waiting first where the last one failed. */
async function ask(context: TurnContext, signal: AbortSignal): Promise<Ending | undefined> {
	const { session } = context;
	if (signal.aborted) return cancelStep(context, signal);
	const room = await (context.makeRoom?.() ?? makeRoom({ ...context, signal }));
	if (room.kind === "cancelled") return cancelStep(context, signal);
	if (room.kind === "cannot") {
		session.record({ do: "endStep", outcome: "failed" });
		return { status: "failed", code: "context", reason: room.message };
	}
	const failure = session.state.step?.lastFailure;
	let backoffMs: number | undefined;
	if (failure) {
		const failures = session.state.step?.failures ?? 1;
		const tripped = context.breaker.openReason();
		const delay = tripped ? "give_up" : retryDelay(failure, failures, context.world.random, context.retry);
		if (delay === "give_up") {
			const why = tripped
				? `${failure.message} ${tripped}`
				: describeGiveUp(failure, failures, context.retry);
			return fail(context, failure, why);
		}
		backoffMs = delay;
		await waitBeforeRetry(context, failure, delay, signal);
	}
	if (signal.aborted) return cancelStep(context, signal);
	const budget = context.tracker.check();
	if (!budget.ok) {
		session.record({ do: "endStep", outcome: "failed" });
		return limitEnding(budget.reason ?? "A limit was reached");
	}
	const end = await attempt({ ...context, signal }, backoffMs);
	if (end.kind === "cancelled") return cancelStep(context, signal);
	return end.kind === "unsent" ? fail(context, end.failure, end.failure.message) : undefined;
}

async function waitBeforeRetry(
	context: TurnContext,
	failure: ModelFailure,
	delay: number,
	signal: AbortSignal,
): Promise<void> {
	const { session, world } = context;
	const tries = `retry ${session.state.step?.failures ?? 1} of ${context.retry.retries}`;
	session.tell({
		type: "waiting",
		for: "retry",
		detail: `${tries} in ${Math.ceil(delay / 1000)} s: ${failure.message}`,
		untilMs: world.clock.now() + delay,
	});
	await session.flush({ wait: false });
	await world.clock.wait(delay, signal).catch(() => undefined);
}

function fail(context: TurnContext, failure: ModelFailure, why: string): Ending {
	context.session.record({ do: "endStep", outcome: "failed" });
	const code: TurnEndCode =
		failure.kind === "auth" ? "auth" : failure.kind === "context_overflow" ? "context" : "model";
	return { status: "failed", code, reason: why };
}

function cancelStep(context: TurnContext, signal: AbortSignal): Ending {
	context.session.record({ do: "endStep", outcome: "cancelled" });
	return stopped(signal);
}

/** A cancelled Turn: by the person, or by the clock. */
function stopped(signal: AbortSignal): Ending {
	return isTimeUp(signal)
		? limitEnding("Time limit exceeded")
		: { status: "cancelled", code: "cancelled", reason: "The turn was cancelled" };
}

/** Which limit, and how to raise it. */
function limitEnding(reason: string): Ending {
	const flag = /token/i.test(reason)
		? "--max-tokens or limits.tokensPerSession"
		: /cost/i.test(reason)
			? "--max-cost or limits.costPerSession"
			: /tool call/i.test(reason)
				? "limits.toolCallsPerTurn"
				: /time/i.test(reason)
					? "--timeout or limits.turnSeconds"
					: "--max-steps or limits.stepsPerTurn";
	return { status: "failed", code: "limit", reason: `${reason}. Raise it with ${flag}.` };
}

const ASK_OTHERWISE = "Say it in other words, or use another model.";

const CUT_AGAIN =
	"The output limit cut the answer again and again: ask for less at once, or raise the server's output limit.";

/** What a model said, on one line that ends as a sentence; "" where it said nothing. */
function sentence(text: string): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line === "" || /[.!?…。！？]$/.test(line) ? line : `${line}.`;
}

/** Why a Step whose replies were not accepted has to fail. The last line is the reason and the way out. */
function rejectedEnding(context: TurnContext): Ending {
	const step = context.session.state.step;
	if (step?.refused?.finish === "refusal")
		return {
			status: "failed",
			code: "refusal",
			reason: `The model refused: ${sentence(step.refused.text) || "no reason given."} ${ASK_OTHERWISE}`,
		};
	if (step?.refused?.finish === "content_filter")
		return {
			status: "failed",
			code: "refusal",
			reason: `The server's content filter stopped the answer. ${ASK_OTHERWISE}`,
		};
	if (step?.refused)
		return {
			status: "failed",
			code: "model",
			reason: "The model ended its reply with an error. Send the message again, or use another model.",
		};
	const said = step?.cut?.text.slice(0, 2000).trim() ?? "";
	const begun = said === "" ? "" : `The answer began: ${said}\n`;
	return { status: "failed", code: "model", reason: begun + CUT_AGAIN };
}

function endingOf(end: (Action & { do: "endTurn" })["end"]): Ending {
	switch (end) {
		case "completed":
			return { status: "completed" };
		case "denied":
			return { status: "cancelled", code: "denied", reason: "You said no; the turn has ended" };
		case "repeats":
			return {
				status: "failed",
				code: "limit",
				reason:
					`The model repeated the same failing call ${MAX_REPEATED_FAILURES} times. ` +
					"Say in other words what it should do, or use another model.",
			};
		case "failed":
			return { status: "failed", code: "model", reason: "The last step failed. Send the message again." };
		default: {
			const unknown: never = end;
			throw new AgiError("BUG", `unknown end of a turn: ${String(unknown)}`);
		}
	}
}

function lastEnd(context: TurnContext): TurnEnd {
	const last = context.session.state.lastTurn;
	if (!last) throw new AgiError("BUG", "a turn ended without a record");
	const answer = last.status === "completed" ? last.answer : endText(last.code, last.reason);
	return {
		status: last.status,
		answer,
		...(last.code ? { code: last.code } : {}),
		...(last.reason === undefined ? {} : { reason: last.reason }),
	};
}

/** The last words of a Turn that did not complete; a limit has the customer's form. */
function endText(code: TurnEndCode | undefined, reason = "The turn ended"): string {
	if (code !== "limit") return reason;
	const [what = reason, ...how] = reason.split(". ");
	return [`[Agent stopped: ${what}]`, how.join(". ")].filter((part) => part !== "").join(" ");
}
