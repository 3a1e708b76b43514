// The words of the offline model: reports of tool results, the plan of plan mode, and what it can do; English and Chinese.
// Pure. Every text starts with the label; a failure is told as it was, never as a success.

import type { Imperative } from "./imperatives.ts";
import { foundFor, nothingFound, sentenceFor } from "./results.ts";
import type { Say } from "./say.ts";
import { escapeText } from "./slots.ts";

/** A call and what came of it, unwrapped. */
export interface Step {
	imperative: Extract<Imperative, { kind: "call" }>;
	failed: boolean;
	text: string;
}

/** Why the work ends before its last imperative. */
export type Stop =
	| { kind: "failed"; left: Imperative[] }
	| { kind: "unclear"; words: string }
	| { kind: "notOffered"; tool: string; words: string };

const ENGLISH_LABEL = "(offline model, not an AI)";
const CHINESE_LABEL = "（离线模型，不是 AI）";
const SHOWN_LINES = 12;
const SHOWN_NAMES = 40;
const SHOWN_CHARACTERS = 2000;

const WRAPPED = /^\s*<tool_result\b([^>]*)>\n?([\s\S]*?)\n?<\/tool_result>\s*$/;
const FAILED =
	/^(?:\[Agent stopped|Unknown tool: |File not found: |Denied: |Not run: |Blocked: |Command (?:failed \(|blocked: |timed out|could not be started|was cancelled)|The call was (?:denied|not run)|The user denied|The tool \w+ is switched off|Plan mode is on|\w+ was cancelled(?:\.| but))/;
const WRITTEN =
	/^\W*(?:Success|Wrote|Written|Created|Edited|Replaced|Updated|Changed|Deleted|Removed|Saved)/i;
const WRITERS = new Set(["writeFile", "editFile", "deleteFile"]);

/** Unwraps a tool result and says whether it tells a failure; a write counts as done only where it says so. */
export function readToolText(tool: string, raw: string): { failed: boolean; text: string } {
	const [, attributes = "", inner] = WRAPPED.exec(raw) ?? [];
	const text = (inner ?? raw).trim();
	const status = /\bstatus="(\w+)"/.exec(attributes)?.[1];
	const refusal = refusalOf(text);
	if (refusal !== undefined) return { failed: true, text: refusal };
	if (status !== undefined) return { failed: status !== "result", text };
	if (tool === "readFile" && text.includes("\n")) return { failed: false, text };
	return { failed: FAILED.test(text) || (WRITERS.has(tool) && !WRITTEN.test(text)), text };
}

/** The message of an error told as `{"ok":false,"error":{"message":…}}`; undefined where the text is none. */
function refusalOf(text: string): string | undefined {
	if (!text.startsWith('{"ok":false,')) return undefined;
	try {
		const parsed: { error?: { type?: unknown; message?: unknown } } = JSON.parse(text);
		return typeof parsed.error?.message === "string" ? parsed.error.message : undefined;
	} catch {
		return undefined;
	}
}

/** Tells every result in words, then why the work stopped, where it did. */
export function reportText(say: Say, steps: Step[], stop?: Stop): string {
	const parts = steps.map((step) => stepText(say, step));
	return [say(ENGLISH_LABEL, CHINESE_LABEL), ...parts, ...(stop ? [stopText(say, stop)] : [])].join("\n\n");
}

function stopText(say: Say, stop: Stop): string {
	switch (stop.kind) {
		case "failed":
			return stop.left.length === 0
				? say("I stopped here.", "已到此停止。")
				: say("I stopped here. Not done: ", "已到此停止；没有执行：") + listOf(say, stop.left);
		case "notOffered":
			return say(
				`This session does not offer the tool ${stop.tool}, so I did not do: ${stop.words}`,
				`本次会话没有提供工具 ${stop.tool}，所以没有执行：${stop.words}`,
			);
		case "unclear":
			return say(
				`I do not understand "${stop.words}", so I stopped there. I know these forms:\n${ENGLISH_FORMS}`,
				`我不理解“${stop.words}”，所以停在这里。我只认识这些说法：\n${CHINESE_FORMS}`,
			);
	}
}

function listOf(say: Say, imperatives: Imperative[]): string {
	return imperatives.map(({ words }) => words).join(say("; ", "；"));
}

function stepText(say: Say, { imperative, failed, text }: Step): string {
	const { tool, args } = imperative;
	const told = sentenceFor(say, tool, text);
	const subject = `${args["path"] ?? args["directory"] ?? args["subagent"] ?? "."}`;
	const colon = say(": ", "：");
	if (tool === "runCommand") return commandText(say, `${args["command"]}`, failed, text, told);
	if (failed)
		return `${say(`This failed: ${imperative.words}`, `失败：${imperative.words}`)}\n${excerpt(say, told)}`;
	if (imperative.review) return findingsText(say, subject, text);
	switch (tool) {
		case "listFiles":
			return listingText(say, subject, text, told);
		case "searchFiles":
			return hitsText(say, literalOf(`${args["pattern"]}`), text);
		case "findFiles":
			return hitsText(say, `${args["pattern"]}`, text);
		case "readFile":
			// A file's content is never taken for a sentence of the tool, except that there is none.
			return /^The file .* is empty \(0 bytes\)\.$/.test(text)
				? told
				: `${subject}${colon.trim()}\n${excerpt(say, foundFor(say, text))}`;
		case "writeFile":
		case "editFile":
		case "deleteFile":
			return `${subject}${colon}${excerpt(say, told)}`;
		case "delegateToSubagent":
			return `${subject}${colon.trim()}\n${excerpt(say, text.replace(ENGLISH_LABEL, "").replace(CHINESE_LABEL, "").trim(), 60)}`;
		case "webFetch":
		case "webSearch":
			return excerpt(say, text);
		default:
			return excerpt(say, told);
	}
}

function hitsText(say: Say, wanted: string, text: string): string {
	const found = `${say(`Found for ${wanted}:`, `查找 ${wanted}：`)}\n${excerpt(say, foundFor(say, text))}`;
	return nothingFound(say, text, wanted) ?? found;
}

/** The text that a pattern stands for, where it stands for one; else the pattern between slashes. */
function literalOf(pattern: string): string {
	const literal = pattern.replace(/\\([\\^$.*+?()[\]{}|])/g, "$1");
	return escapeText(literal) === pattern ? literal : `/${pattern}/`;
}

function commandText(say: Say, command: string, failed: boolean, text: string, sentence: string): string {
	const told = /^Command (?:failed \(exit code (-?\d+)\):?|completed successfully \(no output\))\s*/.exec(
		text,
	);
	const code = told?.[1] ?? (failed ? undefined : "0");
	const output = code === undefined ? sentence : text.slice(told?.[0].length ?? 0);
	const tail = output.split("\n").slice(-SHOWN_LINES).join("\n").slice(-SHOWN_CHARACTERS);
	const end =
		code === undefined
			? say("did not succeed:", "没有成功：")
			: say(`ended with exit code ${code}:`, `结束，退出码 ${code}：`);
	return `\`${command}\` ${end}\n${tail || say("(no output)", "（没有输出）")}`;
}

function listingText(say: Say, folder: string, text: string, told: string): string {
	const entries = [...text.matchAll(/^\[(\w+)\] (.+)$/gm)];
	if (entries.length === 0) return told;
	const names = entries
		.slice(0, SHOWN_NAMES)
		.map(([, kind, name]) => (kind === "dir" ? `${name}/` : `${name}`));
	const more = entries.length - names.length;
	if (more > 0) names.push(say(`and ${more} more`, `还有 ${more} 项`));
	return say(`In ${folder}: ${names.join(", ")}`, `${folder} 里有：${names.join("、")}`);
}

/** Signs of trouble that a line shows by itself: pattern, English, Chinese. */
const FINDINGS: [RegExp, string, string][] = [
	[/\b(?:TODO|FIXME|HACK)\b/, "unfinished work is marked", "标有未完成的工作"],
	[/\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}|^\s*except\s*:/, "an error is swallowed", "错误被吞掉"],
	[/\beval\s*\(/, "eval runs text as code", "eval 把文本当代码运行"],
	[/\b(?:password|secret|api_?key)\s*[:=]\s*["'][^"']{6,}/i, "a secret seems to stand here", "好像写有密钥"],
	[/\b(?:console\.log|debugger)\b/, "debug output was left", "留有调试输出"],
];

function findingsText(say: Say, path: string, text: string): string {
	const lines = text.replace(/\n\[Showing lines [^\n]*\]$/, "").split("\n");
	const found = lines.flatMap((line, index) =>
		FINDINGS.filter(([sign]) => sign.test(line.slice(0, 1000))).map(
			([, english, chinese]) => `- ${path}:${index + 1}${say(`: ${english}`, `：${chinese}`)}`,
		),
	);
	const none = say("- my fixed patterns found nothing", "- 固定规则没有发现问题");
	const head = say(
		`Review of ${path}, ${lines.length} ${lines.length === 1 ? "line" : "lines"} (by fixed patterns; I do not understand code):`,
		`审查 ${path}，共 ${lines.length} 行（只查固定模式，不理解代码）：`,
	);
	return `${head}\n${excerpt(say, found.join("\n") || none)}`;
}

function excerpt(say: Say, text: string, most = SHOWN_LINES): string {
	const lines = text.split("\n");
	const shown = lines.slice(0, most).join("\n");
	const cut = shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}…` : shown;
	const more = lines.length - most;
	return more > 0 ? `${cut}\n${say(`… and ${more} more lines`, `…… 还有 ${more} 行`)}` : cut;
}

const RISKS: [tool: string, english: string, chinese: string][] = [
	["writeFile", "a file that exists already is overwritten", "已有的文件会被覆盖"],
	["editFile", "the edit fails unless the old text is there", "旧文本不存在时修改会失败"],
	["deleteFile", "a deleted file is gone", "删除的文件就没有了"],
	["runCommand", "a command may change more than it shows", "命令的影响可能比看到的多"],
];

/** The text that was asked for word by word, below the label: it is no answer of an AI either. */
export function exactText(say: Say, wanted: string): string {
	return `${say(ENGLISH_LABEL, CHINESE_LABEL)}\n\n${wanted}`;
}

/** The plan of plan mode: what would be done, to which files, the risks, and how to verify it. */
export function planText(say: Say, steps: Step[], imperatives: Imperative[]): string {
	const calls = imperatives.filter((imperative) => imperative.kind === "call");
	const list = imperatives.map((imperative, index) => {
		const stop = say("not understood: I would stop here", "我不理解，会停在这里");
		return `${index + 1}. ${imperative.words} (${imperative.kind === "call" ? imperative.tool : stop})`;
	});
	const files = [...new Set(calls.flatMap(({ args }) => (args["path"] === undefined ? [] : [args["path"]])))];
	const risks = RISKS.filter(([tool]) => calls.some((call) => call.tool === tool));
	return [
		reportText(say, steps),
		"",
		say("Plan (nothing has been changed):", "计划（还没有改动任何东西）："),
		...list,
		say("Files: ", "文件：") + (files.join(", ") || "-"),
		say("Risks: ", "风险：") +
			risks.map(([, english, chinese]) => say(english, chinese)).join(say("; ", "；")),
		say("Verify: read each file afterwards; look at exit codes.", "验证：读一下每个文件；看命令的退出码。"),
		say('Then say "Execute the approved plan."', "批准后说“执行批准的计划”。"),
	].join("\n");
}

const ENGLISH_FORMS = `- list the files in src, then read package.json
- search for TODO in src
- create hello.txt with "Hello", then replace "Hello" with "Bye" in hello.txt
- run \`npm test\`
Also: remember that FACT; delete FILE; find files named "*.ts"; plan: A; B; C; fetch URL; use the reviewer subagent to review FILE. To add to a file, replace a piece of it with that piece and the new text. Put texts and commands in quotes or backticks, so that I know where they end.`;
const CHINESE_FORMS = `- 列出 src 里的文件，然后读 package.json
- 在 src 里搜索 TODO
- 创建 hello.txt 内容为“你好”，然后把 hello.txt 里的“你好”替换成“再见”
- 运行 \`npm test\`
还有：记住 事实；删除 文件；查找名为 "*.ts" 的文件；计划：A；B；C；抓取 网址；用 reviewer 子代理审查 文件。要在文件里追加，请把其中一段替换成它加上新内容。文本和命令请放在引号或反引号里，我才知道它们到哪里为止。`;

/** What the offline model can do and how to set a real one: the answer to everything that is no imperative. */
export function helpText(say: Say): string {
	return say(
		`${ENGLISH_LABEL}\n\nI carry out plain instructions by fixed rules; I cannot answer questions or find a way myself. Try for example:\n${ENGLISH_FORMS}\n\nFor a real model set LLM_API_KEY, LLM_MODEL and LLM_BASE_URL, or run \`agi -m MODEL\`; see the README.`,
		`${CHINESE_LABEL}\n\n我只按固定规则执行指令，不能回答问题，也不能自己想办法。可以这样说：\n${CHINESE_FORMS}\n\n要用真正的模型：设置 LLM_API_KEY、LLM_MODEL 和 LLM_BASE_URL，或运行 \`agi -m MODEL\`；详见 README。`,
	);
}
