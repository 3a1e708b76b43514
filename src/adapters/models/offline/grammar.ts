// The grammar of the offline model as a table: forms of speech in English and Chinese, and the tool call each one means.
// Pure. A rule accepts only slots that make sense (a path looks like a path); what no rule accepts is never guessed.

import {
	type Args,
	commandsOf,
	everyPath,
	FILE,
	FOLDER,
	inPlace,
	isHere,
	isOneName,
	isPlainChange,
	isSearchable,
	isWhole,
	namedFiles,
	PURPOSE,
	rememberedFact,
	type Slot,
	searchPattern,
	withPath,
} from "./slots.ts";

type Slots = Record<string, Slot | undefined>;

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
	/** The slot of free text that a form ends in: without quotes, nobody can say where it ends. */
	text?: string;
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
		text: "fact",
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
		text: "content",
		forms: [
			"create|write|make|add|new [a|an|the] [new] [text] [file] [named|called|at] <path> with_the_content|with_the_text|with_content|with_text|with|containing|that_contains|that_says|saying <content>",
			"创建|新建|写 [一个] [新] [的] [文本] [文件] [名为|叫] <path> 内容为|内容是|内容|写入|写上|包含 <content>",
		],
		args: ({ path, content }) => (isWhole(content) ? withPath(path, { content: content?.text }) : undefined),
	},
	{
		tool: "writeFile",
		forms: [
			"write|put|save <content> to|into|in [the] [file] [named|called] <path>",
			"把|将 <content> 写入|写到|写进|存到 [文件] <path>",
			"写入|写|保存|存 <content> 到|进|至 [文件] <path> [里面|里|中]",
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
		text: "to",
		forms: [
			"replace|change <from> with|to|by|into <to> in [the] [file] [named|called] <path> <all>",
			"replace|change [<all>] <from> with|to|by|into <to> in [the] [file] [named|called] <path>",
			"in [the] [file] [named|called] <path> replace|change [<all>] <from> with|to|by|into <to>",
			"把|将|在 <path> [文件] 里面|里|中 [的] [把|将] [<all>] [的] <from> [都|全部|全] 替换成|替换为|改成|改为|换成|换为|修改为 <to>",
			"替换|修改|更改 [文件] <path> [文件] 里面的|里的|中的 [<all>] [的] <from> 替换成|替换为|改成|改为|换成|换为|为|成 <to>",
		],
		args: ({ path, from, to, all }) =>
			isPlainChange(from, to)
				? withPath(path, { oldString: from?.text, newString: to?.text, ...(all && { replaceAll: true }) })
				: undefined,
	},
	{
		tool: "deleteFile",
		forms: [
			"delete|remove|rm|erase [a|the] [file|files] [named|called] <paths>",
			"删除|删掉|移除 [文件] [名为|名叫|叫] <paths>",
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
		args: ({ pattern, glob, place }) =>
			isOneName(pattern ?? glob) ? inPlace({ pattern: (pattern ?? glob)?.text }, "path", place) : undefined,
	},
	{
		tool: "listFiles",
		forms: [
			"list|ls [me] [all] [the|my] [files_and_folders|files|folders|contents|everything] [here] [in|of|under|inside|from <place>]",
			"list|ls <place>",
			"show|display|see [me] [all] [the|my] files|folders [here] [in|of|under|inside|from <place>]",
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
			"read|open|cat|view|show|print|display|look_at|see|explain|summarize|summarise|describe [me] [the] [contents_of|content_of|text_of] [a|the] [file|files] [named|called] <paths> [file]",
			"[show|tell] [me] what's|what’s|what_is in|inside [the] [file] <paths>",
			"读取|读一下|读|阅读|查看|打开|显示|看看|看一下|看|解释|总结 [一下] [文件] [名为|名叫|叫] <paths> [文件] [的] [内容]",
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
			"search|grep|look [in|through] [the] [file|folder] <place> for <text>",
			"in [the] [file|folder] <place> search_for|search|grep_for|grep|look_for|find <text>",
			"search_for|search|grep_for|look_for|find [all|every] [line_with|lines_with|line_containing|lines_containing|the_word|the_text|occurrences_of|uses_of|usages_of|mentions_of] <text> [in_the_file|in_the_folder|in|inside|under|within <place>]",
			"在|从 [文件|目录|文件夹] <place> [目录|文件夹|文件] [里面|里|中|下] 搜索|查找|搜|找 [一下] [所有|全部] <text>",
			"搜索|查找|搜一下|找一下|搜 [一下] [文件|目录|文件夹] <place> [目录|文件夹|文件] 里面的|里的|中的|下的 [所有|全部] <text>",
			"搜索|查找|搜一下|找一下|搜 [一下] <text> 在 [文件|目录|文件夹] <place> [目录|文件夹|文件] [里面|里|中|下]",
			"搜索|查找|搜一下|找一下 [一下] [所有|全部] <text>",
		],
		args: ({ text, place }) =>
			isSearchable(text) ? inPlace({ pattern: searchPattern(text) }, "path", place) : undefined,
	},
	{
		tool: "searchFiles",
		// As the program of that name takes them: one pattern, one place. Of several bare words none is either.
		forms: [
			"grep [-rn|-nr|-r|-n] <text> [in|inside|under] [the] [file] <place>",
			"grep [-rn|-nr|-r|-n] <text>",
		],
		args: ({ text, place }) =>
			isSearchable(text) &&
			!(!text.quoted && /\s/.test(text.text)) &&
			(place === undefined ||
				place.quoted ||
				isHere(place.text) ||
				FOLDER.test(place.text) ||
				FILE.test(place.text))
				? inPlace({ pattern: searchPattern(text) }, "path", place)
				: undefined,
	},
	{
		tool: "runCommand",
		text: "command",
		forms: [
			"run|execute|exec [the] [following] [shell|bash|terminal] command|commands <command>",
			"run|execute|exec <command> in|inside [the] [folder|directory] <place>",
			"in [the] [folder|directory] <place> run|execute|exec <command>",
			"在 [目录|文件夹] <place> [目录|文件夹] [里面|里|中|下] 运行|执行 [一下] [命令] <command>",
			"run|execute|exec <command>",
			"运行|执行|跑一下 [一下] [命令] <command>",
		],
		args({ command, place }) {
			if (place !== undefined)
				return command?.quoted ? inPlace({ command: command.text }, "cwd", place) : undefined;
			return commandsOf(command?.split(PURPOSE)[0]);
		},
	},
];
