// The calls of one message. Checking and asking go one at a time in call order; calls that do not clash run together;
// no call overtakes an earlier one it clashes with; results are recorded in call order. Every call gets its end.

import type { Resource } from "../session/events.ts";
import { isYes } from "../session/live.ts";
import { TELL_REPEATS, timesFailed } from "../session/repeats.ts";
import { nextArtifactId, type OpenCall } from "../session/state.ts";
import { AgiError, type ToolOutcome } from "../types.ts";
import { hasOutlivedYes } from "./approval.ts";
import type { CheckedCall } from "./checkedCall.ts";
import { isTimeUp, tellDeadline } from "./deadline.ts";
import {
	authorizeCall,
	cancelled,
	checkCall,
	hasNoEffect,
	isChecked,
	limited,
	recordStart,
	recordTaint,
	runCall,
} from "./executeTool.ts";
import { Parked } from "./parked.ts";
import { excerptOf, failed, MAX_TOOL_RESULT_LENGTH, truncateResult } from "./toolResults.ts";
import type { TurnContext } from "./turn.ts";

/** Calls that run at the same time, at most. */
const MAX_PARALLEL = 8;

/** Letters of the line that tells what an artifact is. */
const MAX_SUMMARY = 160;

/** What must be free on the disk of the log before an effect begins: its facts, its result and the turn's end fit. */
const MIN_FREE_BYTES = 1_000_000;

/** A place in a wave: a call that will run, or one whose outcome is known already. */
interface Place {
	call: OpenCall;
	checked?: CheckedCall;
	outcome?: ToolOutcome;
}

/** Why no further call of the message begins. */
interface Stop {
	outcome: ToolOutcome;
}

/**
 * Brings every call of `callIds` to its end. Resolves with the limit that stopped the batch, if one did. Rejects with
 * `Parked` where agi ends while a person is asked: calls that had not begun, and the one that asks, stay open.
 */
export async function runCalls(
	context: TurnContext,
	callIds: readonly string[],
	signal: AbortSignal,
): Promise<{ limit?: string }> {
	const waiting = callIds.map((id) => findCall(context, id)).filter((call) => call !== undefined);
	let limit: string | undefined;
	let stop: Stop | undefined;
	while (waiting.length > 0) {
		const wave: Place[] = [];
		while (waiting.length > 0 && wave.length < MAX_PARALLEL) {
			stop ??= stopReason(context, signal);
			const place = stop
				? { call: waiting[0]!, outcome: stop.outcome }
				: await check(context, waiting[0]!, signal);
			if (place.checked && clashesWithAny(place.checked, wave)) break;
			// What it failed for, such as a missing file, may be what a call before it is about to change.
			if (!place.checked && !stop && wave.some(writes)) break;
			waiting.shift();
			wave.push(place);
			if (!place.checked) continue;
			const refused = await authorizeCall(context, place.checked, signal);
			if (refused) {
				settle(place, refused);
				if (context.session.state.turn?.denied)
					stop = {
						outcome: cancelled("The call was not run: the user said no to another call of this message."),
					};
				continue;
			}
			context.tracker.addToolCall();
			const budget = context.tracker.check();
			if (!budget.ok) {
				limit = budget.reason ?? "A limit was reached";
				settle(place, limited(limit));
				stop = { outcome: limited(limit) };
			}
		}
		await runWave(context, wave, waiting.length === 0, signal);
	}
	return limit === undefined ? {} : { limit };
}

async function check(context: TurnContext, call: OpenCall, signal: AbortSignal): Promise<Place> {
	const checked = await checkCall(context, call, signal);
	return isChecked(checked) ? { call, checked } : { call, outcome: checked };
}

function settle(place: Place, outcome: ToolOutcome): void {
	delete place.checked;
	place.outcome = outcome;
}

function stopReason(context: TurnContext, signal: AbortSignal): Stop | undefined {
	if (isTimeUp(signal))
		return { outcome: cancelled("The call was not run: the time limit of the turn was over.") };
	if (signal.aborted) return { outcome: cancelled("The call was not run: the turn was cancelled.") };
	if (context.session.state.turn?.denied)
		return { outcome: cancelled("The call was not run: the user said no to another call of this message.") };
	return undefined;
}

