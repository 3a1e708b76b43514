// Sends what a session did to Laminar: a span for each Turn, and below it one for each Attempt and tool call, made from
// facts that are on the disk. It can neither change nor delay the session, and a failure of it costs only the trace.

import type { SessionEvent } from "../../session/events.ts";
import type { LiveDelta } from "../../session/live.ts";
import { createSpanWriter, type Spans } from "./spans.ts";

/** What tracing needs of a session. */
export interface TracedSession {
	readonly state: { sessionId: string };
	subscribe(listener: (publication: Publication) => void): () => void;
	tell(delta: LiveDelta): void;
}

type Publication =
	| { kind: "facts"; at: string; events: readonly SessionEvent[] }
	| { kind: "live"; delta: LiveDelta };

/** What is used of the package `@lmnr-ai/lmnr`. */
export interface LaminarModule {
	Laminar: Spans & {
		initialized(): boolean;
		initialize(options: { projectApiKey: string; instrumentModules: object }): void;
		flush(): Promise<void>;
	};
}

/** A running trace. */
export interface Trace {
	/** Sends what is left; resolves after 2 s (`longestCloseMs`) at the latest, sent or not. */
	close(): Promise<void>;
}

const LONGEST_CLOSE_MS = 2_000;

/**
 * Traces a session from now on. Resolves at once: the package is loaded beside the session, and facts wait for it. It is
 * looked for from agi's own place upwards, never from the project's: a repository must not bring code into agi.
 * Where it is not installed or fails, the person is told once and nothing is traced. Never rejects.
 */
export async function traceToLaminar(
	apiKey: string,
	session: TracedSession,
	load: () => Promise<LaminarModule> = () => import("@lmnr-ai/lmnr"),
	longestCloseMs: number = LONGEST_CLOSE_MS,
): Promise<Trace> {
	const waiting: (Publication & { kind: "facts" })[] = [];
	let write: ((facts: Publication & { kind: "facts" }) => void) | undefined;

	const giveUp = (notice: string): void => {
		unsubscribe();
		waiting.length = 0;
		write = undefined;
		session.tell({ type: "notice", text: notice });
	};
	const take = (facts: Publication & { kind: "facts" }): void => {
		try {
			write?.(facts);
		} catch (error) {
			giveUp(`Tracing to Laminar has stopped: ${messageOf(error)}. The session is not touched by that.`);
		}
	};
	const unsubscribe = session.subscribe((publication) => {
		if (publication.kind !== "facts") return;
		if (write) take(publication);
		else waiting.push(publication);
	});
	const ready = loadQuietly(load)
		.then(({ Laminar }) => {
			if (!Laminar.initialized()) Laminar.initialize({ projectApiKey: apiKey, instrumentModules: {} });
			write = createSpanWriter(Laminar, session.state.sessionId);
			for (const facts of waiting.splice(0)) take(facts);
			return Laminar;
		})
		.catch((error: unknown) => giveUp(failureNotice(error)));

	return {
		async close() {
			unsubscribe();
			const sent = ready.then((laminar) => laminar?.flush()).catch(() => undefined);
			await Promise.race([sent, longestClose(sent, longestCloseMs)]);
		},
	};
}

/** The package's own log goes to stdout, where only the answer belongs; its level is read while it loads. */
async function loadQuietly(load: () => Promise<LaminarModule>): Promise<LaminarModule> {
	const { env } = process;
	const level = env["LMNR_LOG_LEVEL"];
	env["LMNR_LOG_LEVEL"] = "fatal";
	try {
		return await load();
	} finally {
		if (level === undefined) delete env["LMNR_LOG_LEVEL"];
		else env["LMNR_LOG_LEVEL"] = level;
	}
}

function longestClose(sent: Promise<unknown>, longestMs: number): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, longestMs);
		void sent.then(() => clearTimeout(timer));
	});
}

function failureNotice(error: unknown): string {
	const code = error instanceof Error && "code" in error ? error.code : undefined;
	if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND")
		return "A Laminar key is set, but its package is not installed beside agi, so nothing is traced. Where agi was installed with -g: npm install -g @lmnr-ai/lmnr";
	return `Nothing is traced to Laminar: ${messageOf(error)}`;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
