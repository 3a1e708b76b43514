// A call that may be asked about and run, and the digest it is known by. Decides nothing.

import { POLICY_VERSION } from "../policy/evaluate.ts";
import { canonicalCall } from "../policy/grants.ts";
import type { AnyTool, PreparedCall, ToolContext } from "../ports/tool.ts";
import { canonicalJson } from "../session/canonicalJson.ts";
import type { OpenCall } from "../session/state.ts";
import type { TurnContext } from "./turn.ts";

/** A call that passed resolve, validate and prepare. Nothing has happened yet. */
export interface CheckedCall {
	call: Pick<OpenCall, "callId" | "name" | "args">;
	tool: AnyTool;
	prepared: PreparedCall;
	toolContext: ToolContext;
}

/** The digest that grants know a call by: tool, version and canonical arguments. */
export function callDigest(context: Pick<TurnContext, "world">, checked: CheckedCall): string {
	return context.world.digest(canonicalCall(checked.tool.name, checked.tool.version, checked.call.args));
}

/**
 * The digest that a yes is bound to: everything of the call that a person relied on. Tool, version and arguments; where
 * its paths really lead and which folders they stand in; the folder agi works in; how a command is confined; the policy.
 */
export async function approvalDigest(
	context: Pick<TurnContext, "world" | "session">,
	checked: CheckedCall,
): Promise<string> {
	const { resources, sandbox, facts } = checked.prepared;
	const files = resources.filter(({ kind }) => kind === "file" || kind === "tree");
	const folders = await Promise.all(
		files.map(({ key }) => checked.toolContext.workspace.folderIdentity(key)),
	);
	const { cwd } = context.session.state;
	return context.world.digest(
		canonicalJson([
			callDigest(context, checked),
			resources,
			folders,
			cwd,
			sandbox,
			facts?.named,
			POLICY_VERSION,
		]),
	);
}
