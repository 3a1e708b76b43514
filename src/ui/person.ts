// The person's side: what is being typed, chosen and asked, and what a key makes of it. Pure: it says what is to be done
// and never does it. It is light, because the first frame runs it before anything else is loaded.

import type { ClientRequest, OpenPrompt } from "../rpc/protocol.ts";
import type { Mode } from "../types.ts";
import {
	acceptCompletion,
	dismissCompletion,
	isCompletionOpen,
	type Mentionable,
	moveCompletion,
	trackCompletion,
	withFiles,
} from "./input/completion.ts";
import {
	amendDialog,
	claimDialog,
	type DialogAction,
	type DialogState,
	dialogTakesKeys,
	followDraft,
	openDialog,
	openGuarded,
	updateDialog,
} from "./input/dialog.ts";
import { type Edit, editEditor } from "./input/editor.ts";
import { createEditor } from "./input/editorState.ts";
import { openHistorySearch } from "./input/historySearch.ts";
import type { Key } from "./input/key.ts";
import { actionFor, type Focus, type UiAction } from "./input/keymap.ts";
import { openPicker, type PickerAction, type PickerItem, updatePicker, withFound } from "./input/picker.ts";
import { hasParts } from "./input/review.ts";
import {
	OWN_QUESTION,
	type PersonEffect,
	type PersonFacts,
	type PersonState,
	type PersonStep,
} from "./personState.ts";
import { actOnQueue, followQueue, moveMark } from "./queueKeys.ts";
import { submitDraft } from "./submission.ts";
import type { UiEvent } from "./view/reduce.ts";

/** How long a second press counts, in milliseconds. */
const ARMED_MS = { exit: 2_000, rewind: 600 };

const NEXT_MODE: Record<Mode, Mode> = {
	default: "acceptEdits",
	acceptEdits: "plan",
	plan: "default",
	bypassPermissions: "default",
};

/** Carries one key out. */
export function pressKey(given: PersonState, key: Key, facts: PersonFacts): PersonStep {
	const state = followQueue(given, facts.queue);
	// A key for a message that has just left must not act on another, nor slip into the prompt line.
	if (state !== given && key.name !== "focusIn" && key.name !== "focusOut")
		return follow(given, notice(state, "That message is with the model by now."), facts.now);
	const focus = focusOf(state, facts.now);
	const context = {
		focus,
		working: facts.working,
		empty: state.editor.text === "",
		asks: state.dialog !== undefined,
		...reviewFocus(state.dialog),
	};
	const action = actionFor(key, context);
	if (!action) return { state, effects: [] };
	const isSeen = action.do === "focus" || action.do === "redraw";
	const shown = isSeen || !state.help ? state : { ...state, help: false };
	// A key that closes the help does nothing else where it was meant for that.
	if (shown !== state && (action.do === "cancel" || action.do === "showKeys"))
		return { state: shown, effects: [] };
	return follow(state, perform(shown, action, focus, facts), facts.now);
}

/** Takes the open questions over; the first one gets a dialog. */
export function meetPrompts(state: PersonState, prompts: readonly OpenPrompt[], now: number): PersonState {
	const first = prompts[0];
	const met = { ...state, prompts };
	if (!first) return { ...met, dialog: undefined, answered: undefined };
	const { callId } = first.prompt;
	if (callId === state.dialog?.open.prompt.callId) return met;
	if (callId === state.answered) return { ...met, dialog: undefined };
	return { ...met, dialog: dialogFor(state, first, now), answered: undefined };
}

/** Asks for a yes that no key may slip into: the first answer means no, the second yes. */
export function askGuarded(state: PersonState, open: OpenPrompt, now: number): PersonState {
	return { ...state, prompts: [open], dialog: openGuarded(open, isElsewhere(state), now) };
}

/** Another text than the one that question `callId` proposed; nothing where it is no longer open. */
export function meetAmended(state: PersonState, callId: string, text: string, now: number): PersonState {
	const { dialog } = state;
	if (dialog?.open.prompt.callId !== callId) return state;
	return { ...state, dialog: amendDialog(dialog, text, now) };
}

/** Opens a list over the prompt line. */
export function showList(
	state: PersonState,
	title: string,
	items: readonly PickerItem[],
	{ query = "", searches = false }: { query?: string; searches?: boolean } = {},
): PersonState {
	const list = { title, picker: openPicker(items, query), ...(searches ? { searches } : {}) };
	return { ...state, list, help: false };
}

/** The list with what was found elsewhere for `query`. */
export function meetFound(state: PersonState, query: string, found: readonly PickerItem[]): PersonState {
	const { list } = state;
	return list?.searches
		? { ...state, list: { ...list, picker: withFound(list.picker, query, found) } }
		: state;
}

/** The prompt line after an edit that no key made: a history that was loaded, a draft that comes back, a new width. */
export function changeDraft(state: PersonState, edit: Edit, now: number): PersonState {
	return follow(state, editDraft(state, edit), now).state;
}

/** The palette with what was found for `query`. */
export function meetFiles(state: PersonState, query: string, paths: readonly Mentionable[]): PersonState {
	const { completion } = state;
	return completion ? { ...state, completion: withFiles(completion, query, paths) } : state;
}

