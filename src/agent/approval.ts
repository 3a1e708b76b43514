// Asks a person about one call and records it. An approval holds for one exact call: tool, version, arguments, resources,
// until it expires. Whether it is needed is the policy's matter.

import type { Verdict } from "../policy/evaluate.ts";
import { offerLabel } from "../policy/offers.ts";
import { type ApprovalAnswer, type ApprovalPrompt, isYes } from "../session/live.ts";
import type { OpenCall } from "../session/state.ts";
import { approvalDigest, type CheckedCall, callDigest } from "./checkedCall.ts";
import type { TurnContext } from "./turn.ts";

/** How long a yes holds until its call begins, in milliseconds. */
const APPROVAL_LIFETIME_MS = 5 * 60_000;

/**
 * Asks the person about a call and records question and answer; a question that a restart left open is asked again as
 * the same one, and a yes that still stands is not asked for twice.
 */
export async function askForApproval(
	context: TurnContext,
	checked: CheckedCall,
	verdict: Verdict,
	signal: AbortSignal,
): Promise<ApprovalAnswer> {
	const { session, world } = context;
	const { call } = checked;
	const digest = await approvalDigest(context, checked);
	const standing = standingYes(context, checked, digest);
	if (standing) return standing;
	requestApproval(context, checked, verdict, digest);
	await session.flush({ wait: true });
	const answer = await answerOf(context, checked, verdict, signal);
	const yes = isYes(answer.answer);
	session.record({
		do: "resolveApproval",
		callId: call.callId,
		...answer,
		...(answer.amended === undefined ? {} : { amended: context.redact(answer.amended) }),
		...(yes ? { expiresAt: new Date(world.clock.now() + APPROVAL_LIFETIME_MS).toISOString() } : {}),
	});
	// What was accepted in part, or in other words, is no yes to the same proposal the next time.
	if (!answer.hunks && answer.amended === undefined) await keepYes(context, checked, verdict, answer.answer);
	return answer;
}

/** Puts a lasting yes in place: the rules that were offered, or exactly this call. */
async function keepYes(
	context: TurnContext,
	{ call, prepared, ...checked }: CheckedCall,
	{ grantable, offer }: Verdict,
	answer: ApprovalAnswer["answer"],
): Promise<void> {
	if (!grantable || (answer !== "yes_session" && answer !== "yes_always")) return;
	const { session } = context;
	const grant = {
		do: "grantCall" as const,
		tool: call.name,
		digest: callDigest(context, { call, prepared, ...checked }),
	};
	if (!offer) session.record({ ...grant, label: prepared.summary });
	for (const rule of offer?.rules ?? []) {
		const kept = answer === "yes_always" ? await context.keepRule?.(rule) : undefined;
		if (kept?.ok === false) session.tell({ type: "notice", text: kept.message });
		session.record({ ...grant, label: offerLabel(rule), rule });
	}
}

/** Records the question, unless it is the one that a restart left open; another open one no longer counts. */
function requestApproval(context: TurnContext, checked: CheckedCall, verdict: Verdict, digest: string): void {
	const { session } = context;
	const { call, prepared } = checked;
	const open = approvalOf(context, checked);
	if (open && !open.answer) {
		if (open.digest === digest) return;
		session.record({ do: "resolveApproval", callId: call.callId, answer: "expired", by: "agi" });
	}
	session.record({
		do: "requestApproval",
		callId: call.callId,
		digest,
		reason: verdict.reason,
		resources: prepared.resources,
		...(prepared.preview === undefined ? {} : { preview: context.redact(prepared.preview) }),
	});
}

/** A headless run has nobody to ask: an ask is a denial there, and the model is told why. */
async function answerOf(
	context: TurnContext,
	checked: CheckedCall,
	verdict: Verdict,
	signal: AbortSignal,
): Promise<ApprovalAnswer> {
	if (!context.approver)
		return {
			answer: "no",
			words: `nobody can be asked in this run (${verdict.reason}). Do without it, and say what could not be done.`,
			by: "agi",
		};
	if (signal.aborted) return { answer: "cancelled", by: "agi" };
	return context.approver(promptOf(context, checked, verdict), signal);
}

function promptOf(
	{ agent, redact }: TurnContext,
	{ call, tool, prepared }: CheckedCall,
	{ reason, grantable, guarded, offer }: Verdict,
): ApprovalPrompt {
	const { preview, proposal, hunks, sandbox, cwd } = prepared;
	return {
		callId: call.callId,
		agent,
		toolName: tool.name,
		args: call.args,
		reason,
		grantable,
		...(guarded ? { guarded } : {}),
		...(offer && grantable ? { offer } : {}),
		...(preview === undefined ? {} : { preview: redact(preview) }),
		...(proposal === undefined ? {} : { proposal: redact(proposal) }),
		...(hunks === undefined ? {} : { hunks }),
		...(sandbox ? { sandbox } : {}),
		...(cwd === undefined ? {} : { cwd }),
	};
}

/** A yes that was given to exactly this call before a restart, and not used; undefined where none still holds. */
export function standingYes(
	context: TurnContext,
	checked: CheckedCall,
	digest: string,
): ApprovalAnswer | undefined {
	const approval = approvalOf(context, checked);
	// What was said yes to in part, or in other words, is no longer at hand after a restart.
	if (!approval || approval.revised || !stillHolds(context, approval, digest)) return undefined;
	const { answer } = approval;
	return answer === "yes" || answer === "yes_session" || answer === "yes_always"
		? { answer, by: "person" }
		: undefined;
}

/** Whether the call had a yes that no longer fits it: too old, or given to what is something else by now. */
export async function hasOutlivedYes(context: TurnContext, checked: CheckedCall): Promise<boolean> {
	const approval = approvalOf(context, checked);
	if (!approval || !isYes(approval.answer)) return false;
	return !stillHolds(context, approval, await approvalDigest(context, checked));
}

function stillHolds(
	{ world }: TurnContext,
	approval: NonNullable<OpenCall["approval"]>,
	digest: string,
): boolean {
	return approval.digest === digest && Date.parse(approval.expiresAt ?? "") >= world.clock.now();
}

function approvalOf({ session }: TurnContext, { call }: CheckedCall): OpenCall["approval"] {
	return session.state.step?.calls.find((open) => open.callId === call.callId)?.approval;
}
