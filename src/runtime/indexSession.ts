// What of a session goes into the index: its line in the list, and its texts cut to a length that keeps the index small.
// Pure. Texts stand as they are in the log, which is redacted.

import type { IndexedText, TextKind } from "../ports/sessionIndex.ts";
import type { SessionSummary } from "../ports/sessionLog.ts";
import type { Commit, SeedMessage, SessionEvent } from "../session/events.ts";
import { reduceAll } from "../session/reduce.ts";

/** Letters that are kept of what people and models say, and of what goes into and comes out of tools. */
const MOST_SAID = 100_000;
const MOST_OF_TOOL = 2_000;

/** What the index keeps of a log's commits; nothing where they hold no session. */
export function indexSession(commits: readonly Commit[]): {
	summary?: SessionSummary;
	parent?: string;
	taint?: string;
	texts: IndexedText[];
} {
	const events = commits.flatMap((commit) => commit.events);
	const created = events.find((event) => event.type === "session/created");
	const [first, last] = [commits[0], commits.at(-1)];
	if (!created || !first || !last) return { texts: [] };
	const { title, cwd, made, taint } = reduceAll(events);
	const model = events.findLast((event) => event.type === "step/start")?.model.model ?? "";
	const summary: SessionSummary = {
		id: created.sessionId,
		title,
		cwd,
		created: first.at,
		updated: last.at,
		turns: made.turn,
		model,
	};
	return {
		summary,
		...(created.parent && { parent: created.parent.sessionId }),
		...(taint[0] === undefined ? {} : { taint: taint[0] }),
		texts: textsOf(events),
	};
}

function textsOf(events: readonly SessionEvent[]): IndexedText[] {
	const texts: IndexedText[] = [];
	let turns = 0;
	let isOpen = false;
	let reply = "";
	const add = (kind: TextKind, text: string, most: number) => {
		if (text.trim() === "") return;
		// What is said between two turns is answered in the next one.
		const turn = isOpen || kind !== "user" ? turns : turns + 1;
		texts.push({ turn, kind, text: text.slice(0, most) });
	};
	for (const event of events) {
		switch (event.type) {
			case "session/created":
				for (const message of event.seed ?? []) texts.push(...seedTexts(message));
				break;
			case "session/renamed":
				add("title", event.title, MOST_SAID);
				break;
			case "user/message":
				add("user", event.text, MOST_SAID);
				break;
			case "turn/start":
				turns++;
				isOpen = true;
				break;
			case "turn/end":
				isOpen = false;
				break;
			case "attempt/end":
				reply = event.text;
				break;
			case "assistant/accepted":
				add("answer", event.text ?? reply, MOST_SAID);
				break;
			case "tool/call":
				add("call", `${event.name} ${event.invalidArguments ?? JSON.stringify(event.args)}`, MOST_OF_TOOL);
				break;
			case "tool/result":
				add("result", event.text, MOST_OF_TOOL);
				break;
			case "question/asked":
				add("question", event.question, MOST_SAID);
				break;
			case "question/answered":
				add("user", event.answer, MOST_SAID);
				break;
			default:
		}
	}
	return texts;
}

function seedTexts(message: SeedMessage): IndexedText[] {
	const kind = message.role === "user" ? "user" : message.role === "tool" ? "result" : "answer";
	const text = message.text.slice(0, message.role === "tool" ? MOST_OF_TOOL : MOST_SAID);
	return text.trim() === "" ? [] : [{ turn: 0, kind, text }];
}
