// What Enter makes of the prompt line: a message, a command, a shell command, a plain word, a new line. Pure.

import { continuesLine, type Edit, editEditor, submitText } from "./input/editor.ts";
import { parseSubmission } from "./input/slashCommands.ts";
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
	switch (submission.kind) {
		case "empty":
			if (facts.working || !facts.unfinished) return { state, effects: [] };
			return {
				state,
				effects: [
					{ do: "show", event: { kind: "sent" } },
					{ do: "send", request: { do: "goOn" } },
				],
			};
		case "message":
			return sent(state, ...message(submission.text, text, facts, target));
		case "command":
			return sent(
				state,
				{ do: "show", event: { kind: "print", text: text.trim(), as: "command" } },
				{ do: "command", name: submission.name, argument: submission.argument },
			);
		case "unknownCommand":
			if (state.skills.some(({ name }) => name === submission.typed))
				return sent(state, ...message(text.trim(), text, facts, target));
			return { state, effects: [{ do: "show", event: { kind: "notice", text: unknown(submission) } }] };
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
			return sent(state, ...message(submission.text, text, facts, target));
		default: {
			const other: never = submission;
			void other;
			return { state, effects: [] };
		}
	}
}

function message(
	text: string,
	draft: string,
	{ working }: PersonFacts,
	target: "next_step" | "next_turn",
): PersonEffect[] {
	return [
		{ do: "show", event: { kind: "sent" } },
		{
			do: "send",
			request: {
				do: "submit",
				text,
				target: working ? target : "next_turn",
				...(draft.trim().startsWith("//") ? { startsSkills: false as const } : {}),
			},
			draft,
		},
	];
}

function unknown({ typed, suggestions }: { typed: string; suggestions: string[] }): string {
	const near = suggestions.map((name) => `/${name}`).join(" or ");
	return near === ""
		? `There is no command /${typed}. /help shows all of them.`
		: `There is no command /${typed}. Did you mean ${near}?`;
}

function sent(state: PersonState, ...effects: PersonEffect[]): PersonStep {
	return { ...edited(state, { type: "submitted" }), effects };
}

function edited(state: PersonState, edit: Edit): PersonStep {
	return { state: { ...state, editor: editEditor(state.editor, edit) }, effects: [] };
}
