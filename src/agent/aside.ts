// A request to the model that belongs to no Step: for a summary, for facts to keep. It offers no tools, shows nothing while
// it streams, and is recorded with its end like every other Attempt.

import type { ModelRequest } from "../ports/model.ts";
import type { AttemptOwner } from "../session/events.ts";
import type { ModelFailure } from "../types.ts";
import { countUsage, preparedBody, redactReply } from "./attempt.ts";
import { sizeOfRequest } from "./context/tokenEstimator.ts";
import type { TurnContext } from "./turn.ts";

/** The model's text, or why there is none. */
export type AsideAnswer =
	| { ok: true; text: string }
	| { ok: false; cancelled: boolean; failure: ModelFailure };

/** Asks once, outside of any Step. The end is part of the session's next commit. Rejects only where the log fails. */
export async function askAside(
	context: TurnContext,
	request: ModelRequest,
	kind: AttemptOwner["kind"],
): Promise<AsideAnswer> {
	const { session, world } = context;
	const startedAt = world.clock.now();
	let attemptId: string | undefined;
	const outcome = await context.model.stream(request, {
		signal: context.signal,
		onDelta: () => undefined,
		onPrepared: async (body) => {
			// Beside the chain of the conversation's bodies, which may grow meanwhile.
			const prepared = await preparedBody(context, body, "");
			// A Turn may have begun in this moment; nothing is sent then.
			if (context.signal.aborted) return;
			const events = session.record({
				do: "startAside",
				kind,
				model: context.modelConfig,
				...prepared,
				contributions: [],
				size: sizeOfRequest(request),
			});
			attemptId = events.find((event) => event.type === "attempt/start")?.attemptId;
			await session.flush({ wait: true });
		},
	});
	const reply = redactReply(context, outcome.ok ? outcome.reply : outcome.partial);
	const answered = outcome.ok && reply.text.trim() !== "";
	const failure: ModelFailure = outcome.ok
		? { kind: "unknown", message: "The model sent an empty answer.", retryable: true }
		: { ...outcome.failure, message: context.redact(outcome.failure.message) };
	const cancelled = failure.kind === "cancelled";
	if (attemptId !== undefined)
		session.record({
			do: "endAside",
			attemptId,
			outcome: answered ? "accepted" : cancelled ? "cancelled" : "failed",
			attempt: {
				...reply,
				...countUsage(context, request, reply, outcome.ok),
				...(answered ? {} : { failure }),
				durationMs: world.clock.now() - startedAt,
			},
		});
	return answered ? { ok: true, text: reply.text } : { ok: false, cancelled, failure };
}
