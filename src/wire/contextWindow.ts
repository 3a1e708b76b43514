// Learns how large the window of the model that answers really is: from the server itself where it runs on this machine,
// asked in the background of the first requests, and from errors that name it. A window that a person set is only
// believed to be smaller, never larger.

import { PROFILES } from "../adapters/models/catalog.ts";
import { readLocalWindow } from "../adapters/models/localWindow.ts";
import type { ShownModel } from "../rpc/protocol.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import { originOf } from "../session/state.ts";
import type { ActiveModel, ModelSwitch } from "./activeModel.ts";

export interface WindowWatch {
	session: Pick<LiveSession, "subscribe" | "tell" | "state">;
	models: Pick<ModelSwitch, "current" | "learnWindow">;
	/** Whether a person set the window. */
	isSet: boolean;
	/** Goes to the session's first server only. */
	apiKey?: string;
	onLearned(model: ShownModel): void;
}

/** How often a server is asked that told no exact window: some know it only once the model is loaded. */
const TIMES = 2;

/** Watches a session; the function it gives back ends that. */
export function watchWindow(watch: WindowWatch): () => void {
	const { session, models } = watch;
	const over = new AbortController();
	const firstServer = models.current().config.baseUrl;
	const asked = new Map<string, number>();

	const learn = (tokens: number, why: string): void => {
		const { limits } = models.current();
		if (tokens === limits.contextWindow || (watch.isSet && tokens > limits.contextWindow)) return;
		const smaller = tokens < limits.contextWindow;
		watch.onLearned(models.learnWindow(tokens));
		if (smaller)
			session.tell({
				type: "notice",
				text: `${why} a window of ${format(tokens)} tokens, not ${format(limits.contextWindow)}; agi goes by the smaller one.`,
			});
	};
	// The session was here before: a request that would be refused again need not be sent.
	const known = session.state.windows.get(originOf(models.current().config));
	if (known !== undefined) learn(known, `The server gave ${models.current().config.model}`);
	const ask = async ({ config }: ActiveModel): Promise<void> => {
		const key = `${config.baseUrl} ${config.model}`;
		const times = asked.get(key) ?? 0;
		// A server that nobody named as one of these may be anything; it gets no request but those to the model.
		const isKnown = PROFILES.some(({ name, local }) => local && name === config.profile);
		if (times >= TIMES || !isKnown) return;
		asked.set(key, times + 1);
		const told = await readLocalWindow({
			...config,
			signal: over.signal,
			...(watch.apiKey !== undefined && config.baseUrl === firstServer ? { apiKey: watch.apiKey } : {}),
		});
		const now = models.current();
		if (!told || over.signal.aborted || `${now.config.baseUrl} ${now.config.model}` !== key) return;
		if (told.exact) asked.set(key, TIMES);
		// What a model could take at most says nothing against a smaller window.
		if (told.exact || told.tokens < now.limits.contextWindow)
			learn(told.tokens, `${told.server} gives ${config.model}`);
	};

	const stop = session.subscribe((told) => {
		if (told.kind !== "facts") return;
		for (const event of told.events) {
			if (event.type === "attempt/start") void ask(models.current());
			const window = event.type === "attempt/end" ? event.failure?.contextWindow : undefined;
			if (window !== undefined) learn(window, `The server gives ${models.current().config.model}`);
		}
	});
	return () => {
		stop();
		over.abort();
	};
}

function format(tokens: number): string {
	return tokens.toLocaleString("en-US");
}
