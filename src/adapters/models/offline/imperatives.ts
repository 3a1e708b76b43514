// Turns a person's words into imperatives: masks quotes, splits at "then" and its like, matches the grammar.
// Pure. Quoted text is never split and never read as an instruction; time stays bounded on any input.

import { RULES, type Rule, SLOTS } from "./grammar.ts";
import { QUOTE, type Slot } from "./slots.ts";

/** A tool call ready to make. `open`: it ends in text without quotes, to which words behind it may belong. */
export interface Call {
	kind: "call";
	tool: string;
	args: Record<string, unknown>;
	words: string;
	review?: true;
	open?: true;
}

/** One imperative: a tool call ready to make, or words that no form fits. `words` is what the person wrote. */
export type Imperative = Call | { kind: "unclear"; words: string };

interface Quote {
	inner: string;
	whole: string;
}

/** Longest text, quotes aside, that is matched as one imperative. */
const LONGEST_PIECE = 2000;
const LONGEST_MESSAGE = 50_000;

const QUOTED =
	/```[^\n`]*\n([\s\S]*?)```|`([^`]+)`|"([^"]*)"|“([^“”]*)”|「([^「」]*)」|(?<![A-Za-z0-9])'((?:[^'\n]|'(?=[A-Za-z0-9])){0,1000})'(?![A-Za-z0-9])/g;
const LEAD =
	/^(?:\s|[,，]|[-*•]\s|\d+[.)、]\s*|(?:please|kindly|okay|ok|hi|hello|hey|agi|now|firstly|first|secondly|second|thirdly|third|next|also|finally|lastly|just|and|then|can you|could you|would you|will you|i want you to|i'd like you to|let's)(?=[\s,:!]|$)[,:!]*|[：:]|请你?|帮我|帮忙|麻烦你?|首先|先|其次|接下来|之后|现在|最后|第[一二三四五六七八九]步|给我|你好|您好|能不能|你能|再(?!见))+/i;
const END = String.raw`(?:[\s,，]+(?:please|for me|thanks|thank you|谢谢))*(?:(?<=[^\s.])[.!?。！？]+)?\s*`;
const VERB = String.raw`(?:please\s+)?(?:list|read|show|open|cat|view|search|grep|find|create|write|replace|change|delete|remove|run|execute|fetch|review|tell|report|explain|summari[sz]e|let)\s`;
const VERB_ZH = "(?:列出|读|查看|打开|搜索|查找|创建|新建|删除|运行|执行)";
/** Begins an instruction in Chinese, or words about its result. */
const BEGIN_ZH = `(?:请)?(?:${VERB_ZH}|把|将|在|用|看|写|找|替换|抓取|记住|告诉|汇报)`;
const SEPARATOR = new RegExp(
	[
		String.raw`[,;，；。\s]{0,9}(?<=^|[\s,;，；。])(?:and\s+)?(?:then|after that|afterwards)(?=[\s,:，])[,:，]?`,
		String.raw`(?:[,;]\s{0,9}(?:and\s+)?|\s{1,9}and\s+|(?<=[.!])\s{1,9})(?:second(?:ly)?|third(?:ly)?|next|finally|lastly)[\s,:]{1,9}(?=${VERB})`,
		String.raw`[,，；。\s]{0,9}(?:然后|接着|随后)[，,]?`,
		String.raw`(?:[，,。；\s]{1,9}|(?<=[\uE001\w]|文件|目录|内容))再(?=\s{0,9}[读查看列删搜创新运执把打将抓])`,
		String.raw`[，,。；\s]{1,9}(?:其次|接下来|之后|最后|第[二三四五六七八九]步)[，,、：:\s]{0,9}(?=再?${BEGIN_ZH})`,
		String.raw`[;；]|\n(?!\s*\uE000)`,
	].join("|"),
	"i",
);
const SOFT_SEPARATOR = new RegExp(
	String.raw`,?\s+and\s+(?=${VERB})|(?<=[^\s][.!])\s+(?=${VERB})|[，。]\s*(?=${VERB_ZH}|把|将)|(?:并且|并)(?=${VERB_ZH})`,
	"i",
);
/** Where the next step may begin, if what is on both sides is understood. */
const STEP = new RegExp(
	String.raw`\s{0,9}[,，、。.!]?\s{0,9}(?:并且|并|同时)\s{0,9}(?=${BEGIN_ZH})|\s{0,9}[,，、。]\s{0,9}(?=${BEGIN_ZH})|(?:\s{1,9}|(?<=\uE001))(?=告诉|汇报|看看|看一下|${VERB_ZH})|[,.!]?\s{1,9}and\s+(?=${VERB})|(?:,|(?<=\uE001)[.!]|(?<=[.!]))\s{1,9}(?=${VERB})`,
	"i",
);
const MOST_STEPS = 20;
/** Imperatives that end in free text: an "and" or a full stop inside belongs to that text. */
const ENDS_IN_TEXT =
	/^(?:create|write|make|add|new|put|save|replace|change|in|use|ask|have|tell|delegate|remember|forget)[\s:]|^(?:创建|新建|写|把|将|用|让|使用|记住|记得|记下|忘记|忘掉)/i;
