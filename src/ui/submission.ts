// What Enter makes of the prompt line: a message, a command, a shell command, a plain word, a new line. Pure.

import type { NamedSkill } from "../rpc/protocol.ts";
import { inlineImages } from "../session/attachments.ts";
import type { Attachment } from "../session/events.ts";
import { continuesLine, type Edit, editEditor, submitText } from "./input/editor.ts";
import { parseSubmission, unknownCommandText } from "./input/slashCommands.ts";
import type { PersonEffect, PersonFacts, PersonState, PersonStep } from "./personState.ts";

/** Sends what stands in the prompt line; while a turn works, for its next step or for the turn after it. */
export function submitDraft(
	state: PersonState,
	facts: PersonFacts,
	target: "next_step" | "next_turn",
): PersonStep {
	const { editor } = state;
	if (continuesLine(editor)) return edited(state, { type: "continueLine" });
	const text = submitText(editor);
	const submission = parseSubmission(text, facts.planWaits);
	const say = (words: string) => sent(state, ...message(words, text, facts, target, state.carried));
	switch (submission.kind) {
		case "empty":
			if (facts.working || !(facts.queue.length > 0 || facts.unfinished)) return { state, effects: [] };
			return {
				state,
				effects: [
					{ do: "show", event: { kind: "sent" } },
					{ do: "send", request: { do: "goOn" } },
				],
			};
		case "message":
			return say(submission.text);
		case "command":
			return sent(
				state,
				{ do: "show", event: { kind: "print", text: text.trim(), as: "command" } },
				{ do: "command", name: submission.name, argument: submission.argument },
			);
		case "unknownCommand":
			if (!state.skills) return sent(state, { do: "sendNamed", text });
			if (isNamed(state.skills, submission.typed)) return say(text.trim());
			return {
				state,
				effects: [{ do: "show", event: { kind: "notice", text: unknownCommandText(submission) } }],
			};
		case "shell":
			return sent(state, {
				do: "send",
				request: { do: "shell", command: submission.command },
				draft: text,
			});
		case "word":
			if (submission.word === "exit" || submission.word === "quit") return sent(state, { do: "exit" });
			if (submission.word === "e") return sent(state, { do: "editPlan" });
			if (facts.planWaits) return sent(state, { do: "command", name: "approve", argument: "" });
			return say(submission.text);
		default: {
			const other: never = submission;
			void other;
			return { state, effects: [] };
		}
	}
}

/** What becomes of `/name …` that was sent before the skills were known; a refusal where none has that name. */
export function submitNamed(
	text: string,
	skills: readonly NamedSkill[],
	facts: PersonFacts,
): { effects: PersonEffect[]; refusal?: string } {
	const submission = parseSubmission(text);
	const refused = submission.kind === "unknownCommand" && !isNamed(skills, submission.typed);
	if (refused) return { effects: [], refusal: unknownCommandText(submission) };
	return { effects: message(text.trim(), text, facts, "next_turn") };
}

function isNamed(skills: readonly NamedSkill[], typed: string): boolean {
	return skills.some(({ name }) => name === typed);
}

function message(
	text: string,
	draft: string,
	{ working }: PersonFacts,
	target: "next_step" | "next_turn",
	carried: readonly Attachment[] = [],
): PersonEffect[] {
	const images = inlineImages(text, carried);
	return [
		{ do: "show", event: { kind: "sent" } },
		{
			do: "send",
			request: {
				do: "submit",
				text,
				target: working ? target : "next_turn",
				...(draft.trim().startsWith("//") ? { startsSkills: false as const } : {}),
				...(images.length > 0 ? { images } : {}),
			},
			draft,
		},
	];
}

function sent(state: PersonState, ...effects: PersonEffect[]): PersonStep {
	return { ...edited({ ...state, carried: [] }, { type: "submitted" }), effects };
}

function edited(state: PersonState, edit: Edit): PersonStep {
	return { state: { ...state, editor: editEditor(state.editor, edit) }, effects: [] };
}
