// Asks a model once and keeps everything it tells on the way.

import type { CreateModelOptions } from "../../../src/adapters/models/aiSdk.ts";
import { createModel } from "../../../src/adapters/models/aiSdk.ts";
import type { ModelDelta, ModelOutcome, ModelRequest } from "../../../src/ports/model.ts";

export const DIALECTS = ["openai", "compatible"] as const;

export const HELLO: ModelRequest = {
	system: "Be brief.",
	messages: [{ role: "user", text: "hi" }],
	tools: [],
};

export interface Asked {
	outcome: ModelOutcome;
	deltas: ModelDelta[];
	bodies: string[];
}

export interface AskOptions extends Partial<CreateModelOptions> {
	baseUrl: string;
	request?: ModelRequest;
	signal?: AbortSignal;
	onDelta?(delta: ModelDelta): void;
	onPrepared?(body: string): Promise<void>;
}

/** One request to a new model. */
export async function ask(options: AskOptions): Promise<Asked> {
	const { request = HELLO, signal = new AbortController().signal, onDelta, onPrepared, ...model } = options;
	const deltas: ModelDelta[] = [];
	const bodies: string[] = [];
	const outcome = await createModel({ name: "m", profile: "custom", ...model }).stream(request, {
		signal,
		async onPrepared(body) {
			bodies.push(body);
			await onPrepared?.(body);
		},
		onDelta(delta) {
			deltas.push(delta);
			onDelta?.(delta);
		},
	});
	return { outcome, deltas, bodies };
}