/** Who has the keys now. */
export function focusOf(state: PersonState, now: number): Focus {
	if (state.list) return "picker";
	if (state.search) return "historySearch";
	if (state.marked !== undefined) return "queue";
	if (state.dialog && dialogTakesKeys(state.dialog, now)) return state.dialog.isTyping ? "field" : "choice";
	return isCompletionOpen(state.completion) ? "completion" : "editor";
}

function perform(state: PersonState, action: UiAction, focus: Focus, facts: PersonFacts): PersonStep {
	switch (action.do) {
		case "edit":
			return edit(state, action.edit, focus, facts);
		case "submit":
			return submitDraft(state, facts, "next_step");
		case "queue":
			return submitDraft(state, facts, "next_turn");
		case "accept":
			return accept(state, action.send, focus, facts);
		case "move":
			return move(state, action.by, focus, facts);
		case "amend":
			return amend(state);
		case "choose":
		case "mark":
		case "markPart":
		case "togglePart":
			return answer(state, action, facts.now);
		case "cancel":
			return cancel(state, focus, facts.now);
		case "complete":
			return only({ ...state, completion: trackCompletion(undefined, state.editor, state.skills) });
		case "takeFocus":
			return only(state.dialog ? { ...state, dialog: claimDialog(state.dialog, facts.now) } : state);
		case "searchHistory":
			return only({ ...state, search: openHistorySearch(state.editor.history, state.editor.text) });
		case "clearOrExit":
			return clearOrExit(state, facts.now);
		case "interrupt":
			return interrupt(state);
		case "cycleMode":
			return { state, effects: [{ do: "send", request: { do: "changeMode", mode: NEXT_MODE[facts.mode] } }] };
		case "showKeys":
			return only({ ...state, help: true });
		case "recallQueued":
		case "markQueue":
		case "moveQueued":
		case "dropQueued":
			return actOnQueue(state, action, facts.queue);
		case "unfold":
		case "togglePlan":
			return { state, effects: [{ do: "show", event: { kind: action.do } }] };
		case "editExternally":
			return { state, effects: [{ do: "editDraft" }] };
		case "focus":
		case "redraw":
		case "suspend":
		case "exit":
			return { state, effects: [action] };
		default: {
			const unknown: never = action;
			void unknown;
			return only(state);
		}
	}
}

function only(state: PersonState): PersonStep {
	return { state, effects: [] };
}

function notice(state: PersonState, text: string, forMs?: number): PersonStep {
	const event: UiEvent = { kind: "notice", text, ...(forMs === undefined ? {} : { forMs }) };
	return { state, effects: [{ do: "show", event }] };
}

function edit(state: PersonState, change: Edit, focus: Focus, facts: PersonFacts): PersonStep {
	if (focus === "picker" || focus === "historySearch")
		return list(state, { do: "edit", edit: change }, focus);
	if (focus === "choice" || focus === "field") return answer(state, { do: "edit", edit: change }, facts.now);
	return editDraft(focus === "queue" ? { ...state, marked: undefined } : state, change);
}

function editDraft(state: PersonState, change: Edit): PersonStep {
	return only({ ...state, editor: editEditor(state.editor, change) });
}

function accept(state: PersonState, send: boolean, focus: Focus, facts: PersonFacts): PersonStep {
	if (focus === "picker" || focus === "historySearch") return list(state, { do: "accept" }, focus);
	if (focus === "choice" || focus === "field") return answer(state, { do: "accept" }, facts.now);
	const accepted = state.completion && acceptCompletion(state.completion);
	if (!accepted) return only(state);
	const taken = { ...state, editor: editEditor(state.editor, accepted.edit), completion: undefined };
	return send && accepted.isWhole ? submitDraft(taken, facts, "next_step") : only(taken);
}

function move(state: PersonState, by: number, focus: Focus, facts: PersonFacts): PersonStep {
	if (focus === "picker" || focus === "historySearch") return list(state, { do: "move", by }, focus);
	if (focus === "choice" || focus === "field") return answer(state, { do: "move", by }, facts.now);
	if (focus === "queue") return only(moveMark(state, by, facts.queue));
	return only(state.completion ? { ...state, completion: moveCompletion(state.completion, by) } : state);
}

function cancel(state: PersonState, focus: Focus, now: number): PersonStep {
	if (focus === "picker" || focus === "historySearch") return list(state, { do: "cancel" }, focus);
	if (focus === "choice" || focus === "field") return answer(state, { do: "cancel" }, now);
	if (focus === "queue") return only({ ...state, marked: undefined });
	if (focus === "completion" && state.completion)
		return only({ ...state, completion: dismissCompletion(state.completion) });
	if (state.editor.text !== "") return only(state);
	if (isArmed(state, "rewind", now))
		return { state: { ...state, armed: undefined }, effects: [{ do: "rewind" }] };
	return only({ ...state, armed: { by: "rewind", untilMs: now + ARMED_MS.rewind } });
}

