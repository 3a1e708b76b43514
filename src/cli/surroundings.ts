// What a command sees of the process around it: environment, folder, output, clock. Commands take it as an argument, so
// that the same code runs under a test; nothing else of a process may reach them.

import { say } from "./say.ts";
import { startFolder } from "./startFolder.ts";

/** Where a command runs and where it writes. */
export interface Surroundings {
	env: Readonly<Record<string, string | undefined>>;
	/** Real path of the folder it was started in; throws `AgiError` where that is gone. */
	folder(): string;
	/** Writes to stdout, as given. */
	out(text: string): void;
	/** Writes one line for the person to stderr. */
	err(line: string): void;
	/** Asks the person a question that is answered by y or n; absent where nobody can be asked. */
	confirm?: ((question: string) => Promise<boolean>) | undefined;
	/** Width of the screen in cells; undefined where the output goes to no screen. */
	columns: number | undefined;
	/** Epoch milliseconds. */
	now(): number;
}

/** This process. */
export function ownSurroundings(): Surroundings {
	return {
		env: process.env,
		folder: startFolder,
		out: (text) => void process.stdout.write(text),
		err: say,
		confirm: process.stdin.isTTY && process.stderr.isTTY ? confirm : undefined,
		columns: process.stdout.columns,
		now: Date.now,
	};
}

async function confirm(question: string): Promise<boolean> {
	const { createInterface } = await import("node:readline/promises");
	const dialog = createInterface({ input: process.stdin, output: process.stderr });
	try {
		return /^y(es)?$/i.test((await dialog.question(`${question} [y/N] `)).trim());
	} catch {
		// Ctrl+C or a closed terminal is no yes.
		return false;
	} finally {
		dialog.close();
	}
}
