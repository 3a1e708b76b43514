// The one line that says what is waited for and since when, so that nobody sits before silence.

import { formatElapsed } from "./format.ts";
import type { CallView, ViewState } from "./state.ts";

/** Silence of the model that is worth telling, in milliseconds. */
const SILENCE_MS = 3000;

/** What is waited for, or undefined where nothing is. `needsPerson`: a spinner would lie. */
export function waitingText(view: ViewState): { text: string; needsPerson: boolean } | undefined {
	if (view.prompts.length > 0) {
		const more = view.prompts.length > 1 ? ` (1 of ${view.prompts.length})` : "";
		return { text: `waiting for your answer${more}`, needsPerson: true };
	}
	const text = machineText(view);
	return text === undefined ? undefined : { text, needsPerson: false };
}

/** Whether the screen shows without the waiting line that something goes on: a call that runs, or an answer that comes. */
export function showsProgress(view: ViewState): boolean {
	const { wait, stream, now } = view;
	if (hasRunningCall(view)) return true;
	if (wait?.for !== "model" || !stream.hasText || stream.callNamed !== undefined) return false;
	return stream.lastAt !== undefined && now - stream.lastAt < SILENCE_MS;
}

/** Whether a call runs now. */
export function hasRunningCall(view: ViewState): boolean {
	return view.calls.some(isRunning);
}

function isRunning(call: CallView): boolean {
	return call.phase === "running";
}

function machineText(view: ViewState): string | undefined {
	const { wait, stream, now } = view;
	const running = view.calls.filter(isRunning);
	if (running.length > 0) return runningText(running, now);
	if (wait?.for === "retry") {
		const left = Math.max(0, Math.ceil(((wait.untilMs ?? now) - now) / 1000));
		return wait.detail.replace(/ in \d+ s/, ` in ${left} s`);
	}
	if (wait?.for === "queue") return `queueing ${formatElapsed(now - wait.since)}`;
	if (wait?.for === "model") return modelText(view, wait.since);
	if (!view.busy) return undefined;
	return `${stream.callNamed ?? "working"} ${formatElapsed(now - view.turnSince)}`;
}

function modelText({ stream, now, turnSince }: ViewState, since: number): string {
	if (stream.lastAt === undefined) return `waiting for the model ${formatElapsed(now - since)}`;
	const silence = now - stream.lastAt;
	if (silence >= SILENCE_MS) return `no bytes for ${formatElapsed(silence)}`;
	if (stream.callNamed !== undefined) return `writing ${stream.callNamed} ${formatElapsed(now - since)}`;
	const isThinking = !stream.hasText && stream.reasoningSince !== undefined;
	return `${isThinking ? "thinking" : "answering"} ${formatElapsed(now - turnSince)}`;
}

function runningText(running: readonly CallView[], now: number): string {
	const first = running[0]!;
	const what = first.name === "runCommand" ? first.title : `${first.name} ${first.title}`.trim();
	const more = running.length > 1 ? ` and ${running.length - 1} more` : "";
	return `running ${what}${more} ${formatElapsed(now - first.since)}`;
}
