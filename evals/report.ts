// What a run of the repository's evaluations shows: a line of progress on a terminal, and the report in the form that
// was asked for. The files are written by the runner itself.

import { reportJunit, reportMarkdown } from "../src/evals/reportText.ts";
import type { EvalEnd, EvalOptions } from "../src/evals/runEvals.ts";
import { AgiError } from "../src/types.ts";

/** A line that is drawn anew at each trial; nothing where the stream is no terminal. */
export function progressLine(stream: NodeJS.WriteStream): NonNullable<EvalOptions["onProgress"]> {
	return (done, all, trial) => {
		if (!stream.isTTY) return;
		const end = done === all ? "\r\u001b[K" : "";
		stream.write(`\r\u001b[K${done}/${all} ${trial.suite}/${trial.caseId}${end}`);
	};
}

/** How a finished run is shown in a form. Throws `AgiError` (exit 2) for one that there is not. */
export function reportForm(form: string): (end: EvalEnd) => string {
	switch (form) {
		case "table":
			return ({ text }) => text;
		case "json":
			return ({ run }) => `${JSON.stringify(run)}\n`;
		case "junit":
			return ({ run }) => reportJunit(run);
		case "markdown":
			return ({ run }) => reportMarkdown(run);
		default:
			throw new AgiError("BAD_FLAG", `--format is table, json, junit or markdown, not "${form}".`, {
				exitCode: 2,
			});
	}
}
