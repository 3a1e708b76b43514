// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are words of the shell.
// What bash really makes of a line: every command it would start, with its words, and whether it wrote a file. Nothing is
// started: no program is on the path, and bash tells the name it did not find. Lines run in a folder of their own.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What one line did. */
export interface Observed {
	calls: string[][];
	/** It made or changed a file. */
	wrote: boolean;
}

/** One write a call, because the parts of a pipe run at the same time. Reads lines from stdin, NUL after each, and logs to descriptor 9: C and words for a call, E at the end of a line. */
const SCRIPT = String.raw`
command_not_found_handle() { printf '%s\0' C "$#" "$@" >&9; return 0; }
export PATH=/nonexistent HOME="$PWD/home"
builtin enable -n echo pwd true false test [ kill cd type alias wait jobs umask ulimit hash
while IFS= builtin read -r -d '' line; do
	( eval "$line" ) </dev/null >/dev/null 2>&1
	shopt -s nullglob dotglob; files=(*); shopt -u nullglob dotglob
	if (( ${"${#files[@]}"} > 0 )); then printf 'W\0' >&9; command -p rm -rf -- "${"${files[@]}"}"; fi
	printf 'E\0' >&9
done
`;

/** Runs lines through bash, one by one, each in its own subshell. Throws where bash did not come to the last line. */
export function observeLines(lines: readonly string[]): Observed[] {
	const outer = mkdtempSync(join(tmpdir(), "agi-oracle-"));
	try {
		const script = join(outer, "script.sh");
		writeFileSync(script, `exec 9>${join(outer, "log")}\ncd ${join(outer, "box")}\n${SCRIPT}`);
		const made = spawnSync("mkdir", [join(outer, "box")]);
		if (made.status !== 0) throw new Error("no folder for the oracle");
		const input = lines.map((line) => `${line}\0`).join("");
		const { error } = spawnSync("bash", ["--norc", "--noprofile", script], { input, timeout: 600_000 });
		if (error) throw error;
		const log = spawnSync("cat", [join(outer, "log")], { encoding: "utf8", maxBuffer: 1 << 28 }).stdout;
		const observed = readLog(log);
		if (observed.length !== lines.length)
			throw new Error(
				`bash read ${observed.length} of ${lines.length} lines; the last: ${lines[observed.length]}`,
			);
		return observed;
	} finally {
		rmSync(outer, { recursive: true, force: true });
	}
}

function readLog(log: string): Observed[] {
	const fields = log.split("\0");
	const lines: Observed[] = [];
	let current: Observed = { calls: [], wrote: false };
	for (let at = 0; at < fields.length - 1; at++) {
		const kind = fields[at];
		if (kind === "W") current.wrote = true;
		else if (kind === "E") {
			lines.push(current);
			current = { calls: [], wrote: false };
		} else {
			const count = Number(fields[at + 1]);
			current.calls.push(fields.slice(at + 2, at + 2 + count));
			at += 1 + count;
		}
	}
	return lines;
}
