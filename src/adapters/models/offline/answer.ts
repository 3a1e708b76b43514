// Decides what the offline model answers: the next tool call, or the closing words. A pure function of the request.
// Nothing is remembered between requests, and nothing but the person's own words is ever carried out.

import type { ModelRequest, PromptMessage } from "../../../ports/model.ts";
import { exactReply, type Imperative, parseImperatives } from "./imperatives.ts";
import { exactText, helpText, planText, readToolText, reportText, type Step } from "./report.ts";
import { speaker } from "./say.ts";

/** What to answer: text that ends the turn, or one call. */
export type Answer = { text: string } | { call: { tool: string; args: Record<string, unknown> } };

const NOTICE = /^\s*<agi_notice\b[^>]*>([\s\S]*?)(?:<\/agi_notice>|$)/;
/** Where the person's own words end and what they brought along begins. */
const ATTACHED = '\n\n<attachment kind="';
/** The person's own words, or what agi says for them when they approve a plan. */
const APPROVED =
	/^I approve this plan\b|^\s*(?:execute|carry out) the (?:approved )?plan[.!]?\s*$|^\s*执行(?:已)?(?:批准的)?计划[。！]?\s*$/i;
const PLANNING =
	/^\s*(?:please\s+)?(?:(?:(?:make|write|draft|give me)\s+a\s+)?plan\s+(?:for|to|how to)\s+|plan\s*[:：]\s*|how\s+(?:to|would you|do i|can i|should i|do we)\s+|(?:请?(?:制定|做)?(?:一个)?计划\s*[:：]|怎么|如何)\s*)/i;
const PLAN_ON = /\bplan mode\b|\bto ["'`]?plan\b|\bmode(?: is)?(?: now)?:? ["'`]?plan\b/i;
const PLAN_OFF =
	/plan mode (?:is |was |has been |has )?(?:now )?(?:off|over|left|ended|not\b|no longer)|(?:left|leaves?|leaving|ends?|ended|out of|no longer in|not in) plan mode|\b(?:to|now|is|mode:?) ["'`]?(?:default|acceptEdits|bypassPermissions)\b/i;
const MODIFYING = new Set(["writeFile", "editFile", "deleteFile", "runCommand", "memory"]);

/** Answers a request: the next imperative of the person's last words, or a report of what came of them. */
export function answer(request: ModelRequest): Answer {
	const talk = readConversation(request.messages);
	const exact = exactReply(talk.words);
	const say = speaker(talk.words + talk.task);
	if (exact !== undefined) return { text: exactText(say, exact) };
	const imperatives = parseImperatives(talk.task);
	if (!imperatives.some(({ kind }) => kind === "call")) return { text: helpText(say) };

	const steps: Step[] = talk.results.flatMap((text, index) => {
		const imperative = imperatives[index];
		return imperative?.kind === "call" ? [{ imperative, ...readToolText(imperative.tool, text) }] : [];
	});
	const next = imperatives[talk.results.length];
	if (steps.some(({ failed }) => failed))
		return { text: reportText(say, steps, { kind: "failed", left: imperatives.slice(talk.results.length) }) };
	if (next === undefined) return { text: reportText(say, steps) };
	if (next.kind === "unclear")
		return { text: reportText(say, steps, { kind: "unclear", words: next.words }) };
	if (talk.planMode && MODIFYING.has(next.tool)) {
		return { text: planText(say, steps, imperatives.slice(talk.results.length)) };
	}
	if (!request.tools.some(({ name }) => name === next.tool)) {
		return { text: reportText(say, steps, { kind: "notOffered", tool: next.tool, words: next.words }) };
	}
	return { call: { tool: next.tool, args: next.args } };
}

interface Conversation {
	/** The person's last words. */
	words: string;
	/** The words whose imperatives are to be carried out: the last ones, or those an approved plan was made from. */
	task: string;
	planMode: boolean;
	/** Texts of the tool results since the last words, in order. */
	results: string[];
}

function readConversation(messages: readonly PromptMessage[]): Conversation {
	const said: { words: string; at: number }[] = [];
	let planMode = false;
	for (const [at, message] of messages.entries()) {
		if (message.role !== "user") continue;
		let words = message.text.split(ATTACHED, 1)[0] ?? "";
		for (let notice = NOTICE.exec(words); notice !== null; notice = NOTICE.exec(words)) {
			words = words.slice(notice[0].length);
			planMode = planModeAfter(notice[1] ?? "", planMode);
		}
		if (words.trim() !== "") said.push({ words, at });
	}
	const last = said.at(-1) ?? { words: "", at: -1 };
	const results = messages
		.slice(last.at + 1)
		.flatMap((message) => (message.role === "tool" ? [message.text] : []));
	if (APPROVED.test(last.words)) {
		return { words: last.words, task: plannedTask(messages.slice(0, last.at), said), planMode, results };
	}
	const wish = last.words.replace(PLANNING, "");
	const task = planMode && modifies(parseImperatives(wish)) ? wish : last.words;
	return { words: last.words, task, planMode, results };
}

/** The last wish before the approval that was to change something and of which nothing has been done; "" for none. */
function plannedTask(messages: readonly PromptMessage[], said: { words: string; at: number }[]): string {
	const done = messages.findLastIndex(
		(message) =>
			message.role === "tool" &&
			MODIFYING.has(message.name) &&
			!readToolText(message.name, message.text).failed,
	);
	const open = said.filter(({ at }) => at > done && at < messages.length);
	const wishes = open.map(({ words }) => words.replace(PLANNING, ""));
	return wishes.findLast((wish) => modifies(parseImperatives(wish))) ?? "";
}

/** What a notice says of plan mode, by its first word on it; a notice on something else changes nothing. */
function planModeAfter(notice: string, before: boolean): boolean {
	const on = PLAN_ON.exec(notice)?.index ?? Number.POSITIVE_INFINITY;
	const off = PLAN_OFF.exec(notice)?.index ?? Number.POSITIVE_INFINITY;
	return on === off && on === Number.POSITIVE_INFINITY ? before : on < off;
}

function modifies(imperatives: Imperative[]): boolean {
	return imperatives.some((imperative) => imperative.kind === "call" && MODIFYING.has(imperative.tool));
}
