// The one way of a call: resolve, validate, prepare, policy, approval, policy again, start, execute, bound, result.
// A refusal and a success leave by the same exit: an outcome. Nothing throws into the loop.

import type { Verdict } from "../policy/evaluate.ts";
import type { Grant } from "../policy/grants.ts";
import { onlyReads } from "../policy/judgeParts.ts";
import type { PolicyQuestion } from "../policy/policyQuestion.ts";
import { quotedFrom } from "../policy/quotedCommands.ts";
import type { AnyTool } from "../ports/tool.ts";
import type { ApprovalAnswer } from "../session/live.ts";
import type { OpenCall } from "../session/state.ts";
import type { ToolError, ToolOutcome } from "../types.ts";
import { askForApproval, standingYes } from "./approval.ts";
import { approvalDigest, type CheckedCall, callDigest } from "./checkedCall.ts";
import { tellDeadline } from "./deadline.ts";
import { Parked } from "./parked.ts";
import { ownWords, readTexts } from "./readTexts.ts";
import { failed, truncateResult } from "./toolResults.ts";
import type { ForeignTool } from "./tools/foreignTool.ts";
import type { TurnContext } from "./turn.ts";

/** How long a call may take to stop after a cancel before it is given up, in milliseconds. */
const CANCEL_GRACE_MS = 2_000;

/**
 * Runs one of agi's own tools, by name, in this process's folder, as after a person's yes: nobody is asked. Schema, path
 * scope and hard denials hold. Resolves with the text that a model would get; never rejects for what the call does.
 */
export async function executeTool(name: string, args: Record<string, unknown>): Promise<string> {
	const { tools } = await import("./tools/index.ts");
	return executeToolFromSet(tools, name, args);
}

/** `executeTool` over a program's own tools, those in the AI SDK's form too. */
export async function executeToolFromSet(
	tools: Readonly<Record<string, AnyTool | ForeignTool>>,
	name: string,
	args: Record<string, unknown>,
): Promise<string> {
	if (!Object.hasOwn(tools, name)) return `Unknown tool: ${name}`;
	const { adoptTools } = await import("./tools/foreignTool.ts");
	const bench = await (await import("../wire/toolBench.ts")).openToolBench();
	const context = { ...bench, tools: adoptTools(tools), rawArguments: new Map() };
	const { signal } = new AbortController();
	const checked = await checkCall(context, { callId: name, name, args }, signal);
	const outcome = isChecked(checked)
		? (forbidden(context, checked) ?? (await runCall(context, checked, signal)))
		: checked;
	return truncateResult(context.redact(outcome.text));
}

/** The outcome of a call that no yes may start; undefined where it may run. */
function forbidden(
	context: Pick<TurnContext, "world" | "judge">,
	checked: CheckedCall,
): ToolOutcome | undefined {
	const verdict = judge(context, checked, []);
	if (verdict.verdict === "deny") return denied(verdict.reason);
	const outside = checked.prepared.facts?.outside ?? [];
	if (outside.length === 0) return undefined;
	return denied(`Blocked: ${outside.join(", ")} is outside the workspace. Use a path inside it.`);
}

/** Finds the tool, validates the arguments, and lets the tool work out what it would do. */
export async function checkCall(
	context: Pick<TurnContext, "tools" | "rawArguments" | "toolContext">,
	call: Pick<OpenCall, "callId" | "name" | "args" | "invalidArguments">,
	signal: AbortSignal,
): Promise<CheckedCall | ToolOutcome> {
	const tool = context.tools.get(call.name);
	if (!tool) return failed(unknownTool(call.name, context.tools.names()));
	if (call.invalidArguments !== undefined) return failed(unreadableArguments(call.invalidArguments));
	const parsed = tool.schema.safeParse(context.rawArguments.get(call.callId) ?? call.args);
	if (!parsed.success) return failed(invalidArguments(tool.name, parsed.error.issues));
	const toolContext = context.toolContext(call.callId, signal);
	try {
		const prepared = await tool.prepare(parsed.data as never, toolContext);
		return "type" in prepared ? failed(prepared) : { call, tool, prepared, toolContext };
	} catch (error) {
		return failed(internal(tool.name, error));
	}
}

/** Whether `checkCall` let the call through. */
export function isChecked(checked: CheckedCall | ToolOutcome): checked is CheckedCall {
	return "prepared" in checked;
}

/**
 * Asks the policy and, where it says so, the person; asks the policy again after a yes. Resolves with the outcome of a
 * call that must not run, else with undefined.
 */
