// Turns the chunks of any Chat Completions server into the chunks of the reference, so that both SDK providers read
// the same and every quirk is mended once. Pure: one state machine for one reply. It never ends a reply that the
// server did not end, and passes no error on as text.

import type { ReasoningPlace } from "../../types.ts";
import { asRecord, asWord, type JsonRecord } from "./json.ts";
import { readUsage, type WireUsage } from "./readUsage.ts";
import { errorOfEvent, findServerError, type ServerError } from "./serverErrors.ts";
import { createThinkSplitter, type ThinkPiece, type WordPiece } from "./thinkTags.ts";
import { type CallDelta, createToolCallAssembly } from "./toolCalls.ts";

export interface CanonicalDelta {
	content?: string;
	reasoning_content?: string;
	/** Ours: where the server put the reasoning of this reply; told once, and again where a field follows text. */
	reasoning_place?: ReasoningPlace;
	/** Ours: all content so far was reasoning. */
	rethought?: true;
	tool_calls?: CallDelta[];
}

/** A chunk as the reference has it; https://platform.openai.com/docs/api-reference/chat/streaming */
export interface CanonicalChunk {
	id: string;
	object: "chat.completion.chunk";
	created: number;
	model: string;
	choices: { index: 0; delta: CanonicalDelta; finish_reason: string | null }[];
	usage?: WireUsage;
}

/** Why a reply does not count. */
export type Problem =
	| { type: "server_error"; error: ServerError }
	| { type: "cut_off"; said: "nothing" | "something" }
	| { type: "nameless_call" }
	| { type: "empty" };

/** The end of a reply: its last chunks, what is wrong with it, and facts worth keeping beside it. */
export interface CanonicalEnd {
	chunks: CanonicalChunk[];
	problem?: Problem;
	notes: Record<string, unknown>;
}

export interface Canonical {
	/** Takes one chunk (or one whole reply) as the server sent it; returns what it means, which may be nothing. */
	push(value: unknown): CanonicalChunk[];
	/** Takes the payload of an `error` event. */
	pushError(value: unknown): void;
	/** Set once the server told an error: nothing after it counts. */
	readonly problem: Problem | undefined;
	/** True once the server told why it stopped. */
	readonly isAnswered: boolean;
	/** Call once, when nothing more comes. `sawDone`: the `[DONE]` marker came. */
	end(sawDone: boolean): CanonicalEnd;
}

