// How often a model repeats a failing call. Within a Turn the failures of one call add up, whatever it calls in between,
// until something happens that could change how the call ends: it succeeds, another call changes something, or the
// person steps in. Then it may be tried anew. Failures in one Step count once: the model has not seen any of them. Pure.

import { canonicalJson } from "./canonicalJson.ts";
import type { EventOf } from "./events.ts";
import type { OpenCall, RepeatedFailure } from "./state.ts";

/** From which failure on the model is told that it repeats one. */
export const TELL_REPEATS = 3;

/** In how many Steps a model may repeat one failing call before its turn is ended. */
export const MAX_REPEATED_FAILURES = 5;

type Ended = Pick<EventOf<"tool/result">, "status" | "error">;

/** What makes two calls the same. */
type Asked = Pick<OpenCall, "name" | "args" | "invalidArguments">;

/** In how many Steps `call` has failed this way once it ends as `end` in the Step `stepId`; 0 where that is no failure. */
export function timesFailed(
	failures: readonly RepeatedFailure[],
	call: Asked,
	end: Ended,
	stepId: string,
): number {
	if (end.status === "result") return 0;
	const known = findFailure(failures, call, end);
	if (known === undefined) return 1;
	return known.stepId === stepId ? known.times : known.times + 1;
}

/** The failures that still count after `call` ended as `end` in the Step `stepId`. */
export function countEnd(
	failures: readonly RepeatedFailure[],
	call: OpenCall,
	end: Ended,
	stepId: string,
): RepeatedFailure[] {
	if (end.status === "result")
		return hasChanged(call) ? [] : failures.filter((one) => one.call !== nameOf(call));
	const known = findFailure(failures, call, end);
	const times = timesFailed(failures, call, end, stepId);
	const counted = { call: nameOf(call), error: kindOf(end), times, stepId };
	return [...failures.filter((one) => one !== known), counted];
}

/**
 * Whether a call that succeeded may have changed what another one meets. A command that only reads has not, nor a write
 * that left every file as it was.
 */
function hasChanged({ effects, started }: OpenCall): boolean {
	if (effects === "none" || started?.onlyReads) return false;
	const { before = [], after = [] } = started ?? {};
	const isSame = (at: number) =>
		before[at]?.path === after[at]?.path && before[at]?.digest === after[at]?.digest;
	return after.length === 0 || before.length !== after.length || !after.every((_, at) => isSame(at));
}

function findFailure(
	failures: readonly RepeatedFailure[],
	call: Asked,
	end: Ended,
): RepeatedFailure | undefined {
	const name = nameOf(call);
	const error = kindOf(end);
	return failures.find((one) => one.call === name && one.error === error);
}

function nameOf({ name, args, invalidArguments }: Asked): string {
	return `${name} ${invalidArguments ?? canonicalJson(args)}`;
}

/** Not its words: those of a failing command may tell a time or a process id. */
function kindOf({ status, error }: Ended): string {
	return error?.type ?? status;
}