export async function authorizeCall(
	context: TurnContext,
	checked: CheckedCall,
	signal: AbortSignal,
): Promise<ToolOutcome | undefined> {
	const { session } = context;
	const { call } = checked;
	const verdict = judge(context, checked, session.state.grants);
	session.record({
		do: "decidePolicy",
		callId: call.callId,
		verdict: verdict.verdict,
		reason: verdict.reason,
		rule: verdict.rule,
	});
	if (verdict.verdict === "deny") return denied(verdict.reason);
	if (verdict.verdict === "allow") return undefined;
	const answer = await askForApproval(context, checked, verdict, signal);
	if (answer.answer === "cancelled")
		return tellDeadline(cancelled("The call was not run: the question was cancelled."), signal);
	if (answer.answer === "no") return refusedByPerson(answer);
	const revised = await revise(checked, answer);
	if (revised) return revised;
	const again = judge(context, checked, session.state.grants);
	return again.verdict === "deny" ? denied(again.reason) : undefined;
}

/** Puts what the person made of a write in the place of what was proposed; an outcome where that cannot be done. */
async function revise(
	checked: CheckedCall,
	{ hunks, amended }: ApprovalAnswer,
): Promise<ToolOutcome | undefined> {
	if (!hunks && amended === undefined) return undefined;
	const revised = await checked.prepared.revise?.(
		amended === undefined ? { hunks: hunks ?? [] } : { amended },
	);
	if (!revised)
		return denied(`The user changed this call, and ${checked.tool.name} cannot be changed. It was not run.`);
	if ("type" in revised) return revised.type === "DENIED" ? denied(revised.message) : failed(revised);
	checked.prepared = revised;
	return undefined;
}

/** Records that the call starts; its effect may begin once that is flushed. */
export function recordStart(context: TurnContext, checked: CheckedCall): void {
	const { before, after } = checked.prepared;
	const [start] = context.session.record({
		do: "startCall",
		callId: checked.call.callId,
		...(before ? { before } : {}),
		...(after ? { after } : {}),
		...(hasNoEffect(checked) ? { onlyReads: true } : {}),
	});
	if (start?.type === "tool/start") checked.toolContext.idempotencyKey = start.idempotencyKey;
}

/** Whether this call of a tool that can have effects is known to have none. */
export function hasNoEffect({ tool, prepared: { facts = {} } }: CheckedCall): boolean {
	if (tool.effects === "none") return false;
	return facts.readsOnly === true || (facts.command !== undefined && onlyReads(facts.command));
}

/** Whether the policy, as it stands now, would have this call wait for a person. Asks nobody. */
export async function waitsForPerson(
	context: TurnContext,
	call: OpenCall,
	signal: AbortSignal,
): Promise<boolean> {
	const checked = await checkCall(context, call, signal);
	if (!isChecked(checked)) return false;
	const { verdict } = judge(context, checked, context.session.state.grants);
	if (verdict !== "ask") return false;
	return standingYes(context, checked, await approvalDigest(context, checked)) === undefined;
}

/**
 * Runs a started call to its end. A call that does not stop after a cancel is given up after a grace. Rejects only with
 * `Parked`, where the call waits for a person and agi ends.
 */
export async function runCall(
	context: Pick<TurnContext, "world">,
	checked: CheckedCall,
	signal: AbortSignal,
): Promise<ToolOutcome> {
	const ended = new AbortController();
	try {
		return await Promise.race([
			checked.prepared.run(checked.toolContext),
			giveUpAfterCancel(context, checked, signal, ended.signal),
		]);
	} catch (error) {
		if (error instanceof Parked) throw error;
		return failed(internal(checked.tool.name, error));
	} finally {
		// With a reason of its own no error has to be made for nobody.
		ended.abort("ended");
	}
}

function judge(
	context: Pick<TurnContext, "world" | "judge"> & Partial<Pick<TurnContext, "session">>,
	checked: CheckedCall,
	grants: readonly Grant[],
): Verdict {
	const question = toQuestion(context, checked);
	const { command } = question.facts;
	const state = context.session?.state;
	const source =
		command === undefined || !state ? undefined : quotedFrom(command, readTexts(state), ownWords(state));
	return context.judge({ ...question, ...(source === undefined ? {} : { quotedFrom: source }) }, grants);
}

