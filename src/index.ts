// The library's public surface: what programs may import, and nothing else. See docs/library.md.

export { compactConversation } from "./agent/context/compaction.ts";
export { loadMemories, type SaveOptions, saveMemories } from "./agent/memory.ts";
export type { AgentMode, PlanState } from "./agent/mode.ts";
export type { ForeignTool } from "./agent/tools/foreignTool.ts";
export { DEFAULT_USAGE_LIMITS, type UsageLimits, UsageTracker } from "./agent/usage.ts";
export { createSession, type RunConfig, runAgent, type SessionOptions } from "./library.ts";
export type { AnyTool, PreparedCall, Tool, ToolContext } from "./ports/tool.ts";
export type { Client } from "./rpc/client.ts";
export type { ClientRequest, Notification, SessionGreeting } from "./rpc/protocol.ts";
export type { Commit, SessionEvent } from "./session/events.ts";
export type { ApprovalPrompt, LiveDelta, PersonPrompt, TurnEnd } from "./session/live.ts";
export {
	type AgentCallbacks,
	AgiError,
	type Memory,
	type Mode,
	type ModelLimits,
	type TokenUsageInfo,
	type ToolApprovalRequest,
	type ToolCallInfo,
	type ToolOutcome,
	type Usage,
} from "./types.ts";
