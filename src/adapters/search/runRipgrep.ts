// Runs the ripgrep that comes with the package, bounded in time and in the length of one output line.
// It reads no configuration of the user, follows no link, and is gone when the promise resolves.

const TIME_LIMIT_MS = 10_000;
const MAX_RECORD_LENGTH = 4 * 1024 * 1024;
const MAX_STDERR_LENGTH = 8_000;

const FIXED_ARGS = [
	"--no-config",
	"--hidden",
	"--no-require-git",
	"--no-messages",
	"--sort=path",
	"--iglob=!.git",
] as const;

export interface RipgrepRun {
	args: readonly string[];
	/** Real path of a folder. */
	cwd: string;
	/** Ends each record of the output. */
	separator: "\n" | "\0";
	signal: AbortSignal;
	/** Gets each record, undefined for one that was too long; answers whether to go on. */
	onRecord(record: string | undefined): "go" | "stop";
}

export interface RipgrepEnd {
	/** Undefined where it was ended by us. */
	exitCode: number | undefined;
	stderr: string;
	timedOut: boolean;
	/** Why it could not be started. */
	startError?: string;
}

/** Runs ripgrep to its end; never rejects. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
	const started = await start(run);
	if (typeof started === "string")
		return { exitCode: undefined, stderr: "", timedOut: false, startError: started };
	const child = started;
	return new Promise((resolve) => {
		let stderr = "";
		let startError: string | undefined;
		let timedOut = false;
		const end = () => child.kill("SIGKILL");
		const timer = setTimeout(() => {
			timedOut = true;
			end();
		}, TIME_LIMIT_MS);
		run.signal.addEventListener("abort", end, { once: true });
		if (run.signal.aborted) end();
		child.stdout.setEncoding("utf8").on("data", splitRecords(run.separator, run.onRecord, end));
		child.stderr.setEncoding("utf8").on("data", (text: string) => {
			if (stderr.length < MAX_STDERR_LENGTH) stderr += text;
		});
		child.on("error", (error) => {
			startError = error.message;
		});
		child.on("close", (code) => {
			clearTimeout(timer);
			run.signal.removeEventListener("abort", end);
			const exitCode = code === null || code < 0 ? undefined : code;
			resolve({ exitCode, stderr, timedOut, ...(startError === undefined ? {} : { startError }) });
		});
	});
}

async function start(run: RipgrepRun) {
	try {
		const [{ spawn }, { rgPath }] = await Promise.all([
			import("node:child_process"),
			import("@vscode/ripgrep"),
		]);
		return spawn(rgPath, [...FIXED_ARGS, ...run.args], { cwd: run.cwd, stdio: ["ignore", "pipe", "pipe"] });
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

function splitRecords(
	separator: string,
	onRecord: RipgrepRun["onRecord"],
	end: () => void,
): (chunk: string) => void {
	let rest = "";
	let tooLong = false;
	let stopped = false;
	return (chunk) => {
		let from = 0;
		while (!stopped) {
			const at = chunk.indexOf(separator, from);
			const piece = chunk.slice(from, at === -1 ? undefined : at);
			tooLong ||= rest.length + piece.length > MAX_RECORD_LENGTH;
			rest = tooLong ? "" : rest + piece;
			if (at === -1) return;
			from = at + 1;
			stopped = onRecord(tooLong ? undefined : rest) === "stop";
			rest = "";
			tooLong = false;
			if (stopped) end();
		}
	};
}
