// What follows a session beside its clients: diagnostics, tracing, the model's window, the sandbox. Nothing of it is in the
// way of a turn.

import { openDiagnosticsFile } from "../adapters/diagnosticsFile.ts";
import { AgentLogger } from "../agent/logger.ts";
import type { World } from "../ports/world.ts";
import type { Server } from "../rpc/server.ts";
import { logFacts } from "../runtime/diagnostics.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { watchWindow } from "./contextWindow.ts";
import { watchSandbox } from "./sandboxWatch.ts";
import type { SessionParts } from "./sessionParts.ts";
import type { StartOptions } from "./startOptions.ts";

/** What is followed, and with what. */
export interface WatchParts {
	sessions: Sessions;
	session: LiveSession;
	options: StartOptions;
	world: World;
	parts: SessionParts;
	server: Pick<Server, "notify">;
}

/** What ends with a session, in two moves. */
export interface SessionWatch {
	/** Before the session is closed: nothing more is asked or told. */
	stop(): void;
	/** After it was closed: sends and writes what was gathered. */
	finish(): Promise<void>;
}

/** Follows a session from now on. */
export async function watchSession(watch: WatchParts): Promise<SessionWatch> {
	const { sessions, session, options, world, parts, server } = watch;
	const { env, laminarKey, model } = options;
	const { agentFolder } = options.place;
	const diagnostics = options.diagnostics && agentFolder ? openDiagnosticsFile(agentFolder) : undefined;
	if (diagnostics) {
		logFacts(session, diagnostics.write, parts.redact);
		parts.onChild((child) => logFacts(child, diagnostics.write, parts.redact));
	}
	const turnsBefore = session.state.made.turn;
	const tracing = laminarKey
		? (await import("../adapters/tracing/laminar.ts")).traceToLaminar(laminarKey, session)
		: undefined;
	const stopWindow = watchWindow({
		session,
		models: parts.models,
		isSet: options.contextWindow !== undefined,
		...(model.kind === "model" && model.apiKey !== undefined ? { apiKey: model.apiKey } : {}),
		onLearned: (shown) => server.notify({ kind: "model", model: shown }),
	});
	const stopSandbox = watchSandbox({
		session,
		sandbox: parts.sandbox,
		interactive: options.interactive,
		clock: world.clock,
		onChange: (sandbox) => server.notify({ kind: "sandbox", sandbox }),
	});
	return {
		stop() {
			stopWindow();
			stopSandbox();
		},
		async finish() {
			if (env["OTEL_EXPORTER_OTLP_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) {
				const { sendTurns } = await import("./tracing.ts");
				const { sessionId } = session.state;
				const failure = await sendTurns(sessions, sessionId, turnsBefore, env);
				if (failure !== undefined) options.onTraceFailure?.(parts.redact(failure));
				if (failure !== undefined && diagnostics) {
					const logger = { conversationId: sessionId, sink: diagnostics.write, redact: parts.redact };
					new AgentLogger(logger).error(failure, "sending the trace to the collector");
				}
			}
			await diagnostics?.close();
			await (await tracing)?.close();
		},
	};
}
