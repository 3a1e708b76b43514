// From the bytes of a 200 answer to canonical chunks and a verdict. It decides whether the body is an event stream, a
// whole reply or a web page, and never takes a body it cannot read for an answer. It reads bytes only; sockets, time
// and the person's abort are the wire's.

import { randomBytes } from "node:crypto";
import type { ModelFailure } from "../../types.ts";
import { type CanonicalChunk, createCanonical } from "./canonical.ts";
import {
	type Endpoint,
	failureOfMalformed,
	failureOfNoReply,
	failureOfPage,
	failureOfProblem,
} from "./failures.ts";
import { asRecord, parseJson } from "./json.ts";
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

/** Of a body that holds no event, this much is kept, in UTF-16 units, to tell its words. */
const HEARD_LENGTH = 4096;

/** Bytes → events → canonical chunks. A body that is no event stream is kept whole and read at its end. */
export function createReplyReader(endpoint: Endpoint): ReplyReader {
	const canonical = createCanonical({ idPrefix: randomBytes(6).toString("hex"), model: endpoint.model });
	const parser = createSseParser();
	const decoder = new TextDecoder();
	let form: "unknown" | "events" | "whole" = "unknown";
	let head: Uint8Array[] = [];
	let whole = "";
	let hasEvents = false;
	let heard = "";
	let sawDone = false;
	let failure: ModelFailure | undefined;

	function takeEvent({ data, event }: SseEvent): CanonicalChunk[] {
		hasEvents = true;
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
			const chunks = canonical.push(value);
			if (!canonical.problem && !holdsChoices(value)) failure = failureOfNoReply(whole, endpoint);
			return chunks;
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
			for (const piece of pieces)
				if (!hasEvents && heard.length < HEARD_LENGTH) heard += decoder.decode(piece, { stream: true });
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
			const words = hasEvents ? "" : wordsOf(heard);
			if (words !== "") failure ??= failureOfNoReply(words, endpoint);
			failure ??= end.problem && failureOfProblem(end.problem, endpoint);
			return { chunks: [...chunks, ...end.chunks], notes: end.notes, ...(failure && { failure }) };
		},
	};
}

/** Whether a whole body is a reply, be it an empty one. */
function holdsChoices(value: unknown): boolean {
	return Array.isArray(asRecord(value)?.["choices"]);
}

/** What a body says that holds no event: its lines without comments and fields of an event stream. */
function wordsOf(body: string): string {
	return body
		.split(/\r\n|\n|\r/)
		.filter((line) => !/^(data|event|id|retry)?:/.test(line))
		.join("\n")
		.trim();
}
