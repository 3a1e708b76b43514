// Brings an interrupted Turn to its end after a restart: looks at the world where a tool says that this tells, asks the
// person where only a person knows, lets unanswered calls go their whole way, closes the Turn. It only appends, and
// nothing is run before somebody goes on. The rules are `session/settle.ts`; this file knows when.

import { waitsForPerson } from "../agent/executeTool.ts";
import { runCalls } from "../agent/toolBatch.ts";
import type { TurnContext } from "../agent/turn.ts";
import { isRedacted } from "../policy/redact.ts";
import type { LeftProcesses } from "../ports/processes.ts";
import type { Workspace } from "../ports/workspace.ts";
import {
	type DoubtAnswer,
	doubtOptions,
	doubtQuestion,
	endOfDoubt,
	readDoubtAnswer,
	summaryOf,
} from "../session/doubt.ts";
import { wakingMessages } from "../session/next.ts";
import { titleOf } from "../session/reduce.ts";
import {
	type CallEnd,
	type CallFate,
	closeInterrupted,
	fateOf,
	type Interruption,
	LEFT_WAITING,
	lastEndOf,
	onlyWaits,
	openCalls,
	settleAttempt,
	settleCall,
} from "../session/settle.ts";
import type { OpenCall, SessionState } from "../session/state.ts";
import { keepAnswer, openQuestion, promptOf, type Question } from "./askPerson.ts";
import type { LiveSession } from "./liveSession.ts";
import type { Prompts } from "./prompts.ts";
import { findingOf, removeDrafts } from "./reconcile.ts";

const STILL_OPEN =
	"The question stays open, and nothing is gone on with before its answer. Press Enter to be asked again.";

/** What recovery works with. */
export interface RecoveryParts {
	session: LiveSession;
	workspace: Workspace;
	/** Absent where nobody can be asked. */
	prompts?: Prompts;
	/** What outlived the agi that had started it; absent where nothing is looked for. */
	left?: LeftProcesses;
	/** Closes what a subagent left open in its own log. */
	settleChild?(childId: string): Promise<void>;
}

/** What a start found of an interrupted Turn. */
export interface Recovered {
	/**
	 * At most two lines for the person, one where the turn only waits for their answer or a question follows; one more
	 * where nobody is there and messages wait. [] where nothing is open.
	 */
	notices: string[];
	/** What a person has to say before the work can go on; absent where nothing waits for one. */
	question?: string;
}

/**
 * Settles what needs nobody, and closes the Turn where nothing is left of it. What waits for a person, or may run once
 * the work goes on, stays open. A second call appends nothing. Rejects only where the log fails.
 */
export async function recoverSession(
	parts: RecoveryParts,
	makeContext: () => TurnContext,
): Promise<Recovered> {
	const { session } = parts;
	// Where nobody can be asked, the run goes on by itself.
	const wayOn = parts.prompts ? " Press Enter, or write, to go on." : "";
	const isAttended = parts.prompts !== undefined;
	if (!session.state.turn) {
		const unbegun = unbegunNotice(session.state, isAttended);
		const { continuation } = session.state;
		if (!continuation) return { notices: unbegun };
		return { notices: [...waitingNotice(session.state, wayOn), ...(isAttended ? [] : unbegun)] };
	}
	const context = makeContext();
	const interrupted = onlyWaits(session.state) ? [] : [interruptedNotice(askedFor(session.state))];
	const open = await settleWhatIsKnown(parts, context);
	if (open.size > 0) await session.flush({ wait: true });
	else await closeTurn(session);
	const question = await questionOf(parts, open, context);
	// A question about a call in doubt is put at once, in whole sentences.
	const isPut = isAttended && [...open.values()].includes("doubt");
	return {
		notices: [
			...interrupted,
			...(isPut ? [] : [standNotice(session.state, question, wayOn)]),
			...(isAttended || question !== undefined ? [] : unbegunNotice(session.state, isAttended)),
		],
		...(question && { question }),
	};
}

