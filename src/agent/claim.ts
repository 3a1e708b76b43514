// Claiming work and giving it its end: the only ways in which a Turn or a Step begins and a Turn ends. Each is one
// decision of the session, and its events are part of one commit. Nothing is awaited between looking and recording.

import type { SessionWriter } from "../ports/session.ts";
import type { ModelConfig, TurnEndCode, TurnStatus } from "../session/events.ts";
import { next, sendableMessages } from "../session/next.ts";

/** How a Turn ends. */
export interface Ending {
	status: TurnStatus;
	code?: TurnEndCode;
	reason?: string;
}

/**
 * Opens a Turn for the first message that wakes one or, where `goOn` says so, for the work of an interrupted Turn or a
 * person's message that a Turn gave back. False where nothing of it waits. The events join the next flush.
 */
export function claimAndStartTurn(session: SessionWriter, { goOn }: { goOn: boolean }): boolean {
	const { state } = session;
	if (state.turn) return false;
	const isOwed = next(state).do === "startTurn";
	if (!isOwed && !(goOn && (state.continuation || sendableMessages(state).length > 0))) return false;
	session.record({ do: "startTurn" });
	return true;
}

/** Opens the next Step of the open Turn, with every message that waits for one. */
export function claimAndStartStep(session: SessionWriter, model: ModelConfig): void {
	session.record({ do: "startStep", model });
}

/**
 * Ends the open Turn, its Step first where one is open. False where there is none, and where it was to be completed but
 * a message came during its last answer: that opens the next Step of the same Turn.
 */
export function settleTurnIfQuiescent(session: SessionWriter, ending: Ending): boolean {
	const { state } = session;
	if (!state.turn) return false;
	if (ending.status === "completed" && next(state).do !== "endTurn") return false;
	if (state.step) session.record({ do: "endStep", outcome: "cancelled" });
	session.record({ do: "endTurn", ...ending });
	return true;
}