/** Starts what may run, durably where it has effects, and records the results in call order as they become known. */
async function runWave(
	context: TurnContext,
	wave: Place[],
	isLast: boolean,
	signal: AbortSignal,
): Promise<void> {
	for (const place of wave) await renewOutlived(context, place, signal);
	refuseWithoutRoom(context, wave);
	const starting = wave.filter((place) => place.checked !== undefined);
	const copies = await keepCopies(context, starting);
	await start(context, starting);
	await refuseUncopied(copies, starting);
	const ends = wave.map((place) => endOf(context, place, signal));
	let parked: Parked | undefined;
	for (const [i, end] of ends.entries()) {
		const ended = await end;
		if (ended instanceof Parked) {
			parked = ended;
			continue;
		}
		const { outcome, durationMs } = ended;
		const { checked } = wave[i]!;
		if (checked) recordTaint(context, checked, outcome);
		await recordEnd(context, wave[i]!, outcome, durationMs);
		// The last result waits for the next request's commit: facts known together are one commit.
		if (!(isLast && i === ends.length - 1)) await context.session.flush({ wait: false });
	}
	if (parked) throw parked;
}

/** Calls whose effects could not be put down afterwards do not begin. The disk is asked once a wave, and not for reads. */
function refuseWithoutRoom({ session }: TurnContext, wave: readonly Place[]): void {
	const acting = wave.filter(({ checked }) => checked?.tool.effects === "possible" && !hasNoEffect(checked));
	if (acting.length === 0 || session.freeBytes() >= MIN_FREE_BYTES) return;
	const message =
		"Not run: the disk that keeps this session has less than 1 MB free, so what this call does could not be " +
		"recorded. Free some disk space, then try again.";
	for (const place of acting) settle(place, failed({ type: "FAILED", message, retryable: true }));
}

/** Puts the starts on the disk. Where that fails none of the calls begins, and each ends as what it is: not run. */
async function start(context: TurnContext, starting: readonly Place[]): Promise<void> {
	const { session } = context;
	if (starting.length === 0) return;
	for (const { checked } of starting) recordStart(context, checked!);
	try {
		await session.flush({ wait: starting.some((p) => p.checked!.tool.effects === "possible") });
	} catch (error) {
		// After a failed sync a start may stand in the log, and nothing is added to it any more.
		if (error instanceof AgiError && error.code === "LOG_WRITE_FAILED")
			for (const place of starting)
				await recordEnd(context, place, cancelled(`${place.call.name} was not run: ${whatFailed(error)}`), 0);
		throw error;
	}
}

/** The first sentence of an error: what happened. */
function whatFailed({ message }: Error): string {
	return /^.+?\.(?=\s|$)/s.exec(message)?.[0] ?? message;
}

/** Copies for undo of what the starting calls will change. Nothing is looked at where no call has effects. */
async function keepCopies(context: TurnContext, starting: readonly Place[]): Promise<Promise<void>[]> {
	const writing = starting.flatMap(({ checked }) => (checked?.tool.effects === "possible" ? [checked] : []));
	if (!context.keeper || writing.length === 0) return [];
	const calls = writing.map(({ prepared }) => (prepared.before ? { before: prepared.before } : {}));
	return [(await context.keeper.keep(calls, context.session)).kept];
}

/** What cannot be taken back is not done: calls with effects whose copies could not be stored end here. */
async function refuseUncopied(copies: readonly Promise<void>[], starting: readonly Place[]): Promise<void> {
	try {
		await Promise.all(copies);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		const message = `Not run: a copy for undo could not be stored (${reason}). Free some disk space, then try again.`;
		for (const place of starting)
			if (place.checked?.tool.effects === "possible")
				settle(place, failed({ type: "FAILED", message, retryable: true }));
	}
}

/**
 * Right before a call begins that a person said yes to, everything is looked at again: where the yes has grown old, or a
 * path leads to another place by now, the call is judged and asked about anew.
 */
async function renewOutlived(context: TurnContext, place: Place, signal: AbortSignal): Promise<void> {
	const { checked } = place;
	const approval = findCall(context, place.call.callId)?.approval;
	if (!checked || !isYes(approval?.answer)) return;
	const now = await checkCall(context, place.call, signal);
	if (!isChecked(now)) return settle(place, now);
	if (!(await hasOutlivedYes(context, now))) return;
	place.checked = now;
	const refused = await authorizeCall(context, now, signal);
	if (refused) settle(place, refused);
}

