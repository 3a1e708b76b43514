// Runs turns, one at a time, until nothing waits. A turn that was interrupted is brought to its end before anything is
// claimed. An interrupt ends the running turn and keeps the queue.

import { claimAndStartTurn } from "../agent/claim.ts";
import { Parked } from "../agent/parked.ts";
import { runTurn } from "../agent/run.ts";
import type { TurnContext } from "../agent/turn.ts";
import type { TurnEnd } from "../session/live.ts";
import { type Interruption, settleInterrupted } from "../session/settle.ts";
import { faultOf } from "./fault.ts";
import type { LiveSession } from "./liveSession.ts";
import { finishInterrupted, type RecoveryParts } from "./recovery.ts";

export interface Scheduler {
	/**
	 * Runs every waiting turn; resolves with the end of the last one, or undefined where nothing waited. Called while
	 * turns run, it makes them look again for waiting work before they stop, and resolves with them. `goOn`: where no
	 * message wakes a turn, the work of an interrupted one is claimed too, or a person's message that one gave back.
	 */
	runWaiting(options?: { goOn?: boolean }): Promise<TurnEnd | undefined>;
	/** Ends the running turn as cancelled. False where none runs. */
	interrupt(): boolean;
	/** Ends the running turn as cancelled and resolves once it has ended; starts nothing. Never rejects. */
	stop(): Promise<void>;
	readonly busy: boolean;
}

export interface SchedulerOptions {
	session: LiveSession;
	/** A context for one turn; made anew for each, so that settings changed between turns hold. */
	contextFor(signal: AbortSignal): TurnContext;
	/** For what an interrupted turn waits for; absent where nobody is asked and nothing is looked at: it is just closed. */
	recovery?: RecoveryParts;
	/** What a turn's end owes before anybody hears of it. Rejects only where the log fails. */
	afterTurn?(): Promise<void>;
	/** Hears the end of every turn. */
	onTurnEnd(end: TurnEnd): void;
}

/** A scheduler over one session. */
export function createScheduler(options: SchedulerOptions): Scheduler {
	let running: { controller: AbortController; done: Promise<TurnEnd | undefined> } | undefined;
	let askedAgain = false;
	let goOn = false;
	/** Why the last run broke off, where it left its Turn open: what that Turn's end tells. */
	let brokeOff: Interruption | undefined;

	const runAll = async ({ signal }: AbortController): Promise<TurnEnd | undefined> => {
		let last: TurnEnd | undefined;
		try {
			if (!(await closeOpenTurn(options, signal, { goOn: () => (goOn = true), brokeOff }))) return undefined;
			brokeOff = undefined;
			do {
				askedAgain = false;
				if (!claimAndStartTurn(options.session, { goOn })) {
					await options.session.flush({ wait: true });
					continue;
				}
				goOn = false;
				last = await runTurn(options.contextFor(signal));
				await options.afterTurn?.();
				askedAgain = true;
				if (last) options.onTurnEnd(last);
			} while (askedAgain && !signal.aborted);
			return last;
		} catch (error) {
			// agi ends, and the Turn waits in the log for a person's answer.
			if (error instanceof Parked) return last;
			brokeOff ??= whatHappened(error);
			throw error;
		} finally {
			running = undefined;
			goOn = false;
		}
	};

	return {
		get busy() {
			return running !== undefined;
		},
		runWaiting(how = {}) {
			askedAgain = true;
			goOn ||= how.goOn ?? false;
			if (running) return running.done;
			const controller = new AbortController();
			// Begun a moment later, so that it cannot end before it counts as running.
			const done = Promise.resolve(controller).then(runAll);
			running = { controller, done };
			return done;
		},
		interrupt() {
			if (!running) return false;
			running.controller.abort(new Error("interrupted"));
			return true;
		},
		async stop() {
			running?.controller.abort(new Error("interrupted"));
			await running?.done.catch(() => undefined);
		},
	};
}

/**
 * A Turn is open before anything runs where a process died in it, or a full disk ended the run before this one. False
 * where it still waits for a person, so that nothing may be claimed.
 */
async function closeOpenTurn(
	{ session, recovery, contextFor }: SchedulerOptions,
	signal: AbortSignal,
	{ goOn, brokeOff }: { goOn(): void; brokeOff: Interruption | undefined },
): Promise<boolean> {
	if (!session.state.turn) return true;
	if (!recovery) {
		session.append(settleInterrupted(session.state, undefined, brokeOff));
		return true;
	}
	const finished = await finishInterrupted(recovery, contextFor(signal), brokeOff);
	if (finished === "goOn") goOn();
	return finished !== "wait" && !signal.aborted;
}

/** The first sentence of an error, without its stop: what happened. What to do was told when it did. */
function whatHappened(error: unknown): Interruption {
	const { code, message } = faultOf(error);
	return { code, reason: /^.+?(?=\.(\s|$))/s.exec(message)?.[0] ?? message };
}
