// Summing up a conversation because the person asks for it: written, shown, then accepted as it is or changed, or left.
// One summary at a time; it is dropped once the conversation went back behind it.

import {
	type CheckpointDraft,
	draftCheckpoint,
	requestTokens,
	tokensWith,
} from "../agent/context/draftCheckpoint.ts";
import type { TurnContext } from "../agent/turn.ts";
import { checkpointOf, withoutCheckpoint } from "../session/modelView.ts";
import type { LiveSession } from "./liveSession.ts";

type Result<V> = { ok: true; value: V } | { ok: false; message: string };

export interface Compactions {
	preview(
		focus?: string,
	): Promise<Result<{ summary: string; tokensBefore: number; tokensAfter: number; items: number }>>;
	/** Puts the summary that waits, or `text` in its stead, in place. */
	accept(text?: string): Promise<Result<{ tokensBefore: number; tokensAfter: number }>>;
	undo(): Promise<Result<undefined>>;
	/** Ends the writing of a summary. False where none is written. */
	interrupt(): boolean;
	/** The same, and resolves once it has ended. Never rejects. */
	stop(): Promise<void>;
}

export interface CompactionParts {
	session: LiveSession;
	contextFor(signal: AbortSignal): TurnContext;
	redact(text: string): string;
}

/** The compactions of one session. */
export function createCompactions({ session, contextFor, redact }: CompactionParts): Compactions {
	let waiting: CheckpointDraft | undefined;
	let writing: { controller: AbortController; done: Promise<unknown> } | undefined;

	const write = async (focus: string | undefined, signal: AbortSignal) => {
		const context = contextFor(signal);
		const drafted = await draftCheckpoint(context, {
			cause: "person",
			window: context.limits.contextWindow,
			...(focus === undefined || focus.trim() === "" ? {} : { focus: redact(focus) }),
		});
		await session.flush({ wait: true });
		return drafted;
	};

	return {
		async preview(focus) {
			if (writing) return refuse("A summary is being written already.");
			const controller = new AbortController();
			const done = write(focus, controller.signal);
			writing = { controller, done };
			try {
				const drafted = await done;
				if (!drafted.ok) return refuse(drafted.message);
				waiting = drafted.draft;
				const { summary, tokensBefore, tokensAfter } = drafted.draft;
				return { ok: true, value: { summary, tokensBefore, tokensAfter, items: drafted.leaving } };
			} finally {
				writing = undefined;
			}
		},
		async accept(text) {
			if (!waiting) return refuse("No summary waits; /compact writes one.");
			if (waiting.version !== session.state.viewVersion) {
				waiting = undefined;
				return refuse("The conversation was changed since that summary was written. Write a new one.");
			}
			const summary = redact(text ?? waiting.summary);
			if (summary.trim() === "") return refuse("The summary is empty.");
			const context = contextFor(new AbortController().signal);
			const tokensBefore = requestTokens(context);
			const tokensAfter = tokensWith(context, { ...waiting, summary });
			if (tokensAfter >= tokensBefore) return refuse("That text is as long as what it stands for.");
			const accepted = { ...waiting, summary, tokensBefore, tokensAfter };
			await session.save(() => session.record(accepted));
			waiting = undefined;
			return { ok: true, value: { tokensBefore, tokensAfter } };
		},
		async undo() {
			const { state } = session;
			const last = checkpointOf(state.history);
			if (!last) return refuse("There is no summary to take back.");
			const history = withoutCheckpoint(state.history, last.checkpointId);
			const context = contextFor(new AbortController().signal);
			const tokens = requestTokens(context, { ...state, history });
			await session.save(() => session.record({ do: "undoCheckpoint", tokens }));
			return { ok: true, value: undefined };
		},
		interrupt() {
			writing?.controller.abort(new Error("interrupted"));
			return writing !== undefined;
		},
		async stop() {
			writing?.controller.abort(new Error("interrupted"));
			await writing?.done.catch(() => undefined);
		},
	};
}

function refuse(message: string): { ok: false; message: string } {
	return { ok: false, message };
}
