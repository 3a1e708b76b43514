// The grammar of the offline model as a table: forms of speech in English and Chinese, and the tool call each one means.
// Pure. A rule accepts only slots that make sense (a path looks like a path); what no rule accepts is never guessed.

/** What one slot of a form caught. `quoted`: the whole of it stood in quotes, which are taken off. */
export interface Slot {
	text: string;
	quoted: boolean;
	/** Splits outside quotes. */
	split(separator: RegExp): Slot[];
}

type Slots = Record<string, Slot | undefined>;
type Args = Record<string, unknown>;

/**
 * In a form, `a|b` is one of these words, `_` a space inside a word, `[…]` optional and `<x>` a slot. The first form
 * whose slots `args` accepts wins; several arguments mean several calls.
 */
export interface Rule {
	tool: string;
	forms: string[];
	args(slots: Slots): Args | Args[] | undefined;
	/** The form ends in content: its last full stop belongs to it. */
	exact?: true;
	/** What was read is to be judged, not only shown. */
	review?: true;
}

/** What a slot may catch; any other slot catches any text. */
export const SLOTS: Record<string, string> = {
	all: String.raw`everywhere|(?:all|every)(?:\s+occurrences?\s+of)?|所有|全部`,
	agent: String.raw`reviewer|explorer|[\w-]+(?=\s*(?:sub-?agent|agent|子代理|代理|子智能体))`,
	url: String.raw`https?://\S+?`,
	glob: String.raw`[^\s*]*\*\S*?`,
	quote: String.raw`\uE000\d+\uE001`,
	range: String.raw`\d{1,7}(?:\s*(?:-|–|to)\s*\d{1,7})?`,
	count: String.raw`\d{1,7}`,
};