/** A key for the list or the search that is open. */
function list(state: PersonState, action: PickerAction, focus: "picker" | "historySearch"): PersonStep {
	if (focus === "historySearch" && state.search) {
		const step = updatePicker(state.search, action);
		if (!step.closed) return only({ ...state, search: step.state });
		const closed = { ...state, search: undefined };
		return step.picked ? editDraft(closed, { type: "setText", text: step.picked.id }) : only(closed);
	}
	if (!state.list) return only(state);
	const step = updatePicker(state.list.picker, action);
	if (!step.closed) {
		const query = step.state.query.text;
		const isSearched = state.list.searches && query !== state.list.picker.query.text;
		return {
			state: { ...state, list: { ...state.list, picker: step.state } },
			effects: isSearched ? [{ do: "searchList", query }] : [],
		};
	}
	const effect: PersonEffect = { do: "picked", ...(step.picked ? { item: step.picked } : {}) };
	return { state: { ...state, list: undefined }, effects: [effect] };
}

/** A key for the dialog. What answers it closes it at once: a second key must not answer the next one. */
function answer(state: PersonState, action: DialogAction, now: number): PersonStep {
	if (!state.dialog) return only(state);
	const step = updateDialog(state.dialog, action, now);
	const next = { ...state, dialog: step.state };
	if (step.draft) return editDraft(next, step.draft);
	if (!step.request) return only(next);
	const [, ...waiting] = state.prompts;
	const answered = step.state.open.prompt.callId;
	const following = waiting[0] ? dialogFor(state, waiting[0], now) : undefined;
	return {
		state: { ...next, prompts: waiting, dialog: following, answered },
		effects: [{ do: "send", request: step.request }],
	};
}

/** What a change that is asked about lets keys do. */
function reviewFocus(dialog: DialogState | undefined): { parts: boolean; amends: boolean } {
	const review = dialog?.review;
	return { parts: review !== undefined && hasParts(review), amends: review?.proposal !== undefined };
}

function amend(state: PersonState): PersonStep {
	const { open, review } = state.dialog ?? {};
	const text = review?.amended ?? review?.proposal;
	if (open?.kind !== "approval" || text === undefined) return only(state);
	const { callId, args } = open.prompt;
	const path = typeof args["path"] === "string" ? args["path"] : "";
	return { state, effects: [{ do: "amend", callId, text, path }] };
}

/** Ctrl+C. A question of the program itself is dropped; nothing else waits for it. */
function interrupt(state: PersonState): PersonStep {
	const callId = state.dialog?.open.prompt.callId;
	const request: ClientRequest = callId?.startsWith(OWN_QUESTION)
		? { do: "answerQuestion", callId }
		: { do: "interrupt" };
	return { state, effects: [{ do: "send", request }] };
}

function clearOrExit(state: PersonState, now: number): PersonStep {
	if (state.editor.text !== "") {
		const cleared = { ...state, editor: editEditor(state.editor, { type: "clear" }) };
		return notice(cleared, "Cleared; Ctrl+_ brings it back.");
	}
	if (isArmed(state, "exit", now)) return { state, effects: [{ do: "exit" }] };
	const armed = { by: "exit" as const, untilMs: now + ARMED_MS.exit };
	return notice({ ...state, armed }, "Press Ctrl+C again to leave agi.", ARMED_MS.exit);
}

function isArmed(state: PersonState, by: "exit" | "rewind", now: number): boolean {
	return state.armed?.by === by && now <= state.armed.untilMs;
}

function dialogFor(state: PersonState, open: OpenPrompt, now: number): DialogState {
	// The person asked for the program's own questions: there is nothing to wait for.
	const isOwn = open.prompt.callId.startsWith(OWN_QUESTION);
	const dialog = openDialog(open, isElsewhere(state), isOwn ? 0 : now);
	const options = isOwn ? dialog.options.filter(({ choice }) => choice !== "words") : dialog.options;
	return { ...dialog, options, field: createEditor(state.editor.width) };
}

/** Something else than the dialog has the person's attention: keys must not slip from it into the dialog. */
function isElsewhere(state: PersonState): boolean {
	const { editor, list, search, marked } = state;
	return editor.text !== "" || list !== undefined || search !== undefined || marked !== undefined;
}

/** What every step brings with it: the palette follows the text, the dialog follows what else is open. */
function follow(before: PersonState, { state, effects }: PersonStep, now: number): PersonStep {
	const { editor, dialog } = state;
	const isMoved = editor !== before.editor;
	const isRecalled = editor.recalled >= 0 && editor.text === editor.history[editor.recalled];
	const completion = !isMoved
		? state.completion
		: isRecalled
			? undefined
			: trackCompletion(state.completion, editor, state.skills);
	const asksFiles =
		completion?.kind === "file" &&
		(before.completion?.kind !== "file" || before.completion.query !== completion.query);
	return {
		state: {
			...state,
			completion,
			dialog: dialog && followDraft(dialog, isElsewhere(state), now),
			armed: isMoved ? undefined : state.armed,
		},
		effects: asksFiles ? [...effects, { do: "findFiles", query: completion.query }] : effects,
	};
}
