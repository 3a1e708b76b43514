// From the bytes of a 200 answer to canonical chunks and a verdict. It decides whether the body is an event stream, a
// whole reply or a web page, and never takes a body it cannot read for an answer. It reads bytes only; sockets, time
// and the person's abort are the wire's.

import { randomBytes } from "node:crypto";
import type { ModelFailure } from "../../types.ts";
import { type CanonicalChunk, createCanonical } from "./canonical.ts";
import { type Endpoint, failureOfMalformed, failureOfPage, failureOfProblem } from "./failures.ts";
import { parseJson } from "./json.ts";
import { createSseParser, type SseEvent } from "./sse.ts";

export interface ReplyReader {
	/** Takes the next bytes of the body; returns what they mean. */
	push(bytes: Uint8Array): CanonicalChunk[];
	/** True once nothing more can count: the end marker came, or an error. */
	readonly isOver: boolean;
	/** True once the server told why it stopped: what may follow is usage and the end marker. */
	readonly isAnswered: boolean;
	/** Call once, when no more bytes come. `notes` are facts worth keeping beside the reply. */
	end(): { chunks: CanonicalChunk[]; failure?: ModelFailure; notes: Record<string, unknown> };
}

/** Bytes → events → canonical chunks. A body that is no event stream is kept whole and read at its end. */
export function createReplyReader(endpoint: Endpoint): ReplyReader {
	const canonical = createCanonical({ idPrefix: randomBytes(6).toString("hex"), model: endpoint.model });
	const parser = createSseParser();
	const decoder = new TextDecoder();
	let form: "unknown" | "events" | "whole" = "unknown";
	let head: Uint8Array[] = [];
	let whole = "";
	let sawDone = false;
	let failure: ModelFailure | undefined;

	function takeEvent({ data, event }: SseEvent): CanonicalChunk[] {
		if (sawDone || failure || data.trim() === "") return [];
		if (data.trim() === "[DONE]") {
			sawDone = true;
			return [];
		}
		const value = parseJson(data);
		if (event === "error") canonical.pushError(value ?? data);
		else if (value === undefined) failure = failureOfMalformed(data, endpoint);
		else return canonical.push(value);
		return [];
	}

	/** The first visible character decides: content types of servers do not. */
	function takeHead(bytes: Uint8Array): Uint8Array[] {
		head.push(bytes);
		const first = new TextDecoder().decode(bytes).trimStart()[0];
		if (first === undefined) return [];
		form = first === "{" || first === "[" || first === "<" ? "whole" : "events";
		const held = head;
		head = [];
		return held;
	}

	function takeWhole(): CanonicalChunk[] {
		const value = parseJson(whole);
		if (value !== undefined) {
			sawDone = true;
			return canonical.push(value);
		}
		const isPage = whole.trimStart().startsWith("<");
		failure = isPage ? failureOfPage(whole, endpoint, 200) : failureOfMalformed(whole, endpoint);
		return [];
	}

	return {
		push(bytes) {
			const pieces = form === "unknown" ? takeHead(bytes) : [bytes];
			if (form === "whole") {
				for (const piece of pieces) whole += decoder.decode(piece, { stream: true });
				return [];
			}
			return pieces.flatMap((piece) => parser.push(piece)).flatMap(takeEvent);
		},
		get isOver() {
			return sawDone || failure !== undefined || canonical.problem !== undefined;
		},
		get isAnswered() {
			return canonical.isAnswered;
		},
		end() {
			const chunks = form === "whole" ? takeWhole() : parser.end().flatMap(takeEvent);
			const end = canonical.end(sawDone);
			failure ??= end.problem && failureOfProblem(end.problem, endpoint);
			return { chunks: [...chunks, ...end.chunks], notes: end.notes, ...(failure && { failure }) };
		},
	};
}
