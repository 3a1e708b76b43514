// Questions of the screen itself, such as which session or which key: they look and are answered like those of the
// session, before which they stand, and never reach it.

import type { OpenPrompt } from "../rpc/protocol.ts";
import type { Clock } from "./clock.ts";
import type { PickerItem } from "./input/picker.ts";
import { meetPrompts, showList } from "./person.ts";
import { OWN_QUESTION } from "./personState.ts";
import type { Store } from "./store.ts";

export interface OwnQuestions {
	/** Asks with a text field, or with `options`; undefined where the person leaves it. */
	ask(
		question: string,
		wishes?: { options?: readonly string[]; secret?: boolean },
	): Promise<string | undefined>;
	/** Opens a list; undefined where nothing is taken. Another list closes it. */
	pick(title: string, items: readonly PickerItem[], query?: string): Promise<PickerItem | undefined>;
	/** The session's open questions. */
	meet(open: readonly OpenPrompt[]): void;
	/** Whether the answer was to a question of the screen; it is told then. */
	answer(callId: string, answer: string | undefined): boolean;
	/** The list is closed. */
	picked(item: PickerItem | undefined): void;
}

interface Asked {
	open: OpenPrompt;
	tell(answer: string | undefined): void;
}

/** Questions that are shown through `store`. */
export function createOwnQuestions(store: Store, clock: Clock): OwnQuestions {
	let made = 0;
	let asked: readonly Asked[] = [];
	let ofSession: readonly OpenPrompt[] = [];
	let tellPicked: (item: PickerItem | undefined) => void = () => undefined;

	const show = () => {
		const open = [...asked.map((one) => one.open), ...ofSession];
		store.setPerson(meetPrompts(store.person(), open, clock.now()));
		store.hear({ kind: "prompts", open });
	};
	return {
		ask(question, { options = [], secret = false } = {}) {
			const callId = `${OWN_QUESTION}${++made}`;
			const prompt = { callId, question, options: [...options], secret };
			return new Promise((resolve) => {
				asked = [...asked, { open: { kind: "question", prompt }, tell: resolve }];
				show();
			});
		},
		pick(title, items, query) {
			tellPicked(undefined);
			store.setPerson(showList(store.person(), title, items, query));
			return new Promise((resolve) => {
				tellPicked = resolve;
			});
		},
		meet(open) {
			ofSession = open;
			show();
		},
		answer(callId, answer) {
			const known = asked.find((one) => one.open.prompt.callId === callId);
			if (!known) return false;
			asked = asked.filter((one) => one !== known);
			show();
			known.tell(answer);
			return true;
		},
		picked(item) {
			const tell = tellPicked;
			tellPicked = () => undefined;
			tell(item);
		},
	};
}
