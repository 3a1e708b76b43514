// The person's side as plain data: what is being typed, chosen and asked, what it must know of the rest, and what it asks
// of the rest. No decision is made here.

import type { ClientRequest, NamedSkill, OpenPrompt } from "../rpc/protocol.ts";
import type { Attachment } from "../session/events.ts";
import type { Mode } from "../types.ts";
import type { CompletionState } from "./input/completion.ts";
import type { DialogState } from "./input/dialog.ts";
import { createEditor, type EditorState } from "./input/editorState.ts";
import type { PickerItem, PickerState } from "./input/picker.ts";
import type { UiEvent } from "./view/reduce.ts";
import type { QueuedView } from "./view/state.ts";

/** A list over the prompt line that the program opened. */
export interface ListState {
	title: string;
	picker: PickerState;
	/** What is typed is also looked for elsewhere. */
	searches?: true;
}

export interface PersonState {
	editor: EditorState;
	/** Images that a message brought which was taken back into the prompt line. */
	carried: readonly Attachment[];
	completion: CompletionState | undefined;
	/** What can be started by its name beside the commands; undefined before a session is there. */
	skills: readonly NamedSkill[] | undefined;
	/** The open questions, oldest first. */
	prompts: readonly OpenPrompt[];
	/** How far the answer to the first of them is. */
	dialog: DialogState | undefined;
	/** The question that was answered last, until it is gone. */
	answered: string | undefined;
	list: ListState | undefined;
	/** The search in earlier messages. */
	search: PickerState | undefined;
	/** The queued message that the keys go to. */
	marked: string | undefined;
	/** The keys are shown. */
	help: boolean;
	/** A key that acts when it is pressed again before `untilMs`. */
	armed: { by: "exit" | "rewind"; untilMs: number } | undefined;
}

/** What the person's side must know of the rest at a key. */
export interface PersonFacts {
	/** Epoch milliseconds. */
	now: number;
	/** A turn or a command of the person runs. */
	working: boolean;
	mode: Mode;
	/** An answer in plan mode can be approved. */
	planWaits: boolean;
	/** A dead process left a turn that can go on, or one waits for an answer. */
	readonly unfinished: boolean;
	queue: readonly QueuedView[];
}

/** What a key asks of the rest. */
export type PersonEffect =
	/** `draft`: the text that must come back where the request is refused. */
	| { do: "send"; request: ClientRequest; draft?: string }
	/** `/name …` that was sent before the skills were known. */
	| { do: "sendNamed"; text: string }
	| { do: "show"; event: UiEvent }
	| { do: "command"; name: string; argument: string }
	/** The list that the program opened is closed; `item` absent: nothing was taken. */
	| { do: "picked"; item?: PickerItem }
	/** What is typed in the list is to be looked for elsewhere. */
	| { do: "searchList"; query: string }
	/** The palette asks for the files that fit. */
	| { do: "findFiles"; query: string }
	| { do: "recall"; message: QueuedView }
	| { do: "editDraft" }
	| { do: "editPlan" }
	/** The proposed text of the open question goes to the editor; `path` is the file that it is for. */
	| { do: "amend"; callId: string; text: string; path: string }
	| { do: "rewind" }
	/** An earlier session is to be chosen and copied, up to the end of that Step where one is named. */
	| { do: "forkEarlier"; afterStep?: string }
	| { do: "focus"; focused: boolean }
	| { do: "redraw" }
	| { do: "suspend" }
	| { do: "exit" };

/** The person's side after something, and what it asks of the rest, in order. */
export interface PersonStep {
	state: PersonState;
	effects: readonly PersonEffect[];
}

/** Questions of the program itself have such ids; nobody else hears their answers. */
export const OWN_QUESTION = "own:";

/** What stands in the empty prompt line before the session is there, and where nothing else is to be said. */
export const PLACEHOLDER = "Ask for anything · ? shows the keys";

/** Nothing typed; `width` columns for the text. */
export function createPerson(width: number): PersonState {
	return {
		editor: createEditor(width),
		carried: [],
		completion: undefined,
		skills: undefined,
		prompts: [],
		dialog: undefined,
		answered: undefined,
		list: undefined,
		search: undefined,
		marked: undefined,
		help: false,
		armed: undefined,
	};
}
