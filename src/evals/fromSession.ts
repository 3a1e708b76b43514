// Cases out of a recorded session: each turn becomes one, with the conversation before it and with tools that answer what
// they answered then. Pure; secrets have to be taken out of the commits before.

import { toModelMessages } from "../adapters/models/modelMessages.ts";
import { tools } from "../agent/tools/index.ts";
import { messageText } from "../session/attachments.ts";
import type { Commit } from "../session/events.ts";
import { reduce } from "../session/reduce.ts";
import { emptyState } from "../session/state.ts";
import type { EvalCase, MockToolConfig, MultiTurnEvalData, MultiTurnTarget } from "./types.ts";

/** Letters of a recorded answer that a case keeps. */
const KEPT_ANSWER = 4_000;
/** Offered in every case, whether they were called or not: else the right choice would be the only one. */
const ALWAYS_OFFERED = [
	"readFile",
	"listFiles",
	"findFiles",
	"searchFiles",
	"editFile",
	"writeFile",
	"runCommand",
];
const NOT_RECORDED = "(no answer of this tool was recorded in the session)";

type SessionCase = EvalCase<MultiTurnEvalData, MultiTurnTarget>;

interface OpenTurn {
	id: string;
	prompt: string;
	history: MultiTurnEvalData["messages"];
	plan: boolean;
	names: Map<string, string>;
	done: string[];
	denied: Set<string>;
	answers: Map<string, string[]>;
}

/**
 * A case for each completed turn of a session in which a tool was called, in order. What was called and ended well is
 * the expected order; what was denied and never done is forbidden. A person should read them before they count.
 */
export function casesFromSession(commits: readonly Commit[]): SessionCase[] {
	const cases: SessionCase[] = [];
	let state = emptyState();
	let turn: OpenTurn | undefined;
	for (const event of commits.flatMap((commit) => commit.events)) {
		if (event.type === "turn/start") {
			const entry = state.inbox.find(
				({ messageId }) => event.source.kind === "inbox" && event.source.messageIds.includes(messageId),
			);
			turn = {
				id: event.turnId,
				prompt: entry ? messageText(entry) : "",
				history: toModelMessages(state),
				plan: state.mode === "plan",
				names: new Map(),
				done: [],
				denied: new Set(),
				answers: new Map(),
			};
		} else if (event.type === "tool/call") turn?.names.set(event.callId, event.name);
		else if (event.type === "tool/result" && turn) addResult(turn, event);
		else if (event.type === "turn/end" && turn) {
			const isCase = event.status === "completed" && turn.prompt !== "" && turn.names.size > 0;
			if (isCase) cases.push(caseOf(turn, state.sessionId, state.title));
			turn = undefined;
		}
		state = reduce(state, event);
	}
	return cases;
}

function addResult(turn: OpenTurn, event: { callId: string; status: string; text: string }): void {
	const name = turn.names.get(event.callId) ?? "";
	if (event.status === "result") turn.done.push(name);
	if (event.status === "denied") turn.denied.add(name);
	else
		turn.answers.set(name, [
			...(turn.answers.get(name) ?? []),
			event.text.slice(0, KEPT_ANSWER) || "(no output)",
		]);
}

function caseOf(turn: OpenTurn, sessionId: string, title: string): SessionCase {
	const forbidden = [...turn.denied].filter((name) => !turn.done.includes(name));
	const isFirst = (turn.history ?? []).length === 0;
	const offered = [...new Set([...turn.names.values(), ...ALWAYS_OFFERED])];
	const mocks = offered.map((name): [string, MockToolConfig] => {
		const answers = turn.answers.get(name) ?? [NOT_RECORDED];
		const mockReturn = answers.length === 1 ? answers[0]! : answers;
		// A tool that agi does not bring has no description of its own here.
		return [
			name,
			Object.hasOwn(tools, name) ? { mockReturn } : { description: name, parameters: {}, mockReturn },
		];
	});
	return {
		id: `${sessionId}-${turn.id}`,
		purpose: `recorded: ${title.slice(0, 80) || turn.prompt.slice(0, 80)}`,
		data: {
			...(isFirst
				? { prompt: turn.prompt }
				: { messages: [...(turn.history ?? []), { role: "user", content: turn.prompt }] }),
			mockTools: Object.fromEntries(mocks),
			...(turn.plan ? { mode: "plan" as const } : {}),
		},
		target: {
			category: isFirst ? "task-completion" : "conversation-continuation",
			originalTask: turn.prompt,
			...(turn.done.length > 0 ? { expectedToolOrder: turn.done } : {}),
			...(forbidden.length > 0 ? { forbiddenTools: forbidden } : {}),
			...(turn.done.length + forbidden.length === 0
				? { rubric: "Does what was asked, or says plainly why it cannot be done." }
				: {}),
		},
	};
}
