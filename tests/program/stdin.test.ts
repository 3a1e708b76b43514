// What is piped in becomes part of the prompt; nothing that stdin may be keeps a headless run waiting, and nothing that
// becomes of stdout breaks it.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { at, createProject, runAgi, runShell, scripted } from "../support/program.ts";

/** The newest words of the person in a request. */
function asked(server: Awaited<ReturnType<typeof scripted>>): string {
	const said = server.requests.at(-1)?.messages.filter((message) => message.role === "user") ?? [];
	return said.at(-1)?.content ?? "";
}

describe.concurrent("agi -p reading stdin", () => {
	it("appends what is piped in to the prompt, after a blank line", async () => {
		const server = await scripted([{ text: "ok" }]);
		const ended = await runAgi(createProject(), ["-p", "explain this", ...at(server)], {
			stdin: "line 1\nline 2\n",
		});
		expect(ended.code, ended.stderr).toBe(0);
		expect(asked(server).trimEnd()).toBe("explain this\n\nline 1\nline 2");
	});

	it("takes piped text as the whole prompt where -p has none", async () => {
		const server = await scripted([{ text: "ok" }]);
		const ended = await runAgi(createProject(), [...at(server), "-p"], { stdin: "say hi — 你好\n" });
		expect(ended).toMatchObject({ code: 0, stdout: "ok\n" });
		expect(asked(server)).toContain("say hi — 你好");
	});

	it("reads a file and a long pipe to their ends", async () => {
		const server = await scripted([{ text: "ok" }]);
		const project = createProject({ "long.txt": `${"x".repeat(300_000)}END\n` });
		const line = `"$AGI" -p hi ${at(server).join(" ")}`;
		expect((await runShell(project, `${line} < long.txt`)).code).toBe(0);
		expect(asked(server)).toMatch(/x{300000}END/);
		expect((await runShell(project, `cat long.txt | ${line} | cat`)).stdout).toBe("ok\n");
		expect(asked(server)).toMatch(/x{300000}END/);
	});

	it("answers the prompt alone where stdin is empty", async () => {
		const server = await scripted([{ text: "ok" }]);
		const ended = await runAgi(createProject(), ["-p", "hi", ...at(server)], { stdin: "" });
		expect(ended).toMatchObject({ code: 0, stdout: "ok\n", stderr: "" });
		expect(asked(server)).toBe("hi");
	});

	it("ends with 42 where neither the flag nor stdin holds a prompt", async () => {
		const ended = await runAgi(createProject(), ["-m", "offline", "-p"], { stdin: " \n" });
		expect(ended).toMatchObject({ code: 42, stdout: "" });
		expect(ended.stderr).toMatch(/no prompt.*agi -p/i);
	});

	it("ends with 42 where binary bytes are piped in, and asks no model", async () => {
		const server = await scripted([{ text: "ok" }]);
		const ended = await runAgi(createProject(), ["-p", "hi", ...at(server)], {
			stdin: "PK\u0003\u0000\u0000",
		});
		expect(ended).toMatchObject({ code: 42, stdout: "" });
		expect(ended.stderr).toMatch(/binary or not UTF-8\. Pipe in UTF-8 text/);
		expect(server.requests).toHaveLength(0);
	});

	it("goes on after 3 s where stdin is a pipe that stays open and silent, and says so", async () => {
		const server = await scripted([{ text: "ok" }]);
		const ended = await runAgi(createProject(), ["-p", "hi", ...at(server)], { stdin: { open: true } });
		expect(ended).toMatchObject({ code: 0, stdout: "ok\n" });
		expect(ended.stderr).toMatch(/Nothing came on stdin within 3 s/);
	});

	it("works to its end where the reader of its output leaves early", async () => {
		const server = await scripted([{ text: "ok" }]);
		const line = `{ "$AGI" -p hi ${at(server).join(" ")}; echo "$?" > code; } | true; cat code`;
		expect(await runShell(createProject(), line)).toMatchObject({ stdout: "0\n", stderr: "" });
	});

	it.skipIf(!existsSync("/dev/full"))(
		"ends with 1 and a sentence where its output cannot be written",
		async () => {
			const server = await scripted([{ text: "ok" }]);
			const ended = await runShell(createProject(), `"$AGI" -p hi ${at(server).join(" ")} > /dev/full`);
			expect(ended.code).toBe(1);
			expect(ended.stderr).toMatch(/^The output could not be written: .*ENOSPC.*\n$/);
		},
	);

	it("writes no colour or cursor codes into a pipe", async () => {
		const server = await scripted([{ text: "**bold** `code`" }]);
		const project = createProject();
		const ended = await runShell(project, `"$AGI" -p hi ${at(server).join(" ")} 2>err >out; cat out err`);
		expect(ended.stdout).toBe("**bold** `code`\n");
	});
});
