// Gives back every request of a session as it went over the wire, from the differences that its log holds. A body that
// does not match its digest is never given out.

import { patchBody } from "../agent/context/bodyDelta.ts";
import type { Commit, EventOf } from "../session/events.ts";

/** One Attempt's request: its body, or a sentence why that cannot be rebuilt. `seq` is the commit that prepared it. */
export type RebuiltRequest = { attemptId: string; seq: number } & Rebuilt;

type Rebuilt = { ok: true; body: string } | { ok: false; message: string };

/** What rebuilding needs of the world. `getBlob` rejects for a blob that is lost. */
export interface RebuildOptions {
	getBlob(digest: string): Promise<Uint8Array>;
	/** SHA-256 in hex. */
	digest(content: string): string;
}

/**
 * The requests of a log in the order of its Attempts; the texts of `commits` must have been put back. A request that
 * cannot be rebuilt spoils those told as a difference to it, up to the next that stands alone.
 */
export async function* rebuildRequests(
	commits: readonly Commit[],
	options: RebuildOptions,
): AsyncGenerator<RebuiltRequest> {
	let previous: Rebuilt | undefined;
	const prepared = new Map<string, { seq: number; rebuilt: Rebuilt }>();
	for (const commit of commits) {
		for (const event of commit.events) {
			if (event.type === "request/prepared") {
				// A summary's request stands beside the chain of the conversation's.
				const rebuilt = await rebuild(event, event.owner ? undefined : previous, options);
				if (!event.owner) previous = rebuilt;
				prepared.set(event.requestId, { seq: commit.seq, rebuilt });
			} else if (event.type === "attempt/start") {
				const { attemptId, requestId } = event;
				const found = prepared.get(requestId);
				prepared.delete(requestId);
				yield found
					? { attemptId, seq: found.seq, ...found.rebuilt }
					: { attemptId, seq: commit.seq, ok: false, message: `request ${requestId} is not in the log` };
			}
		}
	}
}

async function rebuild(
	{ requestId, delta, digest }: EventOf<"request/prepared">,
	previous: Rebuilt | undefined,
	options: RebuildOptions,
): Promise<Rebuilt> {
	const standsAlone = delta.prefix === 0 && delta.suffix === 0;
	if (previous?.ok === false && !standsAlone)
		return { ok: false, message: `request ${requestId} is told as a difference to one that is lost` };
	const middle = await textOf(delta.middle, options);
	if (!middle.ok) return { ok: false, message: `request ${requestId} cannot be rebuilt: ${middle.message}` };
	const body = patchBody(previous?.ok ? previous.body : "", { ...delta, middle: middle.text });
	return options.digest(body) === digest
		? { ok: true, body }
		: { ok: false, message: `request ${requestId} does not match its digest ${digest}` };
}

async function textOf(
	middle: EventOf<"request/prepared">["delta"]["middle"],
	options: RebuildOptions,
): Promise<{ ok: true; text: string } | { ok: false; message: string }> {
	if (typeof middle === "string") return { ok: true, text: middle };
	try {
		// A body may begin with U+FEFF, which a decoder would take for a mark and drop.
		return {
			ok: true,
			text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(await options.getBlob(middle.blob)),
		};
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		return { ok: false, message: message.replace(/\.$/, "") };
	}
}
