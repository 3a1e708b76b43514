// `agi sessions export` and `trace`: one session as a document, or as what it did and how long that took. Secrets are
// taken out once more, with the keys that are set now.

import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { PROFILES } from "../adapters/models/catalog.ts";
import { createRedactor, redactValue } from "../policy/redact.ts";
import { EXPORTS } from "../runtime/exportSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { traceSession } from "../runtime/traceSession.ts";
import { loadSettings } from "../settings/settings.ts";
import { AgiError, type ExitCode } from "../types.ts";
import type { Place } from "../wire/place.ts";
import { sendTurns } from "../wire/tracing.ts";
import type { CommandLine } from "./arguments.ts";
import type { ParsedFlags } from "./flagValues.ts";
import type { Surroundings } from "./surroundings.ts";
import { traceText } from "./traceText.ts";

/** Writes a session to stdout or to a new file (mode 0600). Rejects with exit 42 where it is there or cannot be written. */
export async function exportSession(
	place: Place,
	sessions: Sessions,
	parsed: CommandLine<"sessions"> & { action: "export" },
	around: Surroundings,
): Promise<ExitCode> {
	const { id, format, file } = parsed;
	const sessionId = await sessions.find(id, { allProjects: true });
	const reading = await sessions.read(sessionId, { onLostText: (_, message) => around.err(message) });
	if (reading.damage)
		around.err(
			`The log of session ${sessionId} is damaged (${reading.damage.message}); the rest is exported.`,
		);
	const redact = createRedactor(await keysOf(place, parsed.flags, around));
	const text = EXPORTS[format](redactValue(reading.commits, redact));
	if (file === undefined) {
		around.out(text);
		return 0;
	}
	const path = resolve(place.cwd, file);
	try {
		writeFileSync(path, text, { flag: "wx", mode: 0o600 });
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === "EEXIST")
			throw new AgiError(
				"EXPORT_FAILED",
				`${path} exists already and was not written over; name another file.`,
				{
					exitCode: 42,
					cause,
				},
			);
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new AgiError("EXPORT_FAILED", `The session could not be written to ${path}: ${reason}.`, {
			exitCode: 42,
			cause,
		});
	}
	around.err(`Session ${sessionId} is written to ${path}.`);
	return 0;
}

/** Prints cases made from a session, for `agi eval`. Rejects with exit 42 where no turn of it can be one. */
export async function printCases(
	place: Place,
	sessions: Sessions,
	parsed: CommandLine<"sessions"> & { action: "to-eval" },
	around: Surroundings,
): Promise<ExitCode> {
	const { casesFromSession } = await import("../evals/fromSession.ts");
	const sessionId = await sessions.find(parsed.id, { allProjects: true });
	const reading = await sessions.read(sessionId, { onLostText: (_, message) => around.err(message) });
	const redact = createRedactor(await keysOf(place, parsed.flags, around));
	const cases = casesFromSession(redactValue(reading.commits, redact));
	if (cases.length === 0) {
		const message = `No turn of session ${sessionId} was completed with a tool call, so no case can be made of it.`;
		throw new AgiError("NO_CASES", message, { exitCode: 42 });
	}
	around.out(`${JSON.stringify(cases, undefined, "\t")}\n`);
	return 0;
}

/** Prints what a session did, its subagents included; with `otlp` sends it instead, exit 1 where that fails. */
export async function showTrace(
	sessions: Sessions,
	{ id, otlp, json }: { id: string; otlp: boolean; json: boolean },
	around: Surroundings,
): Promise<ExitCode> {
	const sessionId = await sessions.find(id, { allProjects: true });
	if (otlp) {
		const failure = await sendTurns(sessions, sessionId, 0, around.env);
		around.err(failure ?? `The trace of session ${sessionId} was sent.`);
		return failure === undefined ? 0 : 1;
	}
	const trace = await traceSession(sessions, sessionId);
	around.out(json ? `${JSON.stringify(trace)}\n` : traceText(trace));
	return 0;
}

/** The keys that are set now; settings that cannot be read are no reason to keep a session back. */
export async function keysOf(place: Place, flags: ParsedFlags, around: Surroundings): Promise<string[]> {
	const { env } = around;
	const named = PROFILES.flatMap(({ keyVariable }) => (keyVariable === undefined ? [] : [env[keyVariable]]));
	try {
		const { apiKey, exaApiKey, laminarKey } = await loadSettings({
			env,
			flags,
			configFolder: place.folders.config,
			agentFolder: place.agentFolder,
			trusted: false,
			interactive: false,
			profiles: PROFILES,
		});
		named.push(apiKey, exaApiKey, laminarKey);
	} catch (error) {
		around.err(error instanceof Error ? error.message : String(error));
	}
	return named.filter((key) => key !== undefined);
}
