// What the words in one slot of a form can mean: a path, a place, a text, a command. Pure.
// Words that may mean more than the one thing are none: what is not wholly understood is not done.

/** What one slot of a form caught. `quoted`: the whole of it stood in quotes, which are taken off. */
export interface Slot {
	text: string;
	quoted: boolean;
	/** As the person wrote it, quotes and all. */
	written: string;
	/** The same with one `QUOTE` for each quote. */
	outside: string;
	/** Splits outside quotes. */
	split(separator: RegExp): Slot[];
}

/** Stands for a quote in `outside`. */
export const QUOTE = "\uE000";

/** Arguments of a tool call. */
export type Args = Record<string, unknown>;

/** The name of a file, by its ending or because it is well known. */
export const FILE =
	/(?:^|[\\/])(?:[^\s\\/]*\.[A-Za-z][\w-]{0,15}|README|LICENSE|Makefile|Dockerfile|CHANGELOG)$/;
/** What is plainly a folder. */
export const FOLDER =
	/[\\/]|^\.{1,2}$|^(?:src|lib|tests?|docs?|bin|dist|scripts|app|packages|examples)$|\s(?:folder|directory)$/i;
const HERE_EN =
	/^(?:(?:the|this|my|our)\s+)?(?:(?:current|working|root|project)\s+)?(?:project|workspace|repo|repository|codebase|code|files|all files|folder|directory|here|\.)$/i;
const HERE_ZH = /^(?:当前|这个|本|整个|这里|这儿?)?(?:项目|目录|文件夹|工作区|代码)?$/;

/** Whether the words mean the workspace itself. */
export function isHere(text: string): boolean {
	return HERE_EN.test(text) || HERE_ZH.test(text);
}

/** Adds a folder or file to the arguments, unless it is the workspace itself; undefined where the words name no folder. */
export function inPlace(
	args: Args,
	key: "path" | "directory" | "cwd",
	slot: Slot | undefined,
): Args | undefined {
	if (slot?.quoted) return { ...args, [key]: slot.text };
	if (slot === undefined || isHere(slot.text)) return args;
	// "my docs" may be a folder of that name or the folder docs: neither is guessed.
	const place = slot.text.replace(/^(?:the|this)\s+|\s+(?:folder|directory)$/gi, "");
	return /^[\w.@~/\\-]+$/.test(place) ? { ...args, [key]: place } : undefined;
}

const PREFERENCE =
	/\bI (?:prefer|like|love|hate|dislike|want|use|always|never)\b|\bmy favou?rite\b|我(?:喜欢|偏好|更喜欢|讨厌|习惯|想要)/i;