/** A state machine for one reply. `idPrefix` makes call ids where the server sent none; `model` fills an absent name. */
export function createCanonical(options: { idPrefix: string; model: string }): Canonical {
	const calls = createToolCallAssembly((position) => `call_${options.idPrefix}_${position}`);
	const think = createThinkSplitter();
	const head = { id: `reply_${options.idPrefix}`, created: 0, model: options.model };
	let out: CanonicalChunk[] = [];
	let problem: Problem | undefined;
	let finishTold: string | undefined;
	let usage: WireUsage | undefined;
	let hasChunks = false;
	let hasText = false;
	let hasReasoning = false;
	let place: ReasoningPlace | undefined;
	/** First half of a surrogate pair whose other half may come with the next piece. */
	let half: { kind: "text" | "reasoning"; text: string } | undefined;
	let hasRefusal = false;

	function emit(delta: CanonicalDelta, finish: string | null = null): void {
		const previous = out.at(-1)?.choices[0];
		// Pieces that came in one read go on as one: the SDK's cost is per chunk.
		const field = delta.content !== undefined ? "content" : "reasoning_content";
		const isJoinable = previous?.delta[field] !== undefined && delta[field] !== undefined && finish === null;
		if (previous && isJoinable)
			Object.assign(previous.delta, delta, { [field]: `${previous.delta[field]}${delta[field]}` });
		else out.push(chunk([{ index: 0, delta, finish_reason: finish }]));
	}

	function chunk(choices: CanonicalChunk["choices"]): CanonicalChunk {
		return { ...head, object: "chat.completion.chunk", choices };
	}

	/** `from`: where the reasoning among them stood. */
	function emitPieces(pieces: ThinkPiece[], from: ReasoningPlace = "content"): void {
		for (const piece of pieces) {
			if (piece.kind === "rethought") {
				closeHalf();
				hasText = false;
				emit({ rethought: true, ...placed(from) });
				continue;
			}
			const { kind } = piece;
			const text = joinHalves(kind, piece.text);
			if (text === "") continue;
			if (kind === "reasoning") {
				hasReasoning = true;
				emit({ reasoning_content: text, ...placed(from) });
			} else {
				hasText ||= text.trim() !== "";
				emit({ content: text });
			}
		}
	}

	/** The place of the reasoning, where that is news: a field beats the text, and the first field stands. */
	function placed(from: ReasoningPlace): { reasoning_place?: ReasoningPlace } {
		if (place === from || (place !== undefined && place !== "content")) return {};
		place = from;
		return { reasoning_place: from };
	}

	/** `text` with what was held of its kind, well-formed; half a pair at its end is held for the next piece. */
	function joinHalves(kind: "text" | "reasoning", text: string): string {
		if (half?.kind !== kind) closeHalf();
		const whole = `${half?.text ?? ""}${text}`;
		const isHalf = /[\ud800-\udbff]$/.test(whole);
		half = isHalf ? { kind, text: whole.slice(-1) } : undefined;
		return (isHalf ? whole.slice(0, -1) : whole).toWellFormed();
	}

	/** The other half did not come. */
	function closeHalf(): void {
		if (half) emit(half.kind === "text" ? { content: LOST } : { reasoning_content: LOST });
		half = undefined;
	}

	function endThink(): ThinkPiece[] {
		return think.end(calls.count > 0);
	}

	function takeDelta(delta: JsonRecord): void {
		// A server that has a place for reasoning writes no tags into the text: from here on, all text is text.
		const field = REASONING_FIELDS.find((name) => asText(delta[name]) !== "");
		if (field) emitPieces([...endThink(), { kind: "reasoning", text: asText(delta[field]) }], field);
		for (const piece of contentPieces(delta["content"]))
			emitPieces(piece.kind === "text" ? think.push(piece.text) : [...endThink(), piece]);
		const refusal = asText(delta["refusal"]);
		if (refusal !== "") {
			hasRefusal = true;
			emitPieces([{ kind: "text", text: refusal }]);
		}
		for (const call of callDeltas(delta)) {
			const opening = calls.add(call);
			if (opening) emit({ tool_calls: [opening] });
		}
	}

	function takeChoice(choice: JsonRecord): void {
		const error = findServerError({ error: choice["error"] });
		if (error) problem = { type: "server_error", error };
		// A whole message counts only where nothing streamed: some servers close a stream with the sum of it.
		const isFresh = !hasText && !hasReasoning && calls.count === 0;
		const delta = asRecord(choice["delta"]) ?? (isFresh ? asRecord(choice["message"]) : undefined);
		if (delta) takeDelta(delta);
		finishTold = asWord(choice["finish_reason"]) ?? finishTold;
	}

	function takeHead(value: JsonRecord): void {
		if (hasChunks) return;
		hasChunks = true;
		head.id = asWord(value["id"]) ?? head.id;
		head.model = asWord(value["model"]) ?? head.model;
		if (Number.isInteger(value["created"])) head.created = value["created"] as number;
	}

	function drain(): CanonicalChunk[] {
		const ready = out;
		out = [];
		return ready;
	}

	/** The canonical reason, or what is wrong with the end. */
	function settle(sawDone: boolean): string | Problem {
		if (problem) return problem;
		const isAssumed = finishTold === undefined;
		const isAnswer = calls.count > 0 ? calls.allWhole : hasText;
		if (isAssumed && !(sawDone && isAnswer))
			return { type: "cut_off", said: hasChunks ? "something" : "nothing" };
		const told = canonicalFinish(finishTold ?? "stop");
		if (told === "error") {
			return {
				type: "server_error",
				error: { message: `The server ended the reply with ${finishTold}`, code: finishTold ?? "" },
			};
		}
		if (calls.hasNameless) return { type: "nameless_call" };
		if (told === "length" || told === "content_filter" || told === "refusal") return told;
		if (hasRefusal) return "refusal";
		if (calls.count > 0) return "tool_calls";
		return hasText ? "stop" : { type: "empty" };
	}

	return {
		push(value) {
			const record = asRecord(value);
			const error = findServerError(value);
			if (error) problem = { type: "server_error", error };
			if (!record || problem) return drain();
			takeHead(record);
			const choices = Array.isArray(record["choices"]) ? record["choices"].map(asRecord) : [];
			const choice = choices.find((one) => one && (one["index"] ?? 0) === 0);
			if (choice) takeChoice(choice);
			const told = record["usage"] ?? choice?.["usage"] ?? asRecord(record["x_groq"])?.["usage"];
			// Servers that tell a running total tell it in each chunk: the last one stands.
			usage = readUsage(told) ?? usage;
			return drain();
		},
		pushError(value) {
			problem ??= { type: "server_error", error: errorOfEvent(value) };
		},
		get problem() {
			return problem;
		},
		get isAnswered() {
			return finishTold !== undefined;
		},
		end(sawDone) {
			emitPieces(endThink());
			closeHalf();
			const end = settle(sawDone);
			for (const call of calls.close()) emit({ tool_calls: [call] });
			emit({}, typeof end === "string" ? end : "error");
			if (usage) out.push({ ...chunk([]), usage });
			const notes = {
				...(finishTold !== undefined && finishTold !== end && { finishTold }),
				...(typeof end === "string" && finishTold === undefined && { finishAssumed: true }),
			};
			return { chunks: drain(), notes, ...(typeof end !== "string" && { problem: end }) };
		},
	};
}

