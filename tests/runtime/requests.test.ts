import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffBody } from "../../src/agent/context/bodyDelta.ts";
import { type RebuiltRequest, rebuildRequests } from "../../src/runtime/requests.ts";
import type { BodyDelta, Commit } from "../../src/session/events.ts";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A log whose n-th commit prepares and sends the n-th body. */
function logOf(
	bodies: readonly string[],
	change: (delta: BodyDelta, at: number) => BodyDelta = (d) => d,
): Commit[] {
	return bodies.map((body, at) => {
		const delta = change(diffBody(bodies[at - 1] ?? "", body), at);
		const requestId = `request-${at + 1}`;
		return {
			v: 1,
			seq: at + 1,
			at: "2026-11-29T17:20:31.120Z",
			events: [
				{
					type: "request/prepared",
					requestId,
					stepId: "step-1",
					digest: digest(body),
					bytes: 0,
					delta,
					contributions: [],
				},
				{ type: "attempt/start", attemptId: `attempt-${at + 1}`, stepId: "step-1", requestId },
			],
		};
	});
}

async function rebuild(commits: Commit[], blobs: Record<string, string> = {}): Promise<RebuiltRequest[]> {
	const getBlob = async (name: string) => {
		const text = blobs[name];
		if (text === undefined) throw new Error(`no blob ${name}`);
		return new TextEncoder().encode(text);
	};
	const found: RebuiltRequest[] = [];
	for await (const request of rebuildRequests(commits, { getBlob, digest })) found.push(request);
	return found;
}

describe("rebuildRequests", () => {
	it("gives back any chain of bodies", async () => {
		const bodies = fc.array(fc.string({ maxLength: 40, unit: "grapheme" }), { maxLength: 8 });
		await fc.assert(
			fc.asyncProperty(bodies, async (chain) => {
				const found = await rebuild(logOf(chain));
				expect(found.map((request) => request.ok && request.body)).toEqual(chain);
			}),
		);
	});

	it("takes a long middle from its blob, a leading byte order mark kept", async () => {
		const commits = logOf(["\ufeffbody"], (delta) => ({ ...delta, middle: { blob: "b" } }));
		expect(await rebuild(commits, { b: "\ufeffbody" })).toEqual([
			{ attemptId: "attempt-1", seq: 1, ok: true, body: "\ufeffbody" },
		]);
	});

	it("loses what rests on a lost request, and goes on with the next that stands alone", async () => {
		const commits = logOf(["{one}", "{one, two}", "other"], (delta, at) =>
			at === 0 ? { ...delta, middle: { blob: "gone" } } : delta,
		);
		const found = await rebuild(commits);
		expect(found.map(({ ok }) => ok)).toEqual([false, false, true]);
		expect(found[0]).toMatchObject({ message: "request request-1 cannot be rebuilt: no blob gone" });
		expect(found[1]).toMatchObject({ message: expect.stringContaining("a difference to one that is lost") });
	});

	it("never gives out a body that does not match its digest", async () => {
		const [found] = await rebuild(logOf(["body"], (delta) => ({ ...delta, middle: "bodY" })));
		expect(found).toMatchObject({ ok: false, message: expect.stringContaining("does not match its digest") });
	});

	it("names an attempt whose request is in no commit", async () => {
		const commits = logOf(["body"]).map((commit) => ({ ...commit, events: commit.events.slice(1) }));
		expect(await rebuild(commits)).toMatchObject([
			{ ok: false, message: "request request-1 is not in the log" },
		]);
	});
});
