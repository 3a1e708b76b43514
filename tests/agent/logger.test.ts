import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { AgentLogger } from "../../src/agent/logger.ts";

const loggerUrl = pathToFileURL(join(import.meta.dirname, "../../src/agent/logger.ts")).href;

function record(options: { redact?: (text: string) => string } = {}) {
	const lines: string[] = [];
	const sink = (line: string) => void lines.push(line);
	const logger = new AgentLogger({ conversationId: "s1", runId: "r1", sink, now: () => 0, ...options });
	return { logger, lines, entries: () => lines.map((line) => JSON.parse(line)) };
}

describe("AgentLogger", () => {
	it("writes one object a line with time, ids, event and data", () => {
		const { logger, entries } = record();
		logger.log("tool_result", { toolName: "readFile", resultLength: 12, durationMs: 3 });
		expect(entries()).toEqual([
			{
				timestamp: "1970-01-01T00:00:00.000Z",
				conversationId: "s1",
				runId: "r1",
				event: "tool_result",
				data: { toolName: "readFile", resultLength: 12, durationMs: 3 },
			},
		]);
	});

	it("keeps the order of entries and never breaks a line", () => {
		const { logger, lines, entries } = record();
		logger.log("tool_execution_started", { toolName: "runCommand", args: { command: "printf 'a\nb'" } });
		logger.log("tool_result", { toolName: "runCommand", resultLength: 3, durationMs: 1 });
		expect(entries().map((entry) => entry.event)).toEqual(["tool_execution_started", "tool_result"]);
		expect(lines.every((line) => !line.includes("\n"))).toBe(true);
	});

	it("redacts every text, nested ones too, before it cuts long ones", () => {
		const secret = "k".repeat(10);
		const { logger, lines, entries } = record({ redact: (text) => text.replaceAll(secret, "[redacted]") });
		const edge = `${"x".repeat(19_995)}${secret}${"y".repeat(5_000)}`;
		logger.log("tool_call", { toolName: "writeFile", args: { list: [{ deep: secret }], edge, [secret]: 1 } });
		expect(lines[0]).not.toContain("kkk");
		expect(entries()[0].data.args.list).toEqual([{ deep: "[redacted]" }]);
		expect(entries()[0].data.args.edge).toMatch(/… \[5005 more characters\]$/);
	});

	it("takes out what looks like a key where no redactor was given", () => {
		const { logger, lines } = record();
		const key = `ghp_${"a1B2".repeat(9)}`;
		logger.error(new Error(`refused: ${key}`));
		expect(lines[0]).toContain("refused");
		expect(lines[0]).not.toContain(key);
	});

	it("writes what was thrown with its stack and context, an Error or not", () => {
		const { logger, entries } = record();
		logger.error(new TypeError("broken"), { during: "tool" });
		logger.error("just a text");
		expect(entries()[0].data).toMatchObject({ message: "broken", context: { during: "tool" } });
		expect(entries()[0].data.stack).toContain("TypeError: broken");
		expect(entries()[1].data).toEqual({ message: "just a text" });
	});

	it("does not throw for data that are no JSON", () => {
		const { logger, entries } = record();
		const circle: Record<string, unknown> = {};
		circle["self"] = circle;
		logger.log("tool_call", { toolName: "x", args: circle });
		logger.log("tool_call", { toolName: "x", args: { big: 10n } });
		expect(entries()[0]).toMatchObject({ event: "tool_call", data: { unreadable: expect.any(String) } });
		expect(entries()[1].data.args).toEqual({ big: "10" });
	});

	it("does not throw when its sink does", () => {
		const sink = () => {
			throw new Error("disk full");
		};
		expect(() => new AgentLogger({ sink }).error("x")).not.toThrow();
	});

	it("writes to the project's own log when it was made without arguments, also without a flush at the end", async () => {
		const folder = await mkdtemp(join(tmpdir(), "agi-logger-"));
		try {
			const program = join(folder, "program.mjs");
			const lines = [
				`import { AgentLogger } from ${JSON.stringify(loggerUrl)};`,
				"const one = new AgentLogger();",
				"const two = new AgentLogger({ runId: 'second' });",
				"one.log('agent_run_started', { model: 'm', historyLength: 0, userMessageLength: 2 });",
				"two.log('llm_call_started', { model: 'm', messageCount: 1 });",
				"one.log('agent_run_completed', { responseLength: 1, messageCount: 2 });",
			];
			await writeFile(program, lines.join("\n"));
			const child = spawn(process.execPath, [program], { cwd: folder, stdio: "inherit" });
			expect(await once(child, "exit")).toEqual([0, null]);
			const text = await readFile(join(folder, ".agent", "logs", "agent.jsonl"), "utf8");
			const events = text
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line).event);
			expect(events).toEqual(["agent_run_started", "llm_call_started", "agent_run_completed"]);
		} finally {
			await rm(folder, { recursive: true, force: true });
		}
	});
});