/**
 * Asks and runs what an interrupted Turn still waits for and closes it. Resolves with whether the work may go on:
 * `wait` where a question found no answer, so that the Turn stays open; `goOn` where the person's answers ask for it;
 * `closed` else. Where nobody can be asked, a call in doubt ends as one whose outcome is unknown. `cause`: why the Turn was
 * interrupted, where this process knows it.
 */
export async function finishInterrupted(
	parts: RecoveryParts,
	context: TurnContext,
	cause?: Interruption,
): Promise<"wait" | "goOn" | "closed"> {
	const { session } = parts;
	if (!session.state.turn) return "closed";
	const isDoubtful = openCalls(session.state).some((call) => fateOf(call).do === "doubt");
	const known = cause ?? (onlyWaits(session.state) && !isDoubtful ? LEFT_WAITING : undefined);
	const open = await settleWhatIsKnown(parts, context);
	const answers: DoubtAnswer[] = [];
	for (const [call, fate] of open) {
		if (fate !== "doubt") continue;
		const answer = await settleDoubt(parts, call, context.signal);
		if (answer === "unanswered") {
			if (!context.signal.aborted) session.tell({ type: "notice", text: STILL_OPEN });
			return "wait";
		}
		if (answer) answers.push(answer);
	}
	const waiting = [...open].filter(([, fate]) => fate !== "doubt");
	if (waiting.length > 0) {
		if (context.startNewTurn) context.tracker.startTurn();
		await runCalls(
			context,
			waiting.map(([call]) => call.callId),
			context.signal,
		);
	}
	const saidNo = session.state.turn.denied === true || context.signal.aborted;
	const answered = waiting.some(([, fate]) => fate === "ask") && parts.prompts !== undefined;
	await closeTurn(session, known);
	return !saidNo && (answered || answers.some((answer) => answer !== "leave")) ? "goOn" : "closed";
}

type OpenFate = Exclude<CallFate["do"], "end">;

/** Ends the open Attempt and each call whose end is known; the others, with what they are owed. */
async function settleWhatIsKnown(
	parts: RecoveryParts,
	context: TurnContext,
): Promise<Map<OpenCall, OpenFate>> {
	const { session, workspace } = parts;
	session.append(settleAttempt(session.state, session.leftover));
	const open = new Map<OpenCall, OpenFate>();
	for (const call of openCalls(session.state)) {
		const reconciles = call.started && call.recovery === "reconcile";
		if (reconciles) {
			const paths = (call.started?.after ?? []).map(({ path }) => path);
			await removeDrafts(paths, workspace);
		}
		const fate = fateOf(call, reconciles ? await findingOf(call, workspace) : undefined);
		// The person had said it when the process died once more.
		const said = fate.do === "doubt" ? readDoubtAnswer(call.answer ?? "") : undefined;
		if (fate.do === "end") {
			if (call.childId !== undefined) await parts.settleChild?.(call.childId);
			session.append(settleCall(call, fate.end));
		} else if (said) session.append(settleCall(call, await endAfter(parts, call, said)));
		else if (fate.do !== "doubt" && !isStillTheSame(call, context))
			session.append(settleCall(call, lastEndOf(call)));
		else open.set(call, fate.do);
	}
	return open;
}

/** A call of another version, or one whose real arguments held a secret and are in no log, would be another call. */
function isStillTheSame(call: OpenCall, context: TurnContext): boolean {
	return context.tools.get(call.name)?.version === call.toolVersion && !isRedacted(JSON.stringify(call.args));
}

async function closeTurn(session: LiveSession, cause?: Interruption): Promise<void> {
	session.append(closeInterrupted(session.state, cause));
	await session.flush({ wait: true });
}

/** The pid of what still runs of a call; undefined where nothing does. */
function runningPid({ left }: RecoveryParts, { started }: OpenCall): number | undefined {
	return started && left?.runningOf(started.idempotencyKey)[0];
}

/** The end of a call in doubt after the person's answer; what still runs of it is ended where they said so. */
async function endAfter({ left }: RecoveryParts, call: OpenCall, answer: DoubtAnswer): Promise<CallEnd> {
	const ends = answer === "endAndAgain" && left !== undefined && call.started !== undefined;
	return endOfDoubt(call, answer, ends ? await left.end(call.started!.idempotencyKey) : undefined);
}