/** Fields that servers have for reasoning; where both come they say the same. */
const REASONING_FIELDS = ["reasoning_content", "reasoning"] as const;

/** Stands for half a character whose other half never came. */
const LOST = "\ufffd";

const FINISHES: readonly [string, RegExp][] = [
	[
		"length",
		/^(max(_output|_completion|_new)?_tokens?|(model_)?length|token_limit|model_context_window_exceeded)/,
	],
	["tool_calls", /^(tool_(calls?|use)|function_calls?)$/],
	["content_filter", /^(content_filter(ed)?|safety|sensitive|recitation|blocked|prohibited_content)$/],
	["refusal", /^refusal$/],
	[
		"error",
		/^(error|network_error|abort(ed)?|cancelled|insufficient_system_resources?|malformed_function_call)$/,
	],
];

/** The canonical word for a finish reason; a reason nobody knows is a plain end. */
function canonicalFinish(told: string): string {
	const word = told.toLowerCase().replace(/[- ]/g, "_");
	return FINISHES.find(([, pattern]) => pattern.test(word))?.[0] ?? "stop";
}

/** Content as a text or as a list of parts, some of which may be reasoning. */
function contentPieces(content: unknown): WordPiece[] {
	if (typeof content === "string") return content === "" ? [] : [{ kind: "text", text: content }];
	const parts = Array.isArray(content) ? content : [content];
	return parts.flatMap((part): WordPiece[] => {
		if (typeof part === "string") return contentPieces(part);
		const record = asRecord(part);
		const thinking = record?.["thinking"] ?? record?.["reasoning"];
		if (thinking !== undefined) {
			const text = contentPieces(thinking)
				.map((piece) => piece.text)
				.join("");
			return text === "" ? [] : [{ kind: "reasoning", text }];
		}
		return contentPieces(record?.["text"] ?? "");
	});
}

function callDeltas(delta: JsonRecord): unknown[] {
	const calls = delta["tool_calls"];
	if (Array.isArray(calls)) return calls;
	if (asRecord(calls)) return [calls];
	const legacy = asRecord(delta["function_call"]);
	return legacy ? [{ index: 0, function: legacy }] : [];
}

function asText(value: unknown): string {
	return typeof value === "string" ? value : "";
}
