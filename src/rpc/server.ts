// The server's end of the protocol: carries out a client's requests on one session and tells it what happens.

import type { LiveSession } from "../runtime/liveSession.ts";
import type { Prompts } from "../runtime/prompts.ts";
import type { Scheduler } from "../runtime/scheduler.ts";
import type { ClientRequest, Notification, RequestResult, SessionGreeting } from "./protocol.ts";

/** What the server works on. */
export interface Served {
	session: LiveSession;
	scheduler: Scheduler;
	prompts: Prompts;
	greeting: SessionGreeting;
	/** Takes known secrets out of what a person typed. */
	redact(text: string): string;
}

export interface Server {
	readonly greeting: SessionGreeting;
	perform(request: ClientRequest): Promise<RequestResult>;
	/** Tells every listener; the composition root uses it for prompts and turn ends. */
	notify(notification: Notification): void;
	listen(listener: (notification: Notification) => void): () => void;
}

/** A server for one session. */
export function createServer(served: Served): Server {
	const listeners = new Set<(notification: Notification) => void>();
	const notify = (notification: Notification) => {
		for (const listener of [...listeners]) listener(notification);
	};
	served.session.subscribe((publication) => notify(publication));
	return {
		greeting: served.greeting,
		notify,
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async perform(request) {
			try {
				return await perform(served, notify, request);
			} catch (error) {
				return { ok: false, message: error instanceof Error ? error.message : String(error) };
			}
		},
	};
}

async function perform(
	served: Served,
	notify: (notification: Notification) => void,
	request: ClientRequest,
): Promise<RequestResult> {
	const { session, scheduler, prompts } = served;
	switch (request.do) {
		case "submit": {
			if (request.text.trim() === "") return { ok: false, message: "The message is empty." };
			session.record({
				do: "submitInput",
				text: served.redact(request.text),
				target: request.target,
				wakeup: true,
				origin: "person",
			});
			await session.flush({ wait: true });
			runWaiting(served, notify);
			return { ok: true };
		}
		case "interrupt":
			return scheduler.interrupt() ? { ok: true } : { ok: false, message: "Nothing runs." };
		case "answerApproval": {
			const { answer, words } = request;
			const known = prompts.answerApproval(request.callId, {
				answer,
				by: "person",
				...(words === undefined ? {} : { words: served.redact(words) }),
			});
			return known ? { ok: true } : { ok: false, message: "That question is no longer open." };
		}
		case "answerQuestion":
			return prompts.answerQuestion(request.callId, request.answer)
				? { ok: true }
				: { ok: false, message: "That question is no longer open." };
		case "changeMode":
			session.record({ do: "changeMode", mode: request.mode, by: "person" });
			await session.flush({ wait: true });
			return { ok: true };
		case "cancelInput":
			session.record({ do: "cancelInput", messageIds: request.messageIds });
			await session.flush({ wait: true });
			return { ok: true };
		default: {
			const unknown: never = request;
			return { ok: false, message: `Unknown request ${JSON.stringify(unknown)}` };
		}
	}
}

/** Starts the waiting turns; a log that cannot be written is told, not thrown. */
function runWaiting(served: Served, notify: (notification: Notification) => void): void {
	const { scheduler } = served;
	const wasBusy = scheduler.busy;
	const ran = scheduler.runWaiting();
	// Whoever started the run tells its end.
	if (wasBusy) return void ran.catch(() => undefined);
	const tellIdle = () => {
		if (!scheduler.busy) notify({ kind: "idle" });
	};
	ran.then(tellIdle, (error: unknown) => {
		notify({ kind: "fault", message: error instanceof Error ? error.message : String(error) });
		tellIdle();
	});
}