/** Resolves with the answer, `unanswered`, or undefined where nobody can be asked. */
async function settleDoubt(
	parts: RecoveryParts,
	call: OpenCall,
	signal: AbortSignal,
): Promise<DoubtAnswer | "unanswered" | undefined> {
	const { session, prompts } = parts;
	if (!prompts) {
		session.append(settleCall(call, lastEndOf(call)));
		return undefined;
	}
	const pid = runningPid(parts, call);
	const question: Question = {
		callId: call.callId,
		question: doubtQuestion(call, pid),
		options: doubtOptions(pid !== undefined),
		secret: false,
		freeText: false,
	};
	const questionId = await openQuestion(session, question);
	const { callId } = call;
	const said = await prompts.ask(promptOf(question), signal, (answer) =>
		keepAnswer(session, { questionId, callId, answer }),
	);
	const answer = said === undefined ? undefined : readDoubtAnswer(said);
	if (!answer) return "unanswered";
	session.append(settleCall(call, await endAfter(parts, call, answer)));
	await session.flush({ wait: true });
	return answer;
}

/** The first thing that only a person can say. */
async function questionOf(
	parts: RecoveryParts,
	open: ReadonlyMap<OpenCall, OpenFate>,
	context: TurnContext,
): Promise<string | undefined> {
	for (const [call, fate] of open) {
		if (fate === "doubt") {
			const pid = runningPid(parts, call);
			return pid === undefined
				? `${summaryOf(call)} had started and nobody knows whether it did its work.`
				: `${summaryOf(call)} had started and is still running (pid ${pid}).`;
		}
		if (fate !== "ask") continue;
		if (call.started) return `${summaryOf(call)} waits for an answer.`;
		if (await waitsForPerson(context, call, context.signal))
			return `${summaryOf(call)} waits for a yes or no.`;
	}
	return undefined;
}

/** The beginning of what the person had asked for. */
function askedFor(state: SessionState): string {
	const ids = state.turn?.messageIds ?? [];
	const said = [...state.inbox, ...state.history.filter((item) => item.kind === "user")].find((message) =>
		ids.includes(message.messageId),
	);
	return titleOf(said?.text ?? "");
}

function interruptedNotice(asked: string): string {
	return `agi ended in the middle of a turn${asked === "" ? "" : ` ("${asked}")`}. All that was recorded is here.`;
}

function standNotice(state: SessionState, question: string | undefined, wayOn: string): string {
	if (question !== undefined) return question;
	const waiting = openCalls(state).map(summaryOf);
	if (waiting.length > 0) return `Not run yet: ${waiting.join(", ")}.${wayOn}`;
	const told = state.history.findLast((item) => item.kind === "recovery");
	const notes = told?.kind === "recovery" ? told.notes : [];
	const [first = "Nothing was running."] = notes;
	const more = notes.length > 1 ? ` And ${notes.length - 1} more.` : "";
	return `${first}${more}${wayOn}`;
}

function waitingNotice(state: SessionState, wayOn: string): string[] {
	return [
		"An interrupted turn of this session was closed and its work not gone on with.",
		standNotice(state, undefined, wayOn),
	];
}

/** What messages wait that no turn has begun with; in a run without a person they go before its own. */
function unbegunNotice(state: SessionState, isAttended: boolean): string[] {
	const waiting = wakingMessages(state);
	const [first] = waiting;
	if (!first) return [];
	const said = `"${titleOf(first.text)}"`;
	const more = waiting.length - 1;
	const all = more === 0 ? said : `${said} and ${more} more message${more > 1 ? "s" : ""}`;
	const [it, waits, them] = more === 0 ? ["It", "waits", "it"] : ["They", "wait", "them"];
	return isAttended
		? [
				`agi ended before it began with ${all}.`,
				`${it} ${waits} in the queue. Press Enter to send ${them}, or write more.`,
			]
		: [
				`Answered first, because agi had not begun with ${them}: ${all}. The answer is in the session, not in this result.`,
			];
}