function toQuestion(context: Pick<TurnContext, "world">, checked: CheckedCall): PolicyQuestion {
	const { tool, call, prepared } = checked;
	return {
		tool: tool.name,
		version: tool.version,
		args: call.args,
		digest: callDigest(context, checked),
		effects: tool.effects,
		resources: prepared.resources,
		facts: prepared.facts ?? {},
	};
}

/** Records that the result of a call brings text of unknown intent into the session, where it does. */
export function recordTaint(context: TurnContext, checked: CheckedCall, outcome: ToolOutcome): void {
	const { status } = outcome;
	const { facts } = checked.prepared;
	const hasOutput = facts?.command !== undefined || facts?.code !== undefined;
	if (status !== "result" && !(status === "error" && hasOutput)) return;
	for (const source of [outcome.taint, context.taintSource?.(toQuestion(context, checked))]) {
		if (source === undefined) continue;
		const shown = context.redact(source);
		context.session.record({ do: "setTaint", source: shown });
		context.taintParents?.(shown);
	}
}

async function giveUpAfterCancel(
	context: Pick<TurnContext, "world">,
	checked: CheckedCall,
	signal: AbortSignal,
	ended: AbortSignal,
): Promise<ToolOutcome> {
	if (!signal.aborted)
		await new Promise((aborted) => signal.addEventListener("abort", aborted, { once: true, signal: ended }));
	await context.world.clock.wait(CANCEL_GRACE_MS, ended);
	if (checked.tool.effects === "none") return cancelled(`${checked.tool.name} was cancelled.`);
	const message = `${checked.tool.name} was cancelled but did not confirm that it stopped: the outcome is unknown.`;
	return {
		status: "outcome_unknown",
		text: message,
		error: { type: "OUTCOME_UNKNOWN", message, retryable: false },
	};
}

/** An outcome of a call that was stopped before or while it ran. */
export function cancelled(message: string): ToolOutcome {
	return { status: "cancelled", text: message, error: { type: "CANCELLED", message, retryable: true } };
}

/** An outcome of a call that a limit kept from running. */
export function limited(reason: string): ToolOutcome {
	const message = `${reason}. The call was not run.`;
	return failed({ type: "LIMIT", message, retryable: false });
}

function denied(reason: string): ToolOutcome {
	return { status: "denied", text: reason, error: { type: "DENIED", message: reason, retryable: false } };
}

function refusedByPerson(answer: ApprovalAnswer): ToolOutcome {
	const who = answer.by === "agi" ? "The call was denied" : "The user denied this call";
	const message = answer.words === undefined ? `${who}. It was not run.` : `${who}: ${answer.words}`;
	return denied(message);
}

function unknownTool(name: string, known: string[]): ToolError {
	return {
		type: "UNKNOWN_TOOL",
		message: `Unknown tool: ${name}. The tools are: ${known.join(", ")}.`,
		retryable: true,
	};
}

function unreadableArguments(text: string): ToolError {
	return {
		type: "INVALID_ARGUMENT",
		message: `The arguments are not a JSON object, or one of more than 100 levels, so the call was not run. They began: ${text.slice(0, 200)}`,
		retryable: true,
	};
}

interface Issue {
	path: PropertyKey[];
	message: string;
	code?: string;
	keys?: string[];
}

function invalidArguments(tool: string, issues: readonly Issue[]): ToolError {
	// A map: a field may be called `__proto__`, which a plain assignment would not keep.
	const problems = new Map<string, string>();
	for (const issue of issues) {
		const keys = issue.code === "unrecognized_keys" ? (issue.keys ?? []) : [];
		for (const key of keys) problems.set([...issue.path, key].join("."), "unknown argument");
		if (keys.length === 0) problems.set(issue.path.join(".") || "arguments", fieldProblem(issue.message));
	}
	const told = [...problems].map(([field, problem]) => `${field}: ${problem}`);
	return {
		type: "INVALID_ARGUMENT",
		message: `${tool} was not run: ${told.join("; ")}.`,
		retryable: true,
		fields: Object.fromEntries(problems),
	};
}

/** What the schema library says of one argument, in fewer words. */
function fieldProblem(message: string): string {
	return message.endsWith("received undefined") ? "missing" : message.replace(/^Invalid input: /, "");
}

function internal(tool: string, error: unknown): ToolError {
	const message = error instanceof Error ? error.message : String(error);
	return {
		type: "INTERNAL",
		message: `${tool} failed inside agi: ${message}. This is a fault of agi, not of the call.`,
		retryable: false,
	};
}
