// The questions that wait for a person: approvals and the model's own. Pure; times are passed in. It guards consent: no
// key that was meant for the prompt line answers, no paste answers, and nothing answers in the first half second.

import type { ClientRequest, OpenPrompt } from "../../rpc/protocol.ts";
import type { ApprovalPrompt, PersonPrompt } from "../../session/live.ts";
import { visibleText } from "../visibleText.ts";
import { type Edit, editEditor, submitText } from "./editor.ts";
import { createEditor, type EditorState } from "./editorState.ts";
import {
	amendProposal,
	hasParts,
	markHunk,
	openReview,
	type Review,
	revisionOf,
	toggleHunk,
} from "./review.ts";

/** How long a dialog is on screen, with the keys, before one of them may answer it: 500 ms. */
export const DIALOG_GRACE_MS = 500;

type Choice = "yes" | "yes_session" | "yes_always" | "words" | { answer: string };

/** An option as it is drawn. */
export interface DialogOption {
	label: string;
	choice: Choice;
}

export interface DialogState {
	open: OpenPrompt;
	options: readonly DialogOption[];
	selected: number;
	/** The text field: what to do instead, or a free answer. */
	field: EditorState;
	/** The field has the keys, not the options. */
	isTyping: boolean;
	/** The field's text must not be shown. */
	isSecret: boolean;
	/** No is marked at first, and Yes is answered only by marking it and then Enter. */
	isGuarded: boolean;
	/** Since when it has the keys (ms); undefined while a draft in the prompt line has them. */
	focusedAt: number | undefined;
	/** Of an approval: what was made of a proposed write so far. */
	review?: Review;
	/** The person asked for it with Tab: a draft no longer takes the keys. */
	isClaimed: boolean;
}

/** What may be asked of a dialog; a part of `UiAction`. */
export type DialogAction =
	| { do: "move"; by: number }
	| { do: "mark"; yes: boolean }
	| { do: "choose"; index: number }
	| { do: "markPart"; by: number }
	| { do: "togglePart" }
	| { do: "accept" }
	| { do: "cancel" }
	/** For the text field; without one, for the prompt line. */
	| { do: "edit"; edit: Edit };

/** The dialog after an action; the request that answers it, if it does; what belongs to the prompt line, if anything. */
export interface DialogStep {
	state: DialogState;
	request?: ClientRequest;
	draft?: Edit;
}

/** Tools whose effect leaves this machine: their Yes is never preselected. */
const NETWORK_TOOLS = ["webFetch", "webSearch"];

/** The dialog for a question that is shown from `now` on; `hasDraft`: the prompt line is not empty. */
export function openDialog(open: OpenPrompt, hasDraft: boolean, now: number): DialogState {
	const isApproval = open.kind === "approval";
	const isGuarded = isApproval && needsMark(open.prompt);
	const options = isApproval ? approvalOptions(open.prompt) : answerOptions(open.prompt);
	return {
		open,
		options,
		selected: isGuarded ? options.length - 1 : 0,
		field: createEditor(),
		isTyping: options.length === 0,
		isSecret: !isApproval && open.prompt.secret,
		isGuarded,
		...(isApproval ? { review: openReview(open.prompt) } : {}),
		focusedAt: hasDraft ? undefined : now,
		isClaimed: false,
	};
}

/** What a yes must be marked for first: it leaves this machine or the sandbox, or is asked about every time. */
function needsMark({ grantable, guarded, toolName }: ApprovalPrompt): boolean {
	return guarded === true || !grantable || NETWORK_TOOLS.includes(toolName);
}

/** A yes-or-no question whose yes must be marked and then confirmed; No is the first option and marked. */
export function openGuarded(open: OpenPrompt, hasDraft: boolean, now: number): DialogState {
	const dialog = openDialog(open, hasDraft, now);
	const options = dialog.options.filter(({ choice }) => choice !== "words");
	return { ...dialog, options, selected: 0, isGuarded: true };
}

/** Call after each change of the prompt line: a draft takes the keys, an empty line gives them back. */
export function followDraft(state: DialogState, hasDraft: boolean, now: number): DialogState {
	if (state.isClaimed) return state;
	if (hasDraft) return state.focusedAt === undefined ? state : { ...state, focusedAt: undefined };
	return state.focusedAt === undefined ? { ...state, focusedAt: now } : state;
}

/** Tab: the dialog takes the keys, the draft stays where it is. */
export function claimDialog(state: DialogState, now: number): DialogState {
	return { ...state, isClaimed: true, focusedAt: state.focusedAt ?? now };
}

/** Whether keys go to the dialog now. Before, they belong to the prompt line, where nothing is lost and none answers. */
export function dialogTakesKeys(state: DialogState, now: number): boolean {
	return state.focusedAt !== undefined && now - state.focusedAt >= DIALOG_GRACE_MS;
}

/** What to tell the person below the dialog. */
export function dialogHint(state: DialogState): string {
	if (state.focusedAt === undefined) return "finish or clear your draft first, or Tab to answer";
	if (state.open.kind === "question" && state.isGuarded)
		return "y and then Enter says yes · Enter or Esc = No";
	if (state.open.kind === "question")
		return state.isTyping
			? "Enter answers · Esc gives no answer"
			: "arrows and Enter, or a digit · Esc gives no answer";
	if (state.isTyping) return "Enter sends No with your words (without any, just No) · Esc goes back";
	const answers = state.isGuarded ? "y and then Enter allows it once" : "arrows and Enter, or a digit";
	return [...reviewHints(state.review), answers, "Esc = No"].join(" · ");
}

