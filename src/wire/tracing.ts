// Sends what a session did in this process to the collector that the environment names. Loaded only where it names one.

import { otlpTarget, sendTrace } from "../adapters/tracing/otlp.ts";
import { createWorld } from "../adapters/world.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { traceSession } from "../runtime/traceSession.ts";
import { VERSION } from "../version.ts";

/**
 * Sends the turns of a session after the first `skipped`. Resolves with undefined, or with a sentence about what went
 * wrong; never rejects.
 */
export async function sendTurns(
	sessions: Pick<Sessions, "read">,
	sessionId: string,
	skipped: number,
	env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
	const target = otlpTarget(env);
	if (!target)
		return "No collector is named: set OTEL_EXPORTER_OTLP_ENDPOINT to its address, such as http://localhost:4318.";
	try {
		const trace = await traceSession(sessions, sessionId);
		const { digest } = createWorld();
		return await sendTrace(
			target,
			{ ...trace, turns: trace.turns.slice(skipped) },
			{ version: VERSION, digest },
		);
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
