// Logs as a session of many turns leaves them, made at once instead of by running it.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import type { Commit, ModelConfig, SessionEvent } from "../../src/session/events.ts";
import { encodeLine } from "../../src/session/line.ts";

const MODEL: ModelConfig = {
	model: "m",
	profile: "custom",
	baseUrl: "http://127.0.0.1",
	contextWindow: 128_000,
};
const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 0 };
const READ_CALLS = 8;

/** The events of a session: one commit in each list. */
type Commits = SessionEvent[][];

/** A sound session of so many turns; each asks `prompt`, reads eight files and answers with `answer`. */
export function sessionCommits(
	sessionId: string,
	turns: number,
	texts: { prompt?: string; answer?: string; result?: string } = {},
): Commit[] {
	const commits: Commits = [[created(sessionId)]];
	const made = { message: 0, step: 0, call: 0 };
	for (let turn = 1; turn <= turns; turn++) commits.push(...turnCommits(turn, made, texts));
	return commits.map((events, at) => ({
		v: 1,
		seq: at + 1,
		at: new Date(Date.UTC(2026, 10, 1) + at * 1000).toISOString(),
		events,
	}));
}

/** Writes commits as a log. */
export function writeLog(path: string, commits: readonly Commit[]): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, Buffer.concat(commits.map((commit) => encodeLine(commit, crc32))));
}

function created(sessionId: string): SessionEvent {
	const facts = {
		cwd: "/w",
		projectId: "p",
		agiVersion: "1",
		startedOn: "2026-11-01",
		mode: "default",
	} as const;
	return { type: "session/created", sessionId, ...facts };
}

function turnCommits(
	turn: number,
	made: { message: number; step: number; call: number },
	{
		prompt = `question ${turn}`,
		answer = `answer ${turn}`,
		result = "a line of a file",
	}: Parameters<typeof sessionCommits>[2] & object,
): Commits {
	const turnId = `turn-${turn}`;
	const asked = `message-${++made.message}`;
	const commits: Commits = [
		[
			{ type: "user/message", messageId: asked, text: prompt, origin: "person" },
			{ type: "inbox/enqueued", messageId: asked, target: "next_turn", wakeup: true },
		],
		[{ type: "turn/start", turnId, source: { kind: "inbox", messageIds: [asked] } }],
	];
	for (let ask = 0; ask <= READ_CALLS; ask++) {
		const claimed = ask === 0 ? [asked] : [];
		const calls = ask < READ_CALLS ? [`call-${++made.call}`] : [];
		commits.push(
			...stepCommits(++made.step, `message-${++made.message}`, { turnId, claimed, calls, answer, result }),
		);
	}
	commits.at(-1)?.push({ type: "turn/end", turnId, status: "completed" });
	return commits;
}

function stepCommits(
	step: number,
	messageId: string,
	facts: { turnId: string; claimed: string[]; calls: string[]; answer: string; result: string },
): Commits {
	const { turnId, claimed, calls, answer, result } = facts;
	const [stepId, requestId, attemptId] = [`step-${step}`, `request-${step}`, `attempt-${step}`];
	const accepted = calls.map((callId) => ({
		callId,
		providerId: callId,
		name: "readFile",
		args: { path: `${callId}.ts` },
	}));
	const delta = { prefix: 20_000, suffix: 10, middle: "x".repeat(300) };
	const commits: Commits = [
		[
			{ type: "step/start", stepId, turnId, model: MODEL, claimed },
			{ type: "request/prepared", requestId, stepId, digest: "", bytes: 20_310, delta, contributions: [] },
			...(claimed.length > 0 ? [{ type: "inbox/included" as const, messageIds: claimed, stepId }] : []),
			{ type: "attempt/start", attemptId, stepId, requestId },
		],
		[
			{
				type: "attempt/end",
				attemptId,
				outcome: "accepted",
				text: calls.length > 0 ? "" : answer,
				reasoning: "",
				calls: accepted.map(({ callId, name, args }) => ({
					id: callId,
					name,
					arguments: JSON.stringify(args),
				})),
				finish: calls.length > 0 ? "tool_calls" : "stop",
				usage: USAGE,
				durationMs: 50,
			},
			{ type: "assistant/accepted", messageId, attemptId, calls: accepted },
			...accepted.map(
				({ callId, name, args }): SessionEvent => ({
					type: "tool/call",
					callId,
					stepId,
					name,
					args,
					toolVersion: 1,
					effects: "none",
					recovery: "none",
				}),
			),
		],
	];
	for (const callId of calls) {
		commits.push([
			{ type: "policy/decided", callId, verdict: "allow", reason: "it only reads", rule: "read" },
			{ type: "tool/start", callId, idempotencyKey: callId },
		]);
		commits.push([{ type: "tool/result", callId, status: "result", text: result, durationMs: 3 }]);
	}
	commits.at(-1)?.push({ type: "step/end", stepId, outcome: calls.length > 0 ? "tools" : "answer" });
	return commits;
}
