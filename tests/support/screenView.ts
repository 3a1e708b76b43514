// A view and a person's side to draw, for tests of the screen.

import type { SessionGreeting } from "../../src/rpc/protocol.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { emptyState } from "../../src/session/state.ts";
import { layoutEditor } from "../../src/ui/input/layoutEditor.ts";
import { editorColumns } from "../../src/ui/view/editorWindow.ts";
import type { InputView } from "../../src/ui/view/inputView.ts";
import { openView, reduceView, type ViewEvent } from "../../src/ui/view/reduce.ts";
import type { Size, ViewState } from "../../src/ui/view/state.ts";
import { plainText } from "../../src/ui/view/style.ts";

export const WIDE: Size = { columns: 80, rows: 24 };

export function greetingOf(changes: Partial<SessionGreeting> = {}): SessionGreeting {
	return {
		sessionId: "session-1",
		cwd: "/home/person/project",
		model: "a-model",
		profile: "custom",
		contextWindow: 1000,
		priceKnown: true,
		offline: false,
		mode: "default",
		tools: [],
		version: "0.0.0",
		trusted: true,
		sandbox: { level: "full", network: false },
		skills: [],
		branch: "main",
		state: emptyState(),
		...changes,
	};
}

export function viewOf(size: Size = WIDE, changes: Partial<SessionGreeting> = {}): ViewState {
	return openView(greetingOf(changes), size, 0);
}

/** The view after all of `events`, at its own time. */
export function afterEvents(view: ViewState, ...events: ViewEvent[]): ViewState {
	return events.reduce((next, event) => reduceView(next, event, next.now), view);
}

export function facts(...events: SessionEvent[]): ViewEvent {
	return { kind: "facts", seq: 1, at: "2030-01-01T00:00:00.000Z", events };
}

export const text = (piece: string): ViewEvent => ({ kind: "live", delta: { type: "text", text: piece } });
export const flush: ViewEvent = { kind: "flush" };

export function attemptStart(attemptId = "attempt-1"): SessionEvent {
	return { type: "attempt/start", attemptId, stepId: "step-1", requestId: "request-1" };
}

export function attemptEnd(
	said: string,
	changes: Partial<SessionEvent & { type: "attempt/end" }> = {},
): SessionEvent {
	return {
		type: "attempt/end",
		attemptId: "attempt-1",
		outcome: "accepted",
		text: said,
		reasoning: "",
		calls: [],
		durationMs: 1,
		...changes,
	};
}

export function toolCall(name: string, args: Record<string, unknown>, callId = "call-1"): SessionEvent {
	return {
		type: "tool/call",
		callId,
		stepId: "step-1",
		name,
		args,
		toolVersion: 1,
		effects: "none",
		recovery: "none",
	};
}

export function toolResult(
	said: string,
	changes: Partial<SessionEvent & { type: "tool/result" }> = {},
): SessionEvent {
	return { type: "tool/result", callId: "call-1", status: "result", text: said, durationMs: 5, ...changes };
}

/** The transcript as lines without styles. */
export function transcript(view: ViewState): string[] {
	return view.blocks.flatMap((block) => block.lines.map(plainText));
}

/** The person's side with `typed` in the editor. */
export function inputOf(typed = "", size: Size = WIDE, changes: Partial<InputView> = {}): InputView {
	return {
		editor: layoutEditor(typed, typed.length, editorColumns(size.columns)),
		isEmpty: typed === "",
		placeholder: "Ask for anything",
		...changes,
	};
}
