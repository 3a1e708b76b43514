// A call that may be asked about and run, and the digest it is known by. Decides nothing.

import { canonicalCall } from "../policy/grants.ts";
import type { AnyTool, PreparedCall, ToolContext } from "../ports/tool.ts";
import type { OpenCall } from "../session/state.ts";
import type { TurnContext } from "./turn.ts";

/** A call that passed resolve, validate and prepare. Nothing has happened yet. */
export interface CheckedCall {
	call: Pick<OpenCall, "callId" | "name" | "args">;
	tool: AnyTool;
	prepared: PreparedCall;
	toolContext: ToolContext;
}

/** The digest that approvals, grants and recovery know a call by: tool, version and canonical arguments. */
export function callDigest(context: Pick<TurnContext, "world">, checked: CheckedCall): string {
	return context.world.digest(canonicalCall(checked.tool.name, checked.tool.version, checked.call.args));
}