const INSTRUCTION = /^(?:to\s|always|never|do not|don't|don’t|use|keep|avoid|总是|永远|不要|请|使用|必须)/i;

/** A fact to keep, with the category that its words are of; undefined for a question and for an empty one. */
export function rememberedFact(slot: Slot | undefined): Args | undefined {
	const text = slot?.text ?? "";
	if (text === "" || /^(?:what|when|who|how|where|why|which)\b|什么|吗$/i.test(text)) return undefined;
	const category = PREFERENCE.test(text) ? "preference" : INSTRUCTION.test(text) ? "instruction" : "fact";
	return { action: "add", text, category };
}

function pathOf(slot: Slot | undefined): string | undefined {
	if (slot === undefined || slot.quoted) return slot?.text || undefined;
	const path = slot.text;
	const plausible =
		!/\s/.test(path) && !slot.outside.includes(QUOTE) && (FILE.test(path) || /[\\/]/.test(path));
	return plausible && !MORE_THAN_A_PATH.test(path) ? path : undefined;
}

/** A list, or words of a sentence without spaces right behind a file's name. */
const MORE_THAN_A_PATH = /[,，、;；]|\.[A-Za-z]\w{0,15}\p{Script=Han}/u;

/**
 * Whether a text is one thing: all of it in quotes, or all of it outside. A quote beside other words ("a" and read it,
 * the word "a") may be all that was meant. Inside code, as in {"a": 1}, a quote is part of the text.
 */
export function isWhole(slot: Slot | undefined): boolean {
	if (slot === undefined || slot.quoted) return true;
	const { outside, written } = slot;
	const beginsAsCode = /^["']/.test(written) && /^\uE000(?:[:=]|[.+([]\S)/.test(outside);
	return (beginsAsCode || !outside.startsWith(QUOTE)) && !QUOTE_IN_PROSE.test(outside);
}

/** A quote as a word among words. */
const QUOTE_IN_PROSE = /[\p{L}\p{N}]\s+\uE000|\p{Script=Han}[，：]?\uE000/u;

/** Whether what is to be replaced and what with are two whole texts, parted at the only place where they can be. */
export function isPlainChange(from: Slot | undefined, to: Slot | undefined): boolean {
	return [from, to].every(
		(slot) => isWhole(slot) && (slot === undefined || slot.quoted || !PARTS_A_CHANGE.test(slot.outside)),
	);
}

const PARTS_A_CHANGE = /\s(?:with|to|by|into)\s|(?:替换|改|换|修改)(?:成|为)/i;

/** Whether it is the name of one file, or one glob. */
export function isOneName(slot: Slot | undefined): boolean {
	return slot !== undefined && (slot.quoted || (!/\s/.test(slot.text) && !slot.outside.includes(QUOTE)));
}

/** A list: "a, b and c". */
const LIST = /\s*[,，、]\s*(?:and\s+)?|\s+and\s+|\s*和\s*/i;

/** Where a command ends and what it is run for begins. */
export const PURPOSE = /\s+to\s+(?:see|check|show|tell|find|verify|look)\s/i;
/** Begins a wish that names no command. */
const VAGUE =
	/^(?:the|my|all|our|your|a|an|its?|th[ioe]se?|that|what|every|commands?|code|tests?|\P{ASCII}.*)(?:\s|$)/iu;
/** Words of a sentence, which hardly stand in a command outside quotes. */
const PROSE =
	/(?:^|\s)(?:and|or|but|so|then|in|on|at|with|without|for|from|into|as|the|it|its|me|us|my|our|your|this|that|if|when|while|until|unless|using|before|after|again|once|twice|please)(?=$|[\s,.!?])|,(?:\s|$)|[。，；：！？、]|并|且|和|然后|告诉|结果|看看|给我|[里中下]$|\s[在再用让]/iu;

/** One command, or several that are each in quotes; none where words are left that may not belong to it. */
export function commandsOf(slot: Slot | undefined): Args[] {
	if (slot === undefined) return [];
	const quoted = slot.split(LIST);
	if (quoted.every((line) => line.quoted)) return quoted.map(({ text }) => ({ command: text }));
	const bare = slot.outside;
	const unsure =
		bare.startsWith(QUOTE) || /[`“”「」]/.test(slot.text) || VAGUE.test(bare) || PROSE.test(bare);
	return unsure ? [] : [{ command: slot.text }];
}

const NOT_SEARCHED =
	/^(?:out|why|how|where|when|who|what|which|whether|if|a|for|me|it|this|that|them|something)(?:\s|$)/i;
const MORE_THAN_A_PHRASE =
	/\s(?:for|in|on|of|to|with|without|from|and|or|that|which|where|is|are|was|who|how|why)(?:\s|$)|^(?:the|all|any|every|each|my|our|some)\s|\s(?:comments?|functions?|methods?|class(?:es)?|definitions?|variables?|usages?|uses|references?|occurrences?|lines?|files?|calls?|folder|directory)$/i;
const MORE_THAN_A_PHRASE_ZH =
	/^(?:所有|全部|每)|哪|怎么|什么|如何|[里中下]面?的|[\w\s][里中下](?:\s|$)|(?:^|[\s\w])在\s*\w|[\s\w]和|和[\s\w]/;

/** Whether a text is plainly what to look for, and not words about it. */
export function isSearchable(slot: Slot | undefined): slot is Slot {
	if (slot === undefined || slot.text === "") return false;
	if (slot.quoted || /^\/.+\/$/.test(slot.text)) return true;
	return (
		!/^\uE000|\s\uE000|\uE000\s|\p{Script=Han}\uE000/u.test(slot.outside) &&
		![NOT_SEARCHED, MORE_THAN_A_PHRASE, MORE_THAN_A_PHRASE_ZH].some((sign) => sign.test(slot.text))
	);
}

/** The regular expression that finds a text as it stands, or the one between slashes. */
export function searchPattern(slot: Slot): string {
	return /^\/(.+)\/$/.exec(slot.text)?.[1] ?? escapeText(slot.text);
}

/** The regular expression that finds a text as it stands. */
export function escapeText(text: string): string {
	return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** Adds a path to the arguments; undefined where the words are none. */
export function withPath(slot: Slot | undefined, rest: Args): Args | undefined {
	const path = pathOf(slot);
	return path === undefined ? undefined : { path, ...rest };
}

/** "a.ts, b.ts and c.ts" as a call each; none at all where one of them is no path. */
export function everyPath(slot: Slot | undefined): Args[] {
	const paths = slot?.split(LIST).map(pathOf) ?? [];
	return paths.includes(undefined) ? [] : paths.map((path) => ({ path }));
}

/** Every word of free text that is a file's name, as a call each. */
export function namedFiles(slot: Slot | undefined): Args[] {
	const words = slot?.split(/[\s,，、;；]+|[.!?:。](?=\s|$)|(?=\p{Script=Han})|(?<=\p{Script=Han})/u) ?? [];
	return words.flatMap((word) => (FILE.test(word.text) ? [{ path: word.text }] : []));
}
