// Claims waiting work and starts turns, one at a time, until nothing waits. An interrupt ends the running turn and keeps
// the queue.

import { runTurn } from "../agent/run.ts";
import type { TurnContext } from "../agent/turn.ts";
import type { TurnEnd } from "../session/live.ts";
import { settleInterrupted } from "../session/settle.ts";
import type { LiveSession } from "./liveSession.ts";

export interface Scheduler {
	/**
	 * Runs every waiting turn; resolves with the end of the last one, or undefined where nothing waited. Called while
	 * turns run, it makes them look again for waiting work before they stop, and resolves with them.
	 */
	runWaiting(): Promise<TurnEnd | undefined>;
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
	/** What a turn's end owes before anybody hears of it. Rejects only where the log fails. */
	afterTurn?(): Promise<void>;
	/** Hears the end of every turn. */
	onTurnEnd(end: TurnEnd): void;
}

/** A scheduler over one session. */
export function createScheduler(options: SchedulerOptions): Scheduler {
	let running: { controller: AbortController; done: Promise<TurnEnd | undefined> } | undefined;
	let askedAgain = false;

	const runAll = async ({ signal }: AbortController): Promise<TurnEnd | undefined> => {
		let last: TurnEnd | undefined;
		try {
			// A full disk ended the run before this one in the middle of its turn: it is closed as after a crash.
			options.session.append(settleInterrupted(options.session.state));
			do {
				askedAgain = false;
				const end = await runTurn(options.contextFor(signal));
				if (!end) continue;
				last = end;
				await options.afterTurn?.();
				askedAgain = true;
				options.onTurnEnd(end);
			} while (askedAgain && !signal.aborted);
			return last;
		} finally {
			running = undefined;
		}
	};

	return {
		get busy() {
			return running !== undefined;
		},
		runWaiting() {
			askedAgain = true;
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