/** Resolves with `Parked` where the call has no end: the others of its wave still get theirs. */
async function endOf(
	context: TurnContext,
	place: Place,
	signal: AbortSignal,
): Promise<{ outcome: ToolOutcome; durationMs: number } | Parked> {
	if (!place.checked) return { outcome: place.outcome!, durationMs: 0 };
	const startedAt = context.world.clock.now();
	try {
		const outcome = tellDeadline(await runCall(context, place.checked, signal), signal);
		return { outcome, durationMs: context.world.clock.now() - startedAt };
	} catch (error) {
		if (error instanceof Parked) return error;
		throw error;
	}
}

/** Bounds, redacts and records one outcome; the whole text of a cut one is kept beside the log. */
async function recordEnd(
	context: TurnContext,
	{ call, checked }: Place,
	outcome: ToolOutcome,
	durationMs: number,
): Promise<void> {
	const whole = context.redact(outcome.text.trim() === "" ? "(no output)" : outcome.text);
	const isCut = whole.length > MAX_TOOL_RESULT_LENGTH;
	const artifactId = nextArtifactId(context.session.state);
	const told = isCut ? excerptOf(whole, artifactId, outcome.lostBytes) : whole;
	const text = told + repeatWarning(context, call, outcome);
	const artifact = isCut
		? await keepWhole(context, whole, `${call.name}: ${checked?.prepared.summary ?? ""}`)
		: undefined;
	context.session.record({
		do: "endCall",
		callId: call.callId,
		status: outcome.status,
		text,
		...(outcome.error
			? { error: { ...outcome.error, message: truncateResult(context.redact(outcome.error.message), 2000) } }
			: {}),
		...(outcome.observed ? { observed: outcome.observed } : {}),
		...(artifact ? { artifact } : {}),
		durationMs,
	});
}

async function keepWhole(
	context: TurnContext,
	whole: string,
	summary: string,
): Promise<{ digest: string; bytes: number; summary: string }> {
	const bytes = new TextEncoder().encode(whole);
	const digest = await context.session.putBlob(bytes);
	const line = context.redact(summary).replace(/\s+/g, " ").trim();
	return { digest, bytes: bytes.length, summary: truncateResult(line, MAX_SUMMARY).replaceAll("\n", " ") };
}

/** Tells a model that repeats one failing call to change course; the loop ends the turn a little later. */
function repeatWarning(context: TurnContext, call: OpenCall, outcome: ToolOutcome): string {
	const { turn, step } = context.session.state;
	const times = timesFailed(turn?.failures ?? [], call, outcome, step?.stepId ?? "");
	return times < TELL_REPEATS
		? ""
		: `\n(This same call has failed in ${times} of your messages, and nothing has changed in between. Repeating it will not help: change it or take another way.)`;
}

function findCall(context: TurnContext, callId: string): OpenCall | undefined {
	return context.session.state.step?.calls.find((call) => call.callId === callId);
}

function clashesWithAny(checked: CheckedCall, wave: Place[]): boolean {
	return wave.some((place) =>
		place.checked?.prepared.resources.some((a) => checked.prepared.resources.some((b) => clash(a, b))),
	);
}

function writes({ checked }: Place): boolean {
	return checked?.prepared.resources.some(({ access }) => access === "write") ?? false;
}

/** Two uses clash where one writes what the other reads or writes. A tree holds every file below it. */
export function clash(a: Resource, b: Resource): boolean {
	if (a.access === "read" && b.access === "read") return false;
	const onDisk = (r: Resource) => r.kind === "file" || r.kind === "tree";
	if (onDisk(a) && onDisk(b)) return a.key === b.key || holds(a, b) || holds(b, a);
	return a.kind === b.kind && a.key === b.key;
}

function holds(tree: Resource, inner: Resource): boolean {
	if (tree.kind !== "tree") return false;
	const folder = tree.key.endsWith("/") ? tree.key : `${tree.key}/`;
	return inner.key.startsWith(folder);
}
