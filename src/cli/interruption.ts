// The signals of a headless run. They are heard before anything else is loaded, so that even an early one ends with a
// reason and a result.

import type { ExitCode } from "../types.ts";
import { say } from "./say.ts";

/** What the signals of a run have come to. */
export interface Interruption {
	/** Aborted by the first signal. */
	signal: AbortSignal;
	/** That of the first signal; undefined before it. */
	exitCode(): ExitCode | undefined;
	/** A stored session is open: a later start settles what an end at once leaves. */
	isStored(): void;
	/** The result is out: an end at once leaves nothing to be told. */
	settled(): void;
}

/** How long an orderly end may take after a signal, in milliseconds. */
const CLOSE_PATIENCE_MS = 3_000;

/** The first signal cancels the turn, so that everything is settled; a second one, or 3 s, ends the program at once. */
export function listenForSignals(): Interruption {
	const controller = new AbortController();
	let exitCode: ExitCode | undefined;
	let isSettled = false;
	let wayOut = "";
	const endNow = (code: ExitCode, why: string) => {
		if (!isSettled) say(`Ended before everything was settled: ${why}.${wayOut}`);
		process.exit(code);
	};
	const end = (code: ExitCode) => () => {
		if (exitCode !== undefined) endNow(exitCode, "a second signal came");
		exitCode = code;
		controller.abort();
		const late = `it took more than ${CLOSE_PATIENCE_MS / 1000} s after the signal`;
		setTimeout(endNow, CLOSE_PATIENCE_MS, code, late).unref();
	};
	process.on("SIGINT", end(130));
	process.on("SIGTERM", end(143));
	process.on("SIGHUP", end(143));
	return {
		signal: controller.signal,
		exitCode: () => exitCode,
		isStored() {
			wayOut = " `agi -c` settles it and goes on.";
		},
		settled() {
			isSettled = true;
		},
	};
}
