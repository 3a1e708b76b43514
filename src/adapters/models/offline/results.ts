// What a tool's own sentences are in the words of the person who reads them: in their language, and without what is
// meant for a model. Pure. A sentence that is not known is told as the tool said it.

import type { Say } from "./say.ts";

/** A sentence of a tool, and the same for a person; `english` is absent where the tool's own is plain enough. */
interface Sentence {
	said: RegExp;
	chinese: string;
	english?: string;
}

/** In `english` and `chinese`, `$1` is what the first group caught. */
const SENTENCES: readonly Sentence[] = [
	{ said: /^Successfully wrote (\d+) characters? to .+$/s, chinese: "已写入 $1 个字符" },
	{
		said: /^Successfully replaced (\d+) occurrences? in .+ \(line (\d+)\)$/s,
		chinese: "已替换 $1 处（第 $2 行）",
	},
	{ said: /^Successfully replaced (\d+) occurrences? in .+$/s, chinese: "已替换 $1 处" },
	{ said: /^Successfully deleted .+$/s, chinese: "已删除" },
	{
		said: /^Plan updated: (\d+) of (\d+) steps completed\.$/,
		chinese: "计划已更新：共 $2 步，已完成 $1 步。",
	},
	{ said: /^File not found: (.+)$/s, chinese: "找不到文件：$1" },
	{ said: /^Folder not found: (.+)$/s, chinese: "找不到文件夹：$1" },
	{ said: /^The folder (.+) is empty\.$/s, chinese: "文件夹 $1 是空的。" },
	{ said: /^The file (.+) is empty \(0 bytes\)\.$/s, chinese: "文件 $1 是空的（0 字节）。" },
	{
		said: /^(.+) is a folder, not a file\. Use listFiles to see what is in it\.$/s,
		english: '$1 is a folder, not a file. To see what is in it, say: list the files in "$1"',
		chinese: "$1 是文件夹，不是文件。要看里面有什么，可以说：列出 “$1” 里的文件",
	},
	{ said: /^(.+) is not a folder\.$/s, chinese: "$1 不是文件夹。" },
	{
		said: /^(.+) is a binary file of (\d+) bytes; it has no text to read\.$/s,
		chinese: "$1 是二进制文件（$2 字节），没有可读的文本。",
	},
	{
		said: /^offset \d+ is past the end: (.+) has (\d+) lines\.$/s,
		english: "$1 has only $2 lines.",
		chinese: "$1 只有 $2 行。",
	},
	{
		said: /^oldString was not found in (.+?)\. The nearest text is lines? ([\d-]+)[^\n]*\n(.*)$/s,
		english: "The text to replace was not found in $1. The nearest is line $2:\n$3",
		chinese: "在 $1 里没有找到要替换的文本。最接近的是第 $2 行：\n$3",
	},
	{
		said: /^oldString was not found in (.+?)\. .*$/s,
		english: "The text to replace was not found in $1.",
		chinese: "在 $1 里没有找到要替换的文本。",
	},
	{
		said: /^oldString occurs (\d+) times in (.+) \(lines ([^)]*)\)\..*$/s,
		english: 'The text to replace stands $1 times in $2 (lines $3). Give more of it, or say "replace all".',
		chinese: "要替换的文本在 $2 里有 $1 处（第 $3 行）。请多写一点，或说“所有的”。",
	},
	{
		said: /^oldString is empty\..*$/s,
		english: "The text to replace is empty.",
		chinese: "要替换的文本是空的。",
	},
	{
		said: /^oldString and newString are the same; there is nothing to change\.$/,
		english: "The old and the new text are the same; there is nothing to change.",
		chinese: "新旧文本相同，没有什么要改。",
	},
	{ said: /^(\S+) says so already; nothing was changed\.$/, chinese: "$1 里已经有了，没有改动。" },
	{ said: /^Remembered in (\S+): (.*)$/s, chinese: "已记在 $1：$2" },
	{ said: /^Forgotten in (\S+): (.*)$/s, chinese: "已从 $1 删去：$2" },
	{
		said: /^No entry holds (".*")\. .*$/s,
		english: "Nothing remembered holds $1.",
		chinese: "记忆里没有 $1。",
	},
	{ said: /^The user denied this call\. It was not run\.$/, chinese: "你没有同意，所以没有执行。" },
	{ said: /^The user denied this call: (.*)$/s, chinese: "你没有同意，所以没有执行：$1" },
	{
		said: /^Command timed out after (\d+) s and was ended(.*)$/s,
		chinese: "命令运行 $1 秒后超时，已被停止$2",
	},
	{ said: /^Command blocked: (.*)$/s, chinese: "命令被拦下：$1" },
	{ said: /^Command could not be started: (.*)$/s, chinese: "命令无法启动：$1" },
	{
		said: /^The tool (\w+) is switched off for this run\..*$/s,
		english: "The tool $1 is switched off for this run.",
		chinese: "本次运行关闭了工具 $1。",
	},
];

