// The ways in which the screen is ended from outside: signals, and errors that nobody caught. It only tells of them; giving
// the terminal back and closing the session are others' work.

import { AgiError, type ExitCode } from "../types.ts";

/** Why it ends. */
export type Ending = { code: ExitCode } | { error: unknown };

export interface Endings {
	/** Resolves at the first ending. */
	ended: Promise<Ending>;
	/** Ends it from inside. */
	end(ending: Ending): void;
}

/** Watches from now on. `gone` is called when the process ends without anybody having asked. */
export function watchEndings(gone: () => void): Endings {
	const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
	process.on("SIGINT", () => end({ code: 130 }));
	process.on("SIGTERM", () => end({ code: 143 }));
	process.on("SIGHUP", () => end({ code: 143 }));
	process.on("uncaughtException", (error) => end({ error }));
	process.on("unhandledRejection", (error) => end({ error }));
	process.on("exit", gone);
	return { ended, end };
}

/** What the ending means for the program: its exit code, or an error for whoever tells the person. */
export function settle(ending: Ending): ExitCode {
	if ("code" in ending) return ending.code;
	const { error } = ending;
	if (error instanceof AgiError) throw error;
	throw new Error(error instanceof Error ? error.message : String(error), { cause: error });
}