function reviewHints(review: Review | undefined): string[] {
	if (!review) return [];
	const isRefused = review.refused.includes(review.marked);
	const parts = hasParts(review)
		? ["Tab: next part", `Space: ${isRefused ? "take it again" : "refuse it"}`]
		: [];
	return review.proposal === undefined ? parts : [...parts, "e: edit"];
}

/** The dialog with another text than the proposed one. Its keys wait anew: the editor's last ones must not answer. */
export function amendDialog(state: DialogState, text: string, now: number): DialogState {
	if (!state.review) return state;
	const amended = reviewed(state, amendProposal(state.review, text));
	return { ...amended, focusedAt: state.focusedAt === undefined ? undefined : now };
}

/** What was revised is accepted this once: a lasting yes would hold for what was refused. */
function reviewed(state: DialogState, review: Review): DialogState {
	if (state.open.kind !== "approval") return state;
	const all = approvalOptions(state.open.prompt);
	const revision = revisionOf(review);
	if (!revision)
		return { ...state, review, options: all, selected: Math.min(state.selected, all.length - 1) };
	const label =
		"amended" in revision
			? "Yes, write my text instead"
			: `Yes, write ${revision.hunks.length} of its ${review.hunks} parts`;
	const options = [{ label, choice: "yes" as const }, ...all.filter(({ choice }) => choice === "words")];
	return { ...state, review, options, selected: state.isGuarded ? options.length - 1 : 0 };
}

/** Carries `action` out at `now`. Nothing happens while the dialog does not take keys. */
export function updateDialog(state: DialogState, action: DialogAction, now: number): DialogStep {
	if (!dialogTakesKeys(state, now)) return { state };
	switch (action.do) {
		case "edit":
			if (state.isTyping) return { state: { ...state, field: editEditor(state.field, action.edit) } };
			return { state: { ...state, isClaimed: false, focusedAt: undefined }, draft: action.edit };
		case "cancel":
			return cancel(state);
		case "accept":
			return state.isTyping ? answerField(state) : choose(state, state.selected);
		case "move":
			return { state: state.isTyping ? state : select(state, state.selected + action.by) };
		case "mark":
			return { state: mark(state, action.yes) };
		case "markPart":
		case "togglePart": {
			if (!state.review || state.isTyping) return { state };
			const next = action.do === "markPart" ? markHunk(state.review, action.by) : toggleHunk(state.review);
			return { state: action.do === "markPart" ? { ...state, review: next } : reviewed(state, next) };
		}
		case "choose":
			if (state.isTyping || !state.options[action.index]) return { state };
			return state.isGuarded ? { state: select(state, action.index) } : choose(state, action.index);
	}
}

function approvalOptions({ grantable, offer }: ApprovalPrompt): DialogOption[] {
	const session: DialogOption = {
		label: `Yes, and do not ask again this session for ${offer ? visibleText(offer.label) : "exactly this"}`,
		choice: "yes_session",
	};
	const always: DialogOption[] = offer
		? [{ label: `Yes, and never ask again for ${visibleText(offer.label)}`, choice: "yes_always" }]
		: [];
	return [
		{ label: "Yes", choice: "yes" },
		...(grantable ? [session, ...always] : []),
		{ label: "No, and tell agi what to do instead", choice: "words" },
	];
}

/** A question without options is a text field alone; one that takes only its options has no field. */
function answerOptions({ options, freeText }: PersonPrompt): DialogOption[] {
	if (options.length === 0) return [];
	const given = options.map((answer): DialogOption => ({ label: answer, choice: { answer } }));
	return freeText === false ? given : [...given, { label: "Something else", choice: "words" }];
}

function select(state: DialogState, index: number): DialogState {
	return { ...state, selected: Math.min(Math.max(index, 0), state.options.length - 1) };
}

function mark(state: DialogState, yes: boolean): DialogState {
	if (state.isTyping || (state.open.kind === "question" && !state.isGuarded)) return state;
	const isFirst = yes === (state.open.kind === "approval");
	return select(state, isFirst ? 0 : state.options.length - 1);
}

function choose(state: DialogState, index: number): DialogStep {
	const choice = state.options[index]?.choice;
	if (choice === undefined) return { state };
	if (choice === "words") return { state: { ...state, selected: index, isTyping: true } };
	if (typeof choice === "string") return approve(state, choice);
	return answer(state, choice.answer);
}

/** Escape: from the field back to the options, from the options No, or no answer at all to a question. */
function cancel(state: DialogState): DialogStep {
	if (state.isTyping && state.options.length > 0) return { state: { ...state, isTyping: false } };
	return state.open.kind === "approval" ? approve(state, "no") : answer(state, undefined);
}

function answerField(state: DialogState): DialogStep {
	const words = submitText(state.field);
	if (state.open.kind === "approval") return approve(state, "no", words.trim());
	return words.trim() === "" ? { state } : answer(state, words);
}

function approve(
	state: DialogState,
	given: "yes" | "yes_session" | "yes_always" | "no",
	words = "",
): DialogStep {
	const { callId } = state.open.prompt;
	return {
		state,
		request: {
			do: "answerApproval",
			callId,
			answer: given,
			...(words === "" ? {} : { words }),
			...(given === "no" || !state.review ? {} : revisionOf(state.review)),
		},
	};
}

function answer(state: DialogState, given: string | undefined): DialogStep {
	const { callId } = state.open.prompt;
	return {
		state,
		request: { do: "answerQuestion", callId, ...(given === undefined ? {} : { answer: given }) },
	};
}