/** A note in brackets that stands on a line of its own behind what was found. */
const NOTES: readonly Sentence[] = [
	{
		said: /^\[Showing lines (\d+)-(\d+) of (\d+)\. Use offset to read more\.\]$/,
		english: "[Showing lines $1-$2 of $3.]",
		chinese: "[第 $1-$2 行，共 $3 行。]",
	},
	{
		said: /^\[Showing lines (\d+)-(\d+) of (\d+)\. End of file\.\]$/,
		chinese: "[第 $1-$2 行，共 $3 行，到文件末尾。]",
	},
	{
		said: /^\[Showing the first (\d+) hits; there are more\..*\]$/,
		english: "[Showing the first $1 hits; there are more.]",
		chinese: "[只显示前 $1 处，还有更多。]",
	},
	{
		said: /^\[Showing (\d+) of (\d+) files\..*\]$/,
		english: "[Showing $1 of $2 files.]",
		chinese: "[共 $2 个文件，显示 $1 个。]",
	},
	{
		said: /^\[(\d+) files? that usually holds? secrets (?:was|were) left out\.\]$/,
		chinese: "[略过了 $1 个通常存放机密的文件。]",
	},
	{
		said: /^\[The search took too long and was ended;.*\]$/,
		english: "[The search took too long and was ended; hits may be missing.]",
		chinese: "[搜索太久，已停止；结果可能不全。]",
	},
	{
		said: /^\[Not UTF-8: read as Latin-1;.*\]$/,
		english: "[Not UTF-8: read as Latin-1.]",
		chinese: "[不是 UTF-8：按 Latin-1 读取。]",
	},
];

/** A sentence of a tool for a person; any other text unchanged. */
export function sentenceFor(say: Say, tool: string, text: string): string {
	return denialFor(say, tool, text) ?? spoken(say, SENTENCES, text) ?? text;
}

/** What a tool found, with the notes at its end for a person; the content is not touched. */
export function foundFor(say: Say, text: string): string {
	const lines = text.split("\n");
	for (let at = lines.length - 1; at >= 0; at--) {
		const note = spoken(say, NOTES, lines[at] ?? "");
		if (note === undefined) break;
		lines[at] = note;
	}
	return lines.join("\n");
}

/** What a search says that found nothing, followed by its notes; undefined where it found something. */
export function nothingFound(say: Say, text: string, wanted: string): string | undefined {
	const said =
		/^No (line|file) matches [\s\S]* in (\S[^\n]*?) \(what git ignores (?:and binary files are|is) left out\)\./.exec(
			text,
		);
	if (said === null) return undefined;
	const [sentence, what, place] = said;
	const none =
		what === "line"
			? say(
					`No line in ${place} holds "${wanted}" (what git ignores and binary files are left out).`,
					`${place} 里没有哪一行有“${wanted}”（不含 git 忽略的文件和二进制文件）。`,
				)
			: say(
					`No file in ${place} matches "${wanted}" (what git ignores is left out).`,
					`${place} 里没有匹配“${wanted}”的文件（不含 git 忽略的文件）。`,
				);
	return foundFor(say, none + text.slice(sentence.length));
}

function spoken(say: Say, sentences: readonly Sentence[], text: string): string | undefined {
	const known = sentences.find(({ said }) => said.test(text));
	if (known === undefined) return undefined;
	const words = say(known.english ?? "$&", known.chinese);
	return text.replace(known.said, words);
}

const NOBODY_ASKED = /^[^\n]*?nobody can be asked in this run(?: \(([\s\S]*)\))?\./;
const REASONS: readonly Sentence[] = [
	{ said: /^It changes files\.$/, chinese: "它会修改文件。" },
	{
		said: /^It replaces a file that was not read in this session\.$/,
		chinese: "它会覆盖本次会话里没有读过的文件。",
	},
	{
		said: /^It deletes a file that was not read in this session\.$/,
		chinese: "它会删除本次会话里没有读过的文件。",
	},
	{ said: /^It sends a request to the network\.$/, chinese: "它会访问网络。" },
	{ said: /^It reads (.+), outside the workspace\.$/s, chinese: "它要读工作区之外的 $1。" },
	{ said: /^It runs a command\b.*$/s, chinese: "它会运行命令。" },
];

/** A refusal because nobody can be asked, with the way out that the person has; undefined for any other text. */
function denialFor(say: Say, tool: string, text: string): string | undefined {
	const denial = NOBODY_ASKED.exec(text);
	if (denial === null) return undefined;
	const reason = denial[1] ?? "";
	const why = (spoken(say, REASONS, reason) ?? reason).replace(/[.。]$/, "");
	const flag = flagFor(tool, reason);
	const because = why === "" ? "" : say(` (${why})`, `（${why}）`);
	return say(
		`This needs your yes${because}, and nobody can be asked in this run. To allow it, ${flag ? `add \`${flag}\`, or ` : ""}start \`agi\` in a terminal, where it asks.`,
		`这需要你同意${because}，而本次运行没有人可问。要允许它，${flag ? `请加上 \`${flag}\`，或` : "请"}在终端里启动 \`agi\`，它会询问你。`,
	);
}

/** The flag that allows such a call; undefined where none does, or where the reason names one itself. */
function flagFor(tool: string, reason: string): string | undefined {
	if (/outside the workspace|\s--[a-z]/.test(reason)) return undefined;
	return reason === "It changes files." ? "--permission-mode acceptEdits" : `--allowed-tools ${tool}`;
}
