// Questions of the screen itself, such as which session or which key: they look and are answered like those of the
// session, before which they stand, and never reach it.

import type { OpenPrompt } from "../rpc/protocol.ts";
import type { Clock } from "./clock.ts";
import type { PickerItem } from "./input/picker.ts";
import { meetFound, meetPrompts, showList } from "./person.ts";
import { OWN_QUESTION } from "./personState.ts";
import type { Store } from "./store.ts";

export interface OwnQuestions {
	/** Asks with a text field, or with `options`; undefined where the person leaves it. */
	ask(
		question: string,
		wishes?: { options?: readonly string[]; secret?: boolean },
	): Promise<string | undefined>;
	/**
	 * Opens a list; undefined where nothing is taken. Another list closes it. `search` looks for what is typed elsewhere,
	 * a moment after the last key.
	 */
	pick(
		title: string,
		items: readonly PickerItem[],
		wishes?: { query?: string; search?(query: string): Promise<PickerItem[]> },
	): Promise<PickerItem | undefined>;
	/** What is typed in the list is now `query`. */
	search(query: string): void;
	/** The session's open questions. */
	meet(open: readonly OpenPrompt[]): void;
	/** Whether the answer was to a question of the screen; it is told then. */
	answer(callId: string, answer: string | undefined): boolean;
	/** The list is closed. */
	picked(item: PickerItem | undefined): void;
}

/** How long nobody types before a list is searched elsewhere, in milliseconds, and from how many letters on. */
const TYPING_MS = 120;
const LEAST_LETTERS = 2;

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

	let find: ((query: string) => Promise<PickerItem[]>) | undefined;
	let stopSearch: () => void = () => undefined;

	const searchSoon = (query: string) => {
		stopSearch();
		const search = find;
		if (!search || query.trim().length < LEAST_LETTERS) return;
		stopSearch = clock.after(TYPING_MS, () => {
			search(query).then(
				(found) => store.setPerson(meetFound(store.person(), query, found)),
				// The list itself can still be chosen from.
				() => undefined,
			);
		});
	};
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
		pick(title, items, { query = "", search } = {}) {
			tellPicked(undefined);
			find = search;
			store.setPerson(showList(store.person(), title, items, { query, searches: search !== undefined }));
			searchSoon(query);
			return new Promise((resolve) => {
				tellPicked = resolve;
			});
		},
		search: searchSoon,
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
			stopSearch();
			tellPicked = () => undefined;
			tell(item);
		},
	};
}
