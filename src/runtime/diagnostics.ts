// Writes what a session does into the diagnostic log, from its facts. Never truth, never in anybody's way.

import { AgentLogger } from "../agent/logger.ts";
import type { SessionEvent } from "../session/events.ts";
import type { LiveSession } from "./liveSession.ts";

/** What of a history is a message; the rest is told within one. */
const MESSAGES: ReadonlySet<string> = new Set(["user", "assistant", "tool"]);

/** Logs every fact of `session`, which may be a subagent's, that a reader of diagnostics wants, through `sink`. */
export function logFacts(
	session: LiveSession,
	sink: (line: string) => void,
	redact: (text: string) => string,
): void {
	const { sessionId, parent } = session.state;
	const subagent = parent && { name: parent.agent, parentId: parent.sessionId };
	const loggerOf = (runId: string) =>
		new AgentLogger({ conversationId: sessionId, runId, sink, redact, ...(subagent ? { subagent } : {}) });
	let logger = loggerOf(sessionId);
	let messages = session.state.history.filter(({ kind }) => MESSAGES.has(kind)).length;
	session.subscribe((publication) => {
		if (publication.kind !== "facts") return;
		for (const event of publication.events) {
			if (event.type === "turn/start") logger = loggerOf(event.turnId);
			messages += event.type === "inbox/included" ? event.messageIds.length : 0;
			messages += event.type === "assistant/accepted" || event.type === "tool/result" ? 1 : 0;
			logFact(logger, session, event, messages);
		}
	});
}

function logFact(logger: AgentLogger, session: LiveSession, event: SessionEvent, messageCount: number): void {
	const { state } = session;
	switch (event.type) {
		case "step/start":
			if (event.claimed.length > 0)
				logger.log("agent_run_started", {
					model: event.model.model,
					historyLength: messageCount,
					userMessageLength: claimedLength(session, event.claimed),
				});
			return;
		case "attempt/start":
			logger.log("llm_call_started", { model: state.step?.model.model ?? "", messageCount });
			return;
		case "attempt/end":
			if (event.failure) logger.error(new Error(event.failure.message), { attempt: event.attemptId });
			logger.log("llm_call_completed", {
				finishReason: event.finish ?? event.outcome,
				inputTokens: event.usage?.inputTokens ?? 0,
				outputTokens: event.usage?.outputTokens ?? 0,
				toolCallCount: event.calls.length,
			});
			return;
		case "tool/call":
			logger.log("tool_call", { toolName: event.name, args: event.args });
			return;
		case "approval/resolved":
			logger.log("approval", {
				toolName: nameOf(session, event.callId),
				approved: event.answer.startsWith("yes"),
			});
			return;
		case "tool/start": {
			const call = callOf(session, event.callId);
			logger.log("tool_execution_started", { toolName: call?.name ?? "", args: call?.args ?? {} });
			return;
		}
		case "tool/result":
			logger.log("tool_result", {
				toolName: nameOf(session, event.callId),
				resultLength: event.text.length,
				durationMs: event.durationMs,
			});
			return;
		case "turn/end":
			logger.log("agent_run_completed", {
				responseLength: state.lastTurn?.answer.length ?? 0,
				messageCount: state.history.length,
			});
			return;
		default:
	}
}

function claimedLength(session: LiveSession, claimed: readonly string[]): number {
	const said = session.state.history.filter(
		(item) => item.kind === "user" && claimed.includes(item.messageId),
	);
	return said.reduce((sum, item) => sum + (item.kind === "user" ? item.text.length : 0), 0);
}

function nameOf(session: LiveSession, callId: string): string {
	return callOf(session, callId)?.name ?? "";
}

/** The call of that id; the newest stand at the end, so it is looked for from there. */
function callOf(session: LiveSession, callId: string) {
	const { history } = session.state;
	for (let i = history.length - 1; i >= 0; i--) {
		const item = history[i]!;
		const call = item.kind === "assistant" ? item.calls.find((c) => c.callId === callId) : undefined;
		if (call) return call;
	}
	return undefined;
}