/** What no form fits and yet asks for nothing more: left out instead of stopping the work. */
const REMARK =
	/^(?:(?:change|modify|edit) nothing|do(?: not|n't|n’t) (?:change|modify|edit) (?:anything|any files?)|(?:tell|show|give|report|let me know)\b[^.]{0,60}|thanks?|thank you|(?:什么都)?不要?(?:修)?改.{0,8}|告诉我.{0,20}|(?:给我)?看一?[看下]?(?:运行|执行)?(?:的)?(?:结果|输出)|汇报.{0,10}|谢谢)[.!。！]*$/i;
const PRONOUN =
	/^([a-z]+|读一下|读取|读|查看|打开|删除|审查)\s*(?:(?<=[a-z])\s(?:it|that file)(?: back| again)?|它)(?=[.!?。]*$)/i;
const PLAN =
	/^\s*(?:please\s+)?(?:(?:make|write|update)\s+(?:a|the)\s+)?(?:plan|请?\s*(?:制定|列)?(?:一个)?计划)\s*[:：]\s*(.+)$/is;
const EXACT_REPLY =
	/^\s*(?:(?:please\s+)?(?:(?:reply|respond|answer|say)(?:\s+with)?\s+exactly(?:\s+with)?|(?:reply|respond)(?:\s+with)?\s+(?:only|just)(?:\s+with)?)(?=[\s:"“`'])|请?(?:只|原样|准确)(?:回复|回答))\s*[:：]?\s*(.+)$/is;

/**
 * Reads a person's message as imperatives, in order; remarks such as "change nothing" and empty pieces are left out.
 * Of several paragraphs the first one with an imperative counts, so that text pasted below is never carried out.
 */
export function parseImperatives(message: string): Imperative[] {
	const text = message.length > LONGEST_MESSAGE ? (message.split(/\n\s*\n/, 1)[0] ?? "") : message;
	if (text.length > LONGEST_MESSAGE) return [unclear(text)];
	const quotes: Quote[] = [];
	const masked = maskQuotes(text, quotes);
	const plan = planItems(PLAN.exec(masked)?.[1] ?? "")
		.map((item) => unmask(item.replace(LEAD, ""), quotes).trim())
		.filter(Boolean);
	if (plan.length > 0) {
		const items = plan.map((content) => ({ content, status: "pending" }));
		return [{ kind: "call", tool: "updatePlan", args: { items }, words: text.trim() }];
	}
	const paragraphs = masked
		.split(/\n\s*\n(?!\s*\uE000)/)
		.map((paragraph) => parseParagraph(paragraph, quotes));
	return (
		paragraphs.find((imperatives) => imperatives.some(({ kind }) => kind === "call")) ?? paragraphs.flat()
	);
}

/** The steps of a plan: what stands between semicolons or lines, else between numbers, else between commas. */
function planItems(plan: string): string[] {
	const ways = [SEPARATOR, /\s+(?=\d{1,2}[.)、]\s*\S)/, /[,，、]\s*/];
	return ways.map((way) => plan.split(way)).find((items) => items.length > 1) ?? [plan];
}

/** The text that "Reply exactly: X" asks for, without quotes around it; undefined where nothing of the kind is asked. */
export function exactReply(message: string): string | undefined {
	const wanted = EXACT_REPLY.exec(message)?.[1];
	if (wanted === undefined) return undefined;
	const quotes: Quote[] = [];
	return slotOf(maskQuotes(wanted, quotes), quotes).text;
}

function parseParagraph(paragraph: string, quotes: Quote[]): Imperative[] {
	const pieces = paragraph
		.split(SEPARATOR)
		.map((piece) => piece.replace(LEAD, ""))
		.flatMap((piece) =>
			piece.length > LONGEST_PIECE || ENDS_IN_TEXT.test(piece) ? piece : piece.split(SOFT_SEPARATOR),
		)
		.map((piece) => piece.replace(LEAD, "").trim())
		.filter((piece) => /[\p{L}\p{N}\uE000]/u.test(piece));
	const read = readPieces(pieces, quotes).filter((imperative) => !isRemark(imperative));
	return read.flatMap((imperative, index) => {
		const [before, next] = [read[index - 1], read[index + 1]];
		// "create a.txt with eat, then sleep": the words behind may belong to the text, so neither is done.
		if (isOpen(imperative) && next?.kind === "unclear") return unclear(`${imperative.words} … ${next.words}`);
		return imperative.kind === "unclear" && isOpen(before) ? [] : imperative;
	});
}

function isOpen(imperative: Imperative | undefined): boolean {
	return imperative?.kind === "call" && imperative.open === true;
}

function readPieces(pieces: string[], quotes: Quote[]): Imperative[] {
	const imperatives: Imperative[] = [];
	for (const piece of pieces) {
		const last = imperatives.at(-1);
		const path = last?.kind === "call" ? last.args["path"] : undefined;
		// "create a.txt with hi, then read it": the file is the one named just before, whatever characters it has.
		const named =
			path === undefined ? piece : piece.replace(PRONOUN, (_, verb) => `${verb} ${mark(`${path}`, quotes)}`);
		imperatives.push(...readPiece(named, unmask(piece, quotes), quotes));
	}
	return imperatives;
}

function isRemark({ kind, words }: Imperative): boolean {
	return kind === "unclear" && REMARK.test(words);
}

function readPiece(piece: string, words: string, quotes: Quote[]): Imperative[] {
	if (piece.length > LONGEST_PIECE) return [unclear(words)];
	const whole = matchRule(piece, words, quotes);
	const steps = stepsOf(piece, quotes);
	if (steps !== undefined && !whole.some(({ tool }) => tool === "delegateToSubagent")) {
		if (whole.length === 0 || steps.afterQuote) return steps.imperatives;
		// "create a.txt with hello and read it": the end of the text may be a step of its own.
		if (whole.some(({ open, tool }) => open && tool !== "memory")) return [unclear(words)];
	}
	if (whole.length > 0) return whole;
	// "read a.md and do what it says": the look is done, what follows is told as not understood.
	const [head = "", tail] = piece.split(/,?\s+and\s+(.*)/is);
	const looks = tail === undefined ? [] : matchRule(head, unmask(head, quotes), quotes);
	const harmless = looks.every((look) => /^(?:read|list)/.test(look.tool));
	return tail !== undefined && looks.length > 0 && harmless
		? [...looks, unclear(unmask(tail, quotes))]
		: [unclear(words)];
}

/** A piece as several steps, if each of them is understood; `afterQuote`: the first one ends with a quote. */
function stepsOf(
	piece: string,
	quotes: Quote[],
): { imperatives: Imperative[]; afterQuote: boolean } | undefined {
	const parts = piece.split(STEP).filter(Boolean);
	if (parts.length < 2 || parts.length > MOST_STEPS) return undefined;
	const imperatives = readPieces(parts, quotes);
	const understood = imperatives.every((one) => one.kind === "call" || isRemark(one));
	return understood && imperatives[0]?.kind === "call"
		? { imperatives, afterQuote: /\uE001\s*$/.test(parts[0] ?? "") }
		: undefined;
}

/** The calls of the first rule that fits; none where no rule does. */
function matchRule(piece: string, words: string, quotes: Quote[]): Call[] {
	for (const { rule, patterns } of compiledRules()) {
		for (const pattern of patterns) {
			const match = pattern.exec(` ${piece}`);
			if (match === null) continue;
			const slots: Record<string, Slot> = {};
			for (const [name, text] of Object.entries(match.groups ?? {}))
				if (text) slots[name] = slotOf(text, quotes);
			const calls = [rule.args(slots) ?? []].flat();
			const review = rule.review ? { review: rule.review } : {};
			const text = slots[rule.text ?? ""];
			const open = text !== undefined && !text.quoted && calls.length === 1 ? { open: true as const } : {};
			const list = calls.length > 1 ? (slots["paths"] ?? slots["rest"] ?? slots["command"]) : undefined;
			if (calls.length > 0)
				return calls.map((args) => {
					// Of a list each call has words of its own, so that what was not done can be named.
					const one = list
						? words.replace(list.written, () => `${args["path"] ?? `\`${args["command"]}\``}`)
						: words;
					return { kind: "call", tool: rule.tool, args, words: one, ...review, ...open };
				});
		}
	}
	return [];
}

function unclear(words: string): Imperative {
	return { kind: "unclear", words: words.length > 200 ? `${words.slice(0, 200)}…` : words };
}

let compiled: { rule: Rule; patterns: RegExp[] }[] | undefined;

/** Compiled at the first use: a run with a real model never pays for it. */
function compiledRules() {
	compiled ??= RULES.map((rule) => ({
		rule,
		patterns: rule.forms.map((form) => compileForm(form, rule.exact)),
	}));
	return compiled;
}

function compileForm(form: string, exact = false): RegExp {
	const gap = /\p{Script=Han}/u.test(form) ? "[\\s，,：:]{0,9}" : "[\\s,:]{1,9}";
	return new RegExp(`^${patternOf(form, gap)}${exact ? `(?:(?<=\\uE001)${END})?\\s*` : END}$`, "isu");
}

/** After a word that may be left out: with an extension right behind it, it is no such word but a name (`新.txt`). */
const NOT_A_NAME = String.raw`(?!(?:新|空|的|文本|文件)*\.[\p{L}\p{N}])`;

function patternOf(form: string, gap: string): string {
	const parts = form.match(/\[[^\]]+\]|\S+/g) ?? [];
	return parts
		.map((part) => {
			if (part.startsWith("[")) return `(?:${patternOf(part.slice(1, -1), gap)}${NOT_A_NAME})?`;
			if (part.startsWith("<")) return `${gap}(?${part}${SLOTS[part.slice(1, -1)] ?? ".+?"})`;
			return `${gap}(?:${part.replaceAll("_", "\\s+")})`;
		})
		.join("");
}

function maskQuotes(text: string, quotes: Quote[]): string {
	return text.replace(QUOTED, (whole, ...groups: (string | undefined)[]) =>
		mark(groups.slice(0, 6).find((group) => group !== undefined) ?? "", quotes, whole),
	);
}

/** Keeps a text aside and returns the one character sequence that stands for it. */
function mark(inner: string, quotes: Quote[], whole = inner): string {
	return `\uE000${quotes.push({ inner, whole }) - 1}\uE001`;
}

function unmask(masked: string, quotes: Quote[]): string {
	return masked.replace(/\uE000(\d+)\uE001/g, (sign, index) => quotes[Number(index)]?.whole ?? sign);
}

function slotOf(caught: string, quotes: Quote[]): Slot {
	const masked = caught.trim();
	const quote = quotes[Number(/^\uE000(\d+)\uE001$/.exec(masked)?.[1] ?? -1)];
	const split = (separator: RegExp) => masked.split(separator).map((piece) => slotOf(piece, quotes));
	const written = unmask(masked, quotes);
	const outside = masked.replace(/\uE000\d+\uE001/g, QUOTE);
	return { text: quote?.inner ?? written, quoted: quote !== undefined, written, outside, split };
}