/** All rules, in the order in which they are tried. */
export const RULES: readonly Rule[] = [
	{
		tool: "delegateToSubagent",
		forms: [
			"use|ask|have|let|tell|delegate_to [the] <agent> [subagent|sub-agent|agent] to <task>",
			"用|让|使用 <agent> [子代理|代理|子智能体] [来|去] <task>",
		],
		args: ({ agent, task }) => ({ subagent: agent?.text.toLowerCase(), task: task?.text }),
	},
	{
		tool: "memory",
		forms: ["[always] remember [that|this|for_later] <fact>", "[要] 记住|记得|记下 <fact>"],
		args: ({ fact }) => rememberedFact(fact),
	},
	{
		tool: "memory",
		forms: ["forget [that|about] <fact>", "忘记|忘掉 <fact>"],
		args: ({ fact }) => (fact ? { action: "remove", old: fact.text } : undefined),
	},
	{
		tool: "webFetch",
		forms: [
			"fetch|get|download|open|read|visit|show [me] [the] [page|url] [at] <url>",
			"抓取|获取|打开|访问|读取|读|查看 [网页] <url>",
		],
		args: ({ url }) => ({ url: url?.text }),
	},
	{
		tool: "webSearch",
		forms: [
			"search [on] the_web|the_internet|online|web [for] <query>",
			"上网|在网上|网上 搜索|搜|查 [一下] <query>",
		],
		args: ({ query }) => ({ query: query?.text }),
	},
	{
		tool: "writeFile",
		exact: true,
		forms: [
			"create|write|make|add|new [a|an|the] [new] [text] [file] [named|called|at] <path> with_the_content|with_the_text|with_content|with_text|with|containing|that_contains|that_says|saying <content>",
			"创建|新建|写 [一个] [新] [的] [文本] [文件] [名为|叫] <path> 内容为|内容是|内容|写入|写上|包含 <content>",
		],
		args: ({ path, content }) => withPath(path, { content: content?.text }),
	},
	{
		tool: "writeFile",
		forms: [
			"write|put|save <content> to|into|in [the] [file] <path>",
			"把|将 <content> 写入|写到|写进|存到 [文件] <path>",
		],
		args: ({ path, content }) => (content?.quoted ? withPath(path, { content: content.text }) : undefined),
	},
	{
		tool: "writeFile",
		forms: [
			"create|make|add|new [a|an|the] [new] [empty] [text] [file] [named|called|at] <path>",
			"创建|新建 [一个] [新|空] [的] [文本] [文件] [名为|叫] <path>",
		],
		args: ({ path }) => withPath(path, { content: "" }),
	},
	{
		tool: "editFile",
		forms: [
			"replace|change <from> with|to|by|into <to> in [the] [file] <path> <all>",
			"replace|change [<all>] <from> with|to|by|into <to> in [the] [file] <path>",
			"in [the] [file] <path> replace|change [<all>] <from> with|to|by|into <to>",
			"把|将|在 <path> [文件] 里面|里|中 [的] [把|将] [<all>] [的] <from> [都|全部|全] 替换成|替换为|改成|改为|换成|换为|修改为 <to>",
		],
		args: ({ path, from, to, all }) =>
			withPath(path, { oldString: from?.text, newString: to?.text, ...(all && { replaceAll: true }) }),
	},
	{
		tool: "deleteFile",
		forms: [
			"delete|remove|rm|erase [the] [file|files] <paths>",
			"删除|删掉|移除 [文件] <paths>",
			"把|将 <paths> [文件] 删除|删掉|移除",
		],
		args: ({ paths }) => everyPath(paths),
	},
	{
		tool: "findFiles",
		forms: [
			"find|list|locate|search_for [all] [the] file|files [that_are] named|called|matching|like <pattern> [in|under|inside <place>]",
			"查找|找出|找到|搜索|找 [所有] 名为|名叫|叫做|叫|匹配 <pattern> 的文件",
			"查找|找 文件 <pattern>",
			"find|list|locate [all] [the] <glob> [files] [in|under|inside <place>]",
			"查找|找|列出 [所有] <glob> [文件]",
		],
		args: ({ pattern, glob, place }) => inPlace({ pattern: (pattern ?? glob)?.text }, "path", place),
	},
	{
		tool: "listFiles",
		forms: [
			"list|ls [me] [all] [the|my] [files_and_folders|files|folders|contents|everything] [in|of|under|inside|from <place>]",
			"list|ls <place>",
			"show|display|see [me] [all] [the|my] files|folders [in|of|under|inside|from <place>]",
			"列出|列一下|看看|看一下|查看|显示 [一下] [所有|全部] 文件列表|文件|目录",
			"列出|列一下|看看|看一下|查看|显示 [一下] <place> [目录|文件夹] [里面|里|中|下面|下] [的] [所有|全部] [文件列表|文件|内容]",
		],
		args: ({ place }) => (FILE.test(place?.text ?? "") ? undefined : inPlace({}, "directory", place)),
	},
	{
		tool: "listFiles",
		forms: [
			"[show|tell] [me] what's|what’s|what_is|what_files_are in|inside <place>",
			"[看看] <place> [目录|文件夹] [里面|里|中|下面|下] 有什么文件|有哪些文件|有什么|有哪些",
		],
		args: ({ place }) =>
			place && !FILE.test(place.text) && (isHere(place.text) || FOLDER.test(place.text))
				? inPlace({}, "directory", place)
				: undefined,
	},
	{
		tool: "readFile",
		forms: [
			"read|show|print [me] [the] line|lines <range> of|in|from <path>",
			"read|show|print [me] [the] first <count> lines of|in|from <path>",
		],
		args({ path, range, count }) {
			const [first = 1, last = first] = (range?.text ?? `1-${count?.text}`).split(/\D+/).map(Number);
			return first >= 1 && last >= first
				? withPath(path, { offset: first - 1, limit: last - first + 1 })
				: undefined;
		},
	},
	{
		tool: "readFile",
		forms: [
			"read|open|cat|view|show|print|display|look_at|see|explain|summarize|summarise|describe [me] [the] [contents_of|content_of|text_of] [the] [file|files] <paths> [file]",
			"[show|tell] [me] what's|what’s|what_is in|inside [the] [file] <paths>",
			"读取|读一下|读|阅读|查看|打开|显示|看看|看一下|看|解释|总结 [一下] [文件] <paths> [文件] [的] [内容]",
			"[看看] <paths> [文件] [里面|里|中] 有什么|的内容是什么|写了什么",
		],
		args: ({ paths }) => everyPath(paths),
	},
	{
		tool: "readFile",
		review: true,
		forms: ["review|inspect|audit|examine|analyze|analyse|check <rest>", "审查|评审|检查|审阅 [一下] <rest>"],
		args: ({ rest }) => namedFiles(rest),
	},
	{
		tool: "searchFiles",
		forms: [
			"search|grep [in] <place> for <text>",
			"search_for|search|grep_for|grep|look_for|find [all] [the_word|the_text|occurrences_of|uses_of|usages_of|mentions_of] <text> [in|inside|under|within <place>]",
			"在|从 <place> [目录|文件夹] [里面|里|中|下] 搜索|查找|搜|找 [一下] <text>",
			"搜索|查找|搜一下|找一下 [一下] <text>",
		],
		args({ text, place }) {
			if (text === undefined || (!text.quoted && /^(?:out|why|how|a|for|me)\s/i.test(text.text)))
				return undefined;
			const regex = /^\/(.+)\/$/.exec(text.text)?.[1];
			return inPlace({ pattern: regex ?? text.text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") }, "path", place);
		},
	},
	{
		tool: "runCommand",
		forms: [
			"run|execute|exec [the] [following] [shell|bash|terminal] command <command>",
			"run|execute|exec <command>",
			"运行|执行|跑一下 [一下] [命令] <command>",
		],
		args({ command }) {
			const purpose = /\s+to\s+(?:see|check|show|tell|find|verify|look)\s/i;
			const line = command?.split(purpose)[0];
			const vague =
				/^(?:the|my|all|our|your|a|an|its?|th[ioe]se?|that|what|every|commands?|code|tests?|\P{ASCII}.*)(?:\s|$)/iu;
			return line === undefined || (!line.quoted && vague.test(line.text))
				? undefined
				: { command: line.text };
		},
	},
];

const FILE = /(?:^|[\\/])(?:[^\s\\/]*\.[A-Za-z][\w-]{0,15}|README|LICENSE|Makefile|Dockerfile|CHANGELOG)$/;
const FOLDER =
	/[\\/]|^\.{1,2}$|^(?:src|lib|tests?|docs?|bin|dist|scripts|app|packages|examples)$|\s(?:folder|directory)$/i;
const HERE_EN =
	/^(?:(?:the|this|my|our)\s+)?(?:(?:current|working|root|project)\s+)?(?:project|workspace|repo|repository|codebase|code|files|all files|folder|directory|here|\.)$/i;
const HERE_ZH = /^(?:当前|这个|本|整个|这里)?(?:项目|目录|文件夹|工作区|代码)?$/;

function isHere(text: string): boolean {
	return HERE_EN.test(text) || HERE_ZH.test(text);
}

/** Adds a folder to the arguments, unless it is the workspace itself; undefined where the words name no folder. */
function inPlace(args: Args, key: "path" | "directory", slot: Slot | undefined): Args | undefined {
	if (slot?.quoted) return { ...args, [key]: slot.text };
	if (slot === undefined || isHere(slot.text)) return args;
	const place = slot.text.replace(/^(?:the|this|my|our)\s+|\s+(?:folder|directory)$/gi, "");
	return /^[\w.@~/\\-]+$/.test(place) ? { ...args, [key]: place } : undefined;
}

const PREFERENCE =
	/\bI (?:prefer|like|love|hate|dislike|want|use|always|never)\b|\bmy favou?rite\b|我(?:喜欢|偏好|更喜欢|讨厌|习惯|想要)/i;
const INSTRUCTION = /^(?:to\s|always|never|do not|don't|don’t|use|keep|avoid|总是|永远|不要|请|使用|必须)/i;

/** A fact to keep, with the category that its words are of; undefined for a question and for an empty one. */
function rememberedFact(slot: Slot | undefined): Args | undefined {
	const text = slot?.text ?? "";
	if (text === "" || /^(?:what|when|who|how|where|why|which)\b|什么|吗$/i.test(text)) return undefined;
	const category = PREFERENCE.test(text) ? "preference" : INSTRUCTION.test(text) ? "instruction" : "fact";
	return { action: "add", text, category };
}

function pathOf(slot: Slot | undefined): string | undefined {
	const path = slot?.text ?? "";
	const plausible = slot?.quoted ? path !== "" : !/\s/.test(path) && (FILE.test(path) || /[\\/]/.test(path));
	return plausible ? path : undefined;
}

function withPath(slot: Slot | undefined, rest: Args): Args | undefined {
	const path = pathOf(slot);
	return path === undefined ? undefined : { path, ...rest };
}

/** "a.ts, b.ts and c.ts" as a call each; none at all where one of them is no path. */
function everyPath(slot: Slot | undefined): Args[] {
	const paths = slot?.split(/\s*[,，、]\s*(?:and\s+)?|\s+and\s+|\s*和\s*/i).map(pathOf) ?? [];
	return paths.includes(undefined) ? [] : paths.map((path) => ({ path }));
}

/** Every word of free text that is a file's name, as a call each. */
function namedFiles(slot: Slot | undefined): Args[] {
	const words = slot?.split(/[\s,，、;；]+|[.!?:。](?=\s|$)|(?=\p{Script=Han})|(?<=\p{Script=Han})/u) ?? [];
	return words.flatMap((word) => (FILE.test(word.text) ? [{ path: word.text }] : []));
}
