// What fills the window of one session, and the person's hand in it: lists the items, masks and pins them, opens one.

import { assemble } from "../agent/context/assemble.ts";
import { requestTokens } from "../agent/context/draftCheckpoint.ts";
import { contextText, type Listed, listContext, markedTokens } from "../agent/context/listContext.ts";
import { sizeOfRequest } from "../agent/context/tokenEstimator.ts";
import { truncateResult } from "../agent/toolResults.ts";
import { toolSchemas } from "../agent/tools/schemas.ts";
import type { TurnContext } from "../agent/turn.ts";
import type { Command } from "../session/commands.ts";
import type { ContextItems, ItemChange } from "../session/contextItems.ts";
import { itemOf } from "../session/modelView.ts";
import { accountOf, type SessionState } from "../session/state.ts";
import { estimateSize } from "../session/tokenAccount.ts";
import type { LiveSession } from "./liveSession.ts";

/** Letters of an item that is opened. */
const OPENED_LETTERS = 8_000;

type Result<V> = { ok: true; value: V } | { ok: false; message: string };

export interface ContextView {
	items(): ContextItems;
	/** The text of an item by its `ref`, its middle left out where it is very long. */
	open(ref: string): Result<string>;
	/** Holds from the next request on, also while a turn runs. Resolves with the tokens that a mask hides or shows. */
	change(itemId: string, change: ItemChange): Promise<Result<{ tokens: number }>>;
}

/** The view of one session; `contextFor` gives what its next turn would work with. */
export function createContextView(
	session: LiveSession,
	contextFor: (signal: AbortSignal) => TurnContext,
): ContextView {
	const listed = (): Listed => {
		const context = contextFor(new AbortController().signal);
		const { state } = session;
		const window = context.limits.contextWindow;
		const tools = toolSchemas(context.tools);
		return {
			state,
			request: assemble(state, { system: context.system, tools, contextWindow: window }),
			model: context.modelConfig,
			window,
			digest: context.world.digest,
		};
	};
	/** Tokens of the next request where the item is masked by a mark of so many, or not at all. */
	const nextTokens = (state: SessionState, itemId: string, mark: number | undefined): number => {
		const masked = new Map(state.masked);
		if (mark === undefined) masked.delete(itemId);
		else masked.set(itemId, mark);
		return requestTokens(contextFor(new AbortController().signal), { ...state, masked });
	};
	return {
		items() {
			const now = listed();
			const account = accountOf(now.state, now.model);
			return {
				items: listContext(now),
				tokens: estimateSize(account, sizeOfRequest(now.request)),
				usedTokens: now.state.contextTokens,
				usedEstimated: now.state.contextEstimated,
				contextWindow: now.window,
			};
		},
		open(ref) {
			const text = contextText(listed(), ref);
			return text === undefined
				? refuse(`There is no item ${ref}; /context all shows them.`)
				: { ok: true, value: truncateResult(text, OPENED_LETTERS) };
		},
		async change(itemId, change) {
			const item = itemOf(session.state.history, itemId);
			if (!item) return refuse("That item is no longer part of the conversation.");
			const isMask = change === "mask" || change === "unmask";
			if (isMask && item.text.trim() === "")
				return refuse("That message has no text of its own, only calls; mask their results.");
			const tokens = session.state.masked.get(itemId) ?? markedTokens(item);
			const masked = change === "mask";
			const command: Command = isMask
				? {
						...{ do: "maskItem", itemId, masked, tokens, by: "person" },
						contextTokens: nextTokens(session.state, itemId, masked ? tokens : undefined),
					}
				: { do: "pinItem", itemId, pinned: change === "pin", by: "person" };
			await session.save(() => session.record(command));
			return { ok: true, value: { tokens } };
		},
	};
}

function refuse(message: string): { ok: false; message: string } {
	return { ok: false, message };
}
