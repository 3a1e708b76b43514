// What the screen shows now, outside of React: notifications and keys change it, and it says when to draw. What streams is
// drawn at most 12 times a second; keys, questions and what the person asked for at once.

import type { Notification } from "../rpc/protocol.ts";
import type { Clock } from "./clock.ts";
import type { PersonState } from "./personState.ts";
import { personInputView } from "./personView.ts";
import type { InputView } from "./view/inputView.ts";
import { reduceView, type UiEvent } from "./view/reduce.ts";
import type { ViewState } from "./view/state.ts";
import { hasRunningCall, waitingText } from "./view/waiting.ts";

/** What is drawn. Equal as long as nothing has to be drawn anew. */
export interface Shown {
	view: ViewState;
	input: InputView;
}

export interface Store {
	/** What is to be drawn. */
	shown(): Shown;
	/** Calls `draw` each time that `shown` is another; the returned function stops that. */
	subscribe(draw: () => void): () => void;
	/** The view of this moment, drawn or not. */
	view(): ViewState;
	person(): PersonState;
	/** Something of the session. */
	hear(notification: Notification): void;
	/** Something that the person or the screen itself wants; drawn at once. */
	change(event: UiEvent): void;
	/** The person's side after a key; drawn at once. */
	setPerson(person: PersonState): void;
	/** Nothing is drawn until `resume`. */
	pause(): void;
	resume(): void;
	/** Ends its timers; nothing is drawn any more. */
	stop(): void;
}

/** A frame costs some milliseconds whatever is in it: 12 a second still look smooth. */
const FRAME_MS = 80;
/** Notices go by seconds. The seconds of a wait are told without a gap; what turns beside a call does so faster. */
const TICK_MS = 1000;
const WAIT_TICK_MS = 500;
const CALL_TICK_MS = 250;

/** A store that begins with these. */
export function createStore(firstView: ViewState, firstPerson: PersonState, clock: Clock): Store {
	let view = firstView;
	let person = firstPerson;
	let shown: Shown = { view, input: personInputView(person, view) };
	let drawnAt = 0;
	let isPaused = false;
	let stopFrame: (() => void) | undefined;
	let stopTick: (() => void) | undefined;
	const listeners = new Set<() => void>();

	const apply = (event: Notification | UiEvent) => {
		view = reduceView(view, event, clock.now());
	};
	const draw = () => {
		stopFrame?.();
		stopFrame = undefined;
		if (isPaused) return;
		apply({ kind: "flush" });
		drawnAt = clock.now();
		shown = { view, input: personInputView(person, view) };
		for (const listener of listeners) listener();
		const nextTick = tickAfter(view);
		if (!stopTick && nextTick !== undefined) stopTick = clock.after(nextTick, tick);
	};
	const tick = () => {
		stopTick = undefined;
		apply({ kind: "tick" });
		drawSoon();
	};
	const drawSoon = () => {
		stopFrame ??= clock.after(Math.max(0, drawnAt + FRAME_MS - clock.now()), draw);
	};

	return {
		shown: () => shown,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		view: () => view,
		person: () => person,
		hear(notification) {
			apply(notification);
			if (notification.kind === "prompts") draw();
			else drawSoon();
		},
		change(event) {
			apply(event);
			draw();
		},
		setPerson(next) {
			if (next === person) return;
			person = next;
			draw();
		},
		pause() {
			isPaused = true;
		},
		resume() {
			isPaused = false;
			draw();
		},
		stop() {
			isPaused = true;
			stopFrame?.();
			stopTick?.();
			listeners.clear();
		},
	};
}

/** When what is shown changes with time alone, in milliseconds; undefined where it does not. */
function tickAfter(view: ViewState): number | undefined {
	if (waitingText(view)?.needsPerson === false) return hasRunningCall(view) ? CALL_TICK_MS : WAIT_TICK_MS;
	return view.notices.length > 0 ? TICK_MS : undefined;
}
