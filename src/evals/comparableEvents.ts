// What of a log is behaviour: the facts that the same answers of model, tools and people must bring again. Left out is
// what depends on the machine, the moment or the prompt's bytes. Pure.

import type { SessionEvent } from "../session/events.ts";

/** Facts that come from people, from child sessions or from the disk, and that a replay gives or leaves out itself. */
const LEFT_OUT = new Set<string>([
	"session/created",
	"session/renamed",
	"user/message",
	"inbox/enqueued",
	"mode/changed",
	"request/prepared",
	"question/asked",
	"question/answered",
	"subagent/changed",
	"file/snapshotted",
	"file/changed",
	"artifact/created",
	"taint/set",
	"document/observed",
	"memory/changed",
	"skill/loaded",
]);

/** Fields that tell of time, bytes, files or wording of the moment. */
const FIELDS_LEFT_OUT = new Set([
	"durationMs",
	"backoffMs",
	"digest",
	"usage",
	"usageEstimated",
	"metadata",
	"resources",
	"preview",
	"expiresAt",
	"idempotencyKey",
	"before",
	"after",
	"observed",
	"reason",
	"label",
	"rule",
	"sandbox",
	"artifactId",
]);

/** The comparable facts, a line each, in order: the type, then the fields by name. */
export function comparable(events: readonly SessionEvent[]): string[] {
	return events.filter((event) => !LEFT_OUT.has(event.type)).map(lineOf);
}

function lineOf(event: SessionEvent): string {
	const { type, ...fields } = event;
	// Which tools there are is told in the text, and depends on keys that were set.
	const isUnknownTool = event.type === "tool/result" && event.error?.type === "UNKNOWN_TOOL";
	const kept = isUnknownTool ? { callId: event.callId, status: event.status, error: "UNKNOWN_TOOL" } : fields;
	return `${type} ${JSON.stringify(kept, (key, value: unknown) => (FIELDS_LEFT_OUT.has(key) ? undefined : sorted(value)))}`;
}

/** An object with its keys in order: who wrote them first is no behaviour. */
function sorted(value: unknown): unknown {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
