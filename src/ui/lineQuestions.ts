// The questions of commands where lines alone are read: printed with numbers, answered by the next line. One is open at a
// time; the others wait behind it. They never reach the session.

import type { OwnQuestions } from "./ownQuestions.ts";

/** Questions whose answers are lines. */
export interface LineQuestions extends Pick<OwnQuestions, "ask" | "pick"> {
	/** Whether the next line is an answer. */
	isOpen(): boolean;
	/** Takes a line for the open question. */
	answer(line: string): void;
	/** Leaves the open question without an answer; false where none is open. */
	leave(): boolean;
}

/** Rows of a list; more are found by their words. */
const MAX_ROWS = 20;
const LEAVE = "an empty line leaves it";

interface Asked {
	text: string;
	tell(line: string | undefined): void;
}

/** Questions that are shown through `ask`, a whole text each. */
export function createLineQuestions(ask: (text: string) => void): LineQuestions {
	let asked: readonly Asked[] = [];
	/** The next line; undefined where it is empty or the question was left. */
	const read = (text: string) =>
		new Promise<string | undefined>((tell) => {
			asked = [...asked, { text, tell }];
			if (asked.length === 1) ask(text);
		});
	const end = (line: string | undefined) => {
		const [first, ...rest] = asked;
		asked = rest;
		first?.tell(line === "" ? undefined : line);
		if (rest[0]) ask(rest[0].text);
		return first !== undefined;
	};
	return {
		async ask(question, { options = [] } = {}) {
			if (options.length === 0) return read(`${question} (${LEAVE})`);
			const text = [question, ...numbered(options)].join("\n");
			for (let hint = LEAVE; ; hint = `Say a number from 1 to ${options.length}; ${LEAVE}`) {
				const line = await read(`${text}\n  (${hint})`);
				const option = line === undefined ? undefined : (options[Number(line) - 1] ?? line);
				if (option === undefined || options.includes(option)) return option;
			}
		},
		async pick(title, items, { query = "", search } = {}) {
			const look = async (words: string) => {
				const near = items.filter((item) => holds(`${item.label} ${item.detail ?? ""}`, words));
				return near.length > 0 || !search ? near : search(words);
			};
			let words = query.trim();
			for (;;) {
				const near = words === "" ? items : await look(words);
				const found = (near.length > 0 ? near : items).slice(0, MAX_ROWS);
				const rows = found.map(({ label, detail }) => (detail ? `${label}  ${detail}` : label));
				const none = near.length === 0 ? [`  Nothing fits "${words}".`] : [];
				const more = items.length > found.length ? `, or words of another of the ${items.length}` : "";
				const hint = `  (a number${more}; ${LEAVE})`;
				const line = await read([`${title}:`, ...numbered(rows), ...none, hint].join("\n"));
				if (line === undefined) return undefined;
				const item = found[Number(line) - 1];
				if (item) return item;
				words = line;
			}
		},
		isOpen: () => asked.length > 0,
		answer: (line) => void end(line),
		leave: () => end(undefined),
	};
}

function numbered(texts: readonly string[]): string[] {
	return texts.map((text, i) => `  ${i + 1}. ${text}`);
}

function holds(text: string, words: string): boolean {
	const whole = text.toLowerCase();
	return words
		.toLowerCase()
		.split(/\s+/)
		.every((word) => whole.includes(word));
}
