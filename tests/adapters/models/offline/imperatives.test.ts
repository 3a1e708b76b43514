// The grammar, form by form in both languages, and its bounds on any text.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactReply, parseImperatives } from "../../../../src/adapters/models/offline/imperatives.ts";

/** `tool {args}` for a call, `?` and the words for what no form fits. */
function spoken(message: string): string[] {
	return parseImperatives(message).map((imperative) =>
		imperative.kind === "call"
			? `${imperative.tool} ${JSON.stringify(imperative.args)}`
			: `? ${imperative.words}`,
	);
}

const ENGLISH: [string, ...string[]][] = [
	["list the files", "listFiles {}"],
	["List all files in src, please.", 'listFiles {"directory":"src"}'],
	["Show me what's in the project", "listFiles {}"],
	["what's in src", 'listFiles {"directory":"src"}'],
	["list files in ..", 'listFiles {"directory":".."}'],
	["what is in package.json?", 'readFile {"path":"package.json"}'],
	["Read the contents of README.md", 'readFile {"path":"README.md"}'],
	["could you please open the file “my notes.txt”?", 'readFile {"path":"my notes.txt"}'],
	[
		"read a.ts, b.ts and 'c d.ts'",
		'readFile {"path":"a.ts"}',
		'readFile {"path":"b.ts"}',
		'readFile {"path":"c d.ts"}',
	],
	["read lines 10-20 of a.ts", 'readFile {"path":"a.ts","offset":9,"limit":11}'],
	["show the first 5 lines of a.ts", 'readFile {"path":"a.ts","offset":0,"limit":5}'],
	["search for TODO in src", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["search src for TODO", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["find TODO and tell me where", 'searchFiles {"pattern":"TODO"}'],
	['grep "foo (bar" in the project', 'searchFiles {"pattern":"foo \\\\(bar"}'],
	["search for /a.+b/", 'searchFiles {"pattern":"a.+b"}'],
	["find files named *.test.ts in tests", 'findFiles {"pattern":"*.test.ts","path":"tests"}'],
	["find all *.ts files", 'findFiles {"pattern":"*.ts"}'],
	["create a.txt with hello world", 'writeFile {"path":"a.txt","content":"hello world"}'],
	["create a file called a.txt containing Hello.", 'writeFile {"path":"a.txt","content":"Hello."}'],
	['write "x" to b.txt', 'writeFile {"path":"b.txt","content":"x"}'],
	["create a.txt", 'writeFile {"path":"a.txt","content":""}'],
	["replace foo with bar in a.txt", 'editFile {"path":"a.txt","oldString":"foo","newString":"bar"}'],
	[
		"change all `a b` to 'c' in src/a.ts.",
		'editFile {"path":"src/a.ts","oldString":"a b","newString":"c","replaceAll":true}',
	],
	[
		"change a to b in a.txt everywhere",
		'editFile {"path":"a.txt","oldString":"a","newString":"b","replaceAll":true}',
	],
	["delete a.txt", 'deleteFile {"path":"a.txt"}'],
	["delete a file called a.txt", 'deleteFile {"path":"a.txt"}'],
	["read the file named a.txt", 'readFile {"path":"a.txt"}'],
	["list the files here", "listFiles {}"],
	["list the files in my project", "listFiles {}"],
	["grep TODO src", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["grep -rn TODO in src", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["in a.txt, search for TODO", 'searchFiles {"pattern":"TODO","path":"a.txt"}'],
	["search the file a.txt for TODO", 'searchFiles {"pattern":"TODO","path":"a.txt"}'],
	["search for hello world in the file a.txt", 'searchFiles {"pattern":"hello world","path":"a.txt"}'],
	['find every line with "a b" in src', 'searchFiles {"pattern":"a b","path":"src"}'],
	['create a.txt with "hello", please.', 'writeFile {"path":"a.txt","content":"hello"}'],
	['change "a" to "b" in the file called a.txt', 'editFile {"path":"a.txt","oldString":"a","newString":"b"}'],
	['create a.txt with "hello".', 'writeFile {"path":"a.txt","content":"hello"}'],
	[
		'create a.json with {"a": "b", "c": ["d", "e"]}',
		'writeFile {"path":"a.json","content":"{\\"a\\": \\"b\\", \\"c\\": [\\"d\\", \\"e\\"]}"}',
	],
	["run `X` in src", 'runCommand {"command":"X","cwd":"src"}'],
	["run `X` to see what is in src", 'runCommand {"command":"X"}'],
	["Run ls to see what's in the current directory", 'runCommand {"command":"ls"}'],
	["Run `npm test` and tell me the result", 'runCommand {"command":"npm test"}'],
	['run echo "a then b"', 'runCommand {"command":"echo \\"a then b\\""}'],
	[
		"Remember that I prefer TypeScript examples",
		'memory {"action":"add","text":"I prefer TypeScript examples","category":"preference"}',
	],
	[
		"please remember: never edit dist/ and read the notes first.",
		'memory {"action":"add","text":"never edit dist/ and read the notes first","category":"instruction"}',
	],
	['remember "the port is 8099."', 'memory {"action":"add","text":"the port is 8099.","category":"fact"}'],
	["remember what I said", "? remember what I said"],
	["forget that the port is 8099", 'memory {"action":"remove","old":"the port is 8099"}'],
	["fetch https://example.com/a?b=1.", 'webFetch {"url":"https://example.com/a?b=1"}'],
	["search the web for cats", 'webSearch {"query":"cats"}'],
	[
		"use the reviewer subagent to review a.ts, change nothing",
		'delegateToSubagent {"subagent":"reviewer","task":"review a.ts, change nothing"}',
	],
	["Review a.ts and b.ts. Change nothing.", 'readFile {"path":"a.ts"}', 'readFile {"path":"b.ts"}'],
	[
		'plan: read a; change "b; c"',
		'updatePlan {"items":[{"content":"read a","status":"pending"},{"content":"change \\"b; c\\"","status":"pending"}]}',
	],
];

const CHINESE: [string, ...string[]][] = [
	[
		"请记住我喜欢 TypeScript 示例。",
		'memory {"action":"add","text":"我喜欢 TypeScript 示例","category":"preference"}',
	],
	["记住，端口是 8099", 'memory {"action":"add","text":"端口是 8099","category":"fact"}'],
	["忘掉端口是 8099", 'memory {"action":"remove","old":"端口是 8099"}'],
	["列出文件", "listFiles {}"],
	["看看这个项目里有什么文件", "listFiles {}"],
	["src 目录里有什么？", 'listFiles {"directory":"src"}'],
	["请列出 src 目录里的文件，然后读 a.ts", 'listFiles {"directory":"src"}', 'readFile {"path":"a.ts"}'],
	["查看 README.md 的内容", 'readFile {"path":"README.md"}'],
	["帮我读一下 笔记.txt。", 'readFile {"path":"笔记.txt"}'],
	["在 src 里搜索 TODO", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["搜索「foo bar」", 'searchFiles {"pattern":"foo bar"}'],
	["查找名为 *.ts 的文件", 'findFiles {"pattern":"*.ts"}'],
	["创建 a.txt 内容为 你好，世界", 'writeFile {"path":"a.txt","content":"你好，世界"}'],
	["创建 新.txt 内容 你好", 'writeFile {"path":"新.txt","content":"你好"}'],
	["新建 新文件.txt", 'writeFile {"path":"新文件.txt","content":""}'],
	["创建一个新文件名为 a.txt", 'writeFile {"path":"a.txt","content":""}'],
	["把“嗨”写入 c.txt", 'writeFile {"path":"c.txt","content":"嗨"}'],
	["把 a.txt 里的 foo 替换成 bar", 'editFile {"path":"a.txt","oldString":"foo","newString":"bar"}'],
	[
		"把 a.txt 里所有的“a”都改为“b”。",
		'editFile {"path":"a.txt","oldString":"a","newString":"b","replaceAll":true}',
	],
	["删除 a.txt，读取 b.txt", 'deleteFile {"path":"a.txt"}', 'readFile {"path":"b.txt"}'],
	["运行 npm test", 'runCommand {"command":"npm test"}'],
	["运行 echo 你好", 'runCommand {"command":"echo 你好"}'],
	["在 src 里运行 `X`", 'runCommand {"command":"X","cwd":"src"}'],
	["搜索 src 里的 TODO", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["搜索 “TODO” 在 src", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["搜索所有 TODO", 'searchFiles {"pattern":"TODO"}'],
	["在 src 里查找所有 TODO", 'searchFiles {"pattern":"TODO","path":"src"}'],
	["在文件 a.txt 里搜索 TODO", 'searchFiles {"pattern":"TODO","path":"a.txt"}'],
	["替换 a.txt 中的 A 为 B", 'editFile {"path":"a.txt","oldString":"A","newString":"B"}'],
	["写入 “abc” 到 a.txt", 'writeFile {"path":"a.txt","content":"abc"}'],
	["列出这里的文件", "listFiles {}"],
	["创建 a.txt 内容为 我再看一次", 'writeFile {"path":"a.txt","content":"我再看一次"}'],
	["抓取 https://example.com", 'webFetch {"url":"https://example.com"}'],
	[
		"用 reviewer 子代理审查 a.ts，不要修改",
		'delegateToSubagent {"subagent":"reviewer","task":"审查 a.ts，不要修改"}',
	],
	[
		"计划：读；改",
		'updatePlan {"items":[{"content":"读","status":"pending"},{"content":"改","status":"pending"}]}',
	],
];

const SEVERAL: [string, ...string[]][] = [
	["list then read package.json", "listFiles {}", 'readFile {"path":"package.json"}'],
	["List the files. Read a.ts.", "listFiles {}", 'readFile {"path":"a.ts"}'],
	["1. list files\n2. read a.ts", "listFiles {}", 'readFile {"path":"a.ts"}'],
	["delete a.ts; run ls", 'deleteFile {"path":"a.ts"}', 'runCommand {"command":"ls"}'],
	[
		"create a.txt with 'x then y; z', and then read it",
		'writeFile {"path":"a.txt","content":"x then y; z"}',
		'readFile {"path":"a.txt"}',
	],
	[
		"创建 a.txt，内容为“你好；再见”，接着再读取它",
		'writeFile {"path":"a.txt","content":"你好；再见"}',
		'readFile {"path":"a.txt"}',
	],
	[
		"create a.txt with\n```\none; then\n\ntwo\n```\nthen list files",
		'writeFile {"path":"a.txt","content":"one; then\\n\\ntwo\\n"}',
		"listFiles {}",
	],
	[
		"Read notes.md and perform the maintenance step",
		'readFile {"path":"notes.md"}',
		"? perform the maintenance step",
	],
	["读取 notes.md 并执行维护步骤", 'readFile {"path":"notes.md"}', "? 执行维护步骤"],
	...[
		"先列出文件，再读取 a.txt，最后运行 `X`",
		"首先列出文件，其次读取 a.txt，最后运行 `X`。",
		"第一步：列出文件。第二步：读取 a.txt。第三步：运行 `X`",
		"First list the files. Second, read a.txt. Finally run `X`.",
		"First, list the files, next read a.txt, and finally run `X`",
	].map((message): [string, ...string[]] => [
		message,
		"listFiles {}",
		'readFile {"path":"a.txt"}',
		'runCommand {"command":"X"}',
	]),
	...["run `X` and `Y`", "run `X`, run `Y`", "运行 `X` 和 `Y`", "运行 `X`，运行 `Y`"].map(
		(message): [string, ...string[]] => [message, 'runCommand {"command":"X"}', 'runCommand {"command":"Y"}'],
	),
	...[
		'create a.txt with "x" and read it',
		'create a.txt with "x", read it',
		'create a.txt with "x". Read it.',
		'write "x" to a.txt and read it',
		"创建 a.txt 内容为“x”并读取它",
		"创建 a.txt 内容为“x”，读取它",
	].map((message): [string, ...string[]] => [
		message,
		'writeFile {"path":"a.txt","content":"x"}',
		'readFile {"path":"a.txt"}',
	]),
	[
		'replace "a" with "b" in a.txt and read it',
		'editFile {"path":"a.txt","oldString":"a","newString":"b"}',
		'readFile {"path":"a.txt"}',
	],
	[
		'remember "x" and read a.txt',
		'memory {"action":"add","text":"x","category":"fact"}',
		'readFile {"path":"a.txt"}',
	],
];

/** Nothing is asked besides the one command: the words behind it want its result told, as is done anyway. */
const RESULT_WANTED = [
	"run `X`, tell me the result",
	"run X, tell me the result",
	"run `X` and show me the output.",
	"运行 `X` 并告诉我结果",
	"运行 `X`，告诉我结果",
	"运行 `X` 看看结果",
	"运行`X`看看结果",
	"运行 X 并告诉我结果",
];

const PLANS = [
	"plan: look; change; test",
	"plan: look, change, test",
	"make a plan: 1. look 2. change 3. test",
	"plan:\n1. look\n2. change\n3. test",
	"计划：look，change，test",
	"计划：look；change；test",
];

const NO_CALL = [
	"What is the capital of France?",
	"法国的首都是哪里？",
	"hello",
	"你好",
	"再见",
	"fix the failing test",
	"run the tests",
	"运行测试",
	"delete everything",
	"write a poem",
	"write documentation to README.md",
	"create a.txt with:",
	"how to create a.txt",
	"How do I delete a.txt?",
	"find out why the build fails",
	"Can you read files?",
	"ask me to read a.ts",
	"append foo to a.txt",
	// Words are left over, so the quote may not be all that is meant.
	"run `X` with sudo",
	"run `X` as root",
	'run "npm test" twice',
	"run `X` and fix the errors",
	"run npm test in src",
	"run npm test or `npm run check`",
	"run git add -A and commit",
	"运行 `X` 两次",
	"运行 npm test 和 npm run check",
	'create a.txt with "a", and b.txt with "b"',
	'create a.txt with "x" in src',
	'create a.txt with the word "x"',
	'create a.txt with "x" and read it aloud',
	"创建 a.txt 内容为“x”和别的",
	"创建 “a.txt”和“b.txt”",
	'in a.txt replace "a" with "b" and "c" with "d"',
	'replace foo with the word "bar" in a.txt',
	"replace a to b with c in a.txt",
	"把 a.txt 里的“a”改成“b”，“c”改成“d”",
	// The end of a text without quotes may be a step of its own.
	"create a.txt with hello and read it",
	"create a.txt with eat, then sleep",
	"创建 a.txt 内容为 吃饭，然后睡觉",
	// Words about what to look for, not the text itself.
	"find where foo is defined",
	"find it",
	"search for TODO comments in src",
	"search my docs for TODO",
	"grep hello world",
	"搜索 文档 里的 TODO",
	'find files named "*.ts" or "*.js"',
	// A folder "my docs", or the folder docs of the person?
	"list the files in my docs",
	"search for TODO in my docs",
	"",
];

describe("parseImperatives", () => {
	it.each(ENGLISH)("reads the English form: %s", (message, ...calls) =>
		expect(spoken(message)).toEqual(calls),
	);
	it.each(CHINESE)("reads the Chinese form: %s", (message, ...calls) =>
		expect(spoken(message)).toEqual(calls),
	);
	it.each(SEVERAL)("keeps the order of several: %s", (message, ...calls) =>
		expect(spoken(message)).toEqual(calls),
	);
	it.each(NO_CALL)("makes no call of a question, a greeting or a vague wish: %s", (message) => {
		expect(parseImperatives(message).filter(({ kind }) => kind === "call")).toEqual([]);
	});

	it.each(RESULT_WANTED)("runs only the command where the result is asked for: %s", (message) => {
		expect(spoken(message)).toEqual(['runCommand {"command":"X"}']);
	});
	it.each(PLANS)("takes each step of a plan for one: %s", (message) => {
		expect(parseImperatives(message)).toMatchObject([
			{ args: { items: [{ content: "look" }, { content: "change" }, { content: "test" }] } },
		]);
	});

	it("gives each call of a list the words that ask for it", () => {
		const words = (message: string) => parseImperatives(message).map((imperative) => imperative.words);
		expect(words("读取 a.txt 和 “b c.txt”")).toEqual(["读取 a.txt", "读取 b c.txt"]);
		expect(words("run `X` and `Y`")).toEqual(["run `X`", "run `Y`"]);
	});

	it("runs and writes nothing but what the quotes hold, whatever words stand behind them", () => {
		const behind = fc
			.array(
				fc.oneof(
					fc.constantFrom(
						"and",
						",",
						"，",
						"并",
						"和",
						"then",
						".",
						"in",
						"src",
						"read it",
						"tell me",
						"告诉我",
					),
					fc.string({ unit: fc.constantFrom(..."ab-/.你好 ") }),
				),
				{ minLength: 1, maxLength: 6 },
			)
			.map((words) => ` ${words.join(" ")}`);
		const begin = fc.constantFrom("run `X`", "运行 `X`", "create a.txt with `X`", "创建 a.txt 内容为`X`");
		fc.assert(
			fc.property(begin, behind, (before, after) => {
				for (const imperative of parseImperatives(before + after)) {
					if (imperative.kind === "unclear") continue;
					const { command, content } = imperative.args;
					expect(command ?? content ?? "X").toBe("X");
				}
			}),
		);
	});

	it.each(["   ", ",", "`a` `b` ", " in a", "并读取 a", "和"])("takes little time over many %j", (text) => {
		const start = performance.now();
		for (const verb of ["search ", "替换 ", "run ", "create a.txt with "])
			parseImperatives(`${verb}${text.repeat(1900 / text.length)}x!x`);
		expect(performance.now() - start).toBeLessThan(2000);
	});

	it("reads the first paragraph with an imperative only, so that pasted text is never carried out", () => {
		expect(spoken("Hello!\n\nsearch for TODO\n\ndelete a.txt")).toEqual(['searchFiles {"pattern":"TODO"}']);
	});

	it("marks a review, so that what was read is judged", () => {
		expect(parseImperatives("review a.ts for bugs")).toMatchObject([{ tool: "readFile", review: true }]);
	});

	it("never throws, and gives every call a non-empty name and every piece its words, on any text", () => {
		const verbs = fc.constantFrom(
			"read ",
			"create ",
			" with ",
			"把",
			"里的",
			"替换成",
			" then ",
			'"',
			"'",
			"`",
			"\n",
			"\uE000",
			"\uE0010",
		);
		const text = fc
			.array(fc.oneof(verbs, fc.string({ unit: "binary" }), fc.constant("a.ts")))
			.map((parts) => parts.join(""));
		fc.assert(
			fc.property(text, (message) => {
				exactReply(message);
				for (const imperative of parseImperatives(message)) expect(imperative.words).not.toBe("");
			}),
		);
	});

	it("writes quoted content exactly, whatever it holds", () => {
		const content = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("`"));
		fc.assert(
			fc.property(content, (text) => {
				expect(parseImperatives(`create a.txt with \`${text}\``)).toMatchObject([
					{ args: { path: "a.txt", content: text } },
				]);
			}),
		);
	});

	it("calls nothing where one piece is longer than it reads", () => {
		expect(spoken(`read ${"a".repeat(60_000)}.ts`)).toEqual([`? read ${"a".repeat(195)}…`]);
	});
});

describe("exactReply", () => {
	it.each([
		["Reply exactly: OK", "OK"],
		['Please reply with exactly "pong"', "pong"],
		["Reply exactly: read a.ts then stop", "read a.ts then stop"],
		["请只回复：好的", "好的"],
		["reply exactlyness", undefined],
		["read a.ts", undefined],
	])("takes the wanted text out of: %s", (message, wanted) => expect(exactReply(message)).toBe(wanted));
});
