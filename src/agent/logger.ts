// Writes what a run does into the diagnostic log, one JSON object a line. The log is for people and tools, never truth:
// nothing here may slow a run down, throw into it, or let a secret through.

import { createRedactor } from "../policy/redact.ts";

/** The entries there are, each with its data. Lengths are characters or messages; durations milliseconds. */
export interface DiagnosticEvents {
	agent_run_started: { model: string; historyLength: number; userMessageLength: number };
	llm_call_started: { model: string; messageCount: number };
	llm_call_completed: {
		finishReason: string;
		inputTokens: number;
		outputTokens: number;
		toolCallCount: number;
	};
	tool_call: { toolName: string; args: unknown };
	approval: { toolName: string; approved: boolean };
	tool_execution_started: { toolName: string; args: unknown };
	tool_result: { toolName: string; resultLength: number; durationMs: number };
	error: { message: string; stack?: string; context?: unknown };
	agent_run_completed: { responseLength: number; messageCount: number };
}

/** How a logger is made. Everything may be left out. */
export interface LoggerOptions {
	/** The session. Empty where there is none. */
	conversationId?: string;
	/** One run of the agent in it. */
	runId?: string;
	/** Of a subagent's session: its name, and the session that it works for. */
	subagent?: { name: string; parentId: string };
	/** Takes each line, without a line end. Absent: `.agent/logs/agent.jsonl` of this process's folder. */
	sink?: (line: string) => void;
	/** Takes secrets out of a text. Absent: what looks like a secret is taken out, known values are not known. */
	redact?: (text: string) => string;
	/** Epoch milliseconds. */
	now?: () => number;
}

const LONGEST_TEXT = 20_000;

/** A writer of diagnostic entries; `log` never throws and returns at once, lines keep their order. */
export class AgentLogger {
	readonly conversationId: string;
	readonly runId: string;
	readonly #subagent: LoggerOptions["subagent"];
	readonly #redact: (text: string) => string;
	readonly #now: () => number;
	readonly #sink: ((line: string) => void) | undefined;

	constructor(options: LoggerOptions = {}) {
		this.conversationId = options.conversationId ?? "";
		this.runId = options.runId ?? "";
		this.#subagent = options.subagent;
		this.#redact = options.redact ?? createRedactor([]);
		this.#now = options.now ?? Date.now;
		this.#sink = options.sink;
	}

	/** Writes one entry. Long texts are cut after redaction, so that no half of a secret stays. */
	log<E extends keyof DiagnosticEvents>(event: E, data: DiagnosticEvents[E]): void {
		const timestamp = new Date(this.#now()).toISOString();
		const child = this.#subagent && { subagent: this.#subagent.name, parentId: this.#subagent.parentId };
		const head = { timestamp, conversationId: this.conversationId, runId: this.runId, ...child, event };
		this.#write(this.#line(head, data));
	}

	/** Writes an `error` entry for whatever was thrown. `context` says during what. */
	error(thrown: unknown, context?: unknown): void {
		const message = thrown instanceof Error ? thrown.message : String(thrown);
		const stack = thrown instanceof Error && thrown.stack !== undefined ? { stack: thrown.stack } : {};
		this.log("error", { message, ...stack, ...(context === undefined ? {} : { context }) });
	}

	/** Resolves when every line given to the project's log file is in it. Never rejects; lines may follow. */
	async flush(): Promise<void> {
		if (this.#sink !== undefined) return;
		const file = await projectFile;
		await file?.flush();
	}

	#line(head: Record<string, unknown>, data: unknown): string {
		const clean = (_key: string, value: unknown): unknown => {
			if (typeof value === "bigint") return String(value);
			if (typeof value === "string") return bounded(this.#redact(value));
			if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
			return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.#redact(key), member]));
		};
		try {
			return JSON.stringify({ ...head, data }, clean);
		} catch {
			return JSON.stringify({ ...head, data: { unreadable: "These data cannot be written as JSON." } });
		}
	}

	#write(line: string): void {
		if (this.#sink !== undefined) {
			try {
				this.#sink(line);
			} catch {
				// A log that cannot be written must not end the run that it tells of.
			}
			return;
		}
		projectFile ??= openFile();
		// Lines that wait for the same promise are written in the order in which they began to wait.
		void projectFile.then((file) => file?.write(line));
	}
}

interface OpenFile {
	write(line: string): void;
	flush(): Promise<void>;
}

/** One for all loggers of this process, so that their lines stand in the order in which they were logged. */
let projectFile: Promise<OpenFile | undefined> | undefined;

async function openFile(): Promise<OpenFile | undefined> {
	try {
		return await (await import("../adapters/diagnosticsFile.ts")).openOwnDiagnosticsFile();
	} catch {
		return undefined;
	}
}

function bounded(text: string): string {
	if (text.length <= LONGEST_TEXT) return text;
	return `${text.slice(0, LONGEST_TEXT)}… [${text.length - LONGEST_TEXT} more characters]`;
}
