// What agi needs of a model: one request, one whole outcome, deltas on the way. Nothing is retried here.

import type { ModelFailure, ModelReply, ReasoningPlace, ToolSchema } from "../types.ts";

/** An image that goes with a message. */
export interface PromptImage {
	/** As its message names it. */
	source: string;
	mediaType: string;
	/** SHA-256 of its bytes in hex. */
	digest: string;
	/** In pixels. */
	width: number;
	height: number;
	/** Its bytes; set right before the request is sent. */
	base64?: string;
}

/** A message as a request carries it. Ids pair a call with its result by position and id within one reply. */
export type PromptMessage =
	| { role: "user"; text: string; images?: PromptImage[] }
	| {
			role: "assistant";
			text: string;
			/** Sent back only in the server's own field, never as content; set only where this server gave it. */
			reasoning?: string;
			/** The field it came in and goes back in. Default: `reasoning_content`. */
			reasoningField?: Exclude<ReasoningPlace, "content">;
			calls: { id: string; name: string; args: Record<string, unknown> }[];
	  }
	| { role: "tool"; id: string; name: string; text: string };

/** A request before it takes the wire's form. Order and content are final; the adapter adds nothing of its own. */
export interface ModelRequest {
	system: string;
	messages: PromptMessage[];
	/** Empty: no tools are offered. */
	tools: ToolSchema[];
	/** Cap of the reply in tokens; absent: the server's own. */
	maxOutputTokens?: number;
}

/** Something that streamed. Deltas are for the screen; the outcome alone is a fact. */
export type ModelDelta =
	| { type: "text"; text: string }
	| { type: "reasoning"; text: string }
	/** All text so far, which is `text`, turned out to be reasoning. */
	| { type: "rethought"; text: string }
	| { type: "call"; name: string }
	/** The server sent bytes that carry nothing to show (keep-alives, argument pieces). */
	| { type: "alive" };

export type ModelOutcome =
	| { ok: true; reply: ModelReply }
	| { ok: false; failure: ModelFailure; partial: ModelReply };

export interface ModelStreamOptions {
	signal: AbortSignal;
	/**
	 * Called once with the body exactly as it will go over the wire, before the first byte leaves. The request is sent
	 * only after it resolved; if it rejects, nothing is sent and `stream` rejects with the same error.
	 */
	onPrepared(body: string): Promise<void>;
	onDelta(delta: ModelDelta): void;
}

/**
 * A model behind its wire. `stream` sends one request and resolves with its outcome; it rejects only with the error of
 * `onPrepared`. After an abort it resolves soon with the failure kind `cancelled` and what had come. A stream that
 * ends without a finish reason and without `[DONE]` is a failure of kind `network`, never a short answer. A reply with
 * neither text nor calls and finish `stop` is a failure of kind `unknown`, retryable.
 */
export interface Model {
	/** Name as sent to the server. */
	readonly name: string;
	readonly profile: string;
	readonly baseUrl: string;
	stream(request: ModelRequest, options: ModelStreamOptions): Promise<ModelOutcome>;
}
