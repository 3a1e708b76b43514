// A run as one page that needs nothing else: no script, no font, no request. Everything a model wrote is escaped. Pure.

import { countOf } from "../ui/view/format.ts";
import { OFFLINE_NOTE, whyTrialLost } from "./reportText.ts";
import { trialPassed } from "./summarize.ts";
import type { CaseReport, Mean, RunReport, SuiteReport, Trial } from "./types.ts";

/** Letters of one result that the page shows. */
const SHOWN_RESULT = 2_000;

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:left;border-bottom:1px solid #ddd}
details{border-left:4px solid #2a7;margin:.3rem 0;padding:.1rem .8rem}details.lost{border-color:#c33}details.none{border-color:#999}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f5;padding:.5rem;margin:.3rem 0}.why{color:#a00}.note{background:#fff3cd;padding:.5rem 1rem}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}pre{background:#242424}td,th{border-color:#444}.why{color:#f88}.note{background:#433b1a}}`;

/** The page. */
export function reportHtml(run: RunReport): string {
	const title = `Evaluation of ${run.model}`;
	return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(title)}</title><style>${STYLE}</style></head><body>
<h1>${html(title)}: ${run.ok ? "passed" : "failed"}</h1>
<p>Run ${html(run.id)}, ${html(run.startedAt)}, ${countOf(run.repeats, "trial")} a case, judge ${html(run.judge ?? "none")}, seed ${run.seed ?? "none"}.</p>
${run.offline ? `<p class="note">${html(OFFLINE_NOTE)}</p>` : ""}
${run.notices.map((notice) => `<p>${html(notice)}</p>`).join("\n")}
${run.suites.map(suiteHtml).join("\n")}
</body></html>
`;
}

function suiteHtml(suite: SuiteReport): string {
	const rows = [["pass@1", suite.passAt1] as const, ...Object.entries(suite.evaluators)]
		.filter(([, mean]) => mean.n > 0)
		.map(([name, mean]) => `<tr><td>${html(name)}</td>${meanCells(mean)}</tr>`);
	// What lost points comes first: it is what one opens the page for.
	const cases = suite.cases.toSorted((a, b) => Number(isWhole(a)) - Number(isWhole(b)));
	return `<h2>${html(suite.name)}</h2>
${suite.missed.map((what) => `<p class="why">${html(what)}</p>`).join("")}
<table><tr><th>Score</th><th>Mean</th><th>95 % interval</th><th>Cases</th></tr>${rows.join("")}</table>
${cases.map(caseHtml).join("\n")}`;
}

function meanCells({ mean, low, high, n }: Mean): string {
	return `<td>${mean.toFixed(3)}</td><td>${low.toFixed(2)}–${high.toFixed(2)}</td><td>${n}</td>`;
}

function caseHtml(report: CaseReport): string {
	const mark = report.counted === 0 ? "none" : isWhole(report) ? "" : "lost";
	return `<details class="${mark}"><summary><b>${html(report.id)}</b> ${report.passed}/${report.counted}: ${html(report.purpose)} <small>${html(report.file)}:${report.line}</small></summary>
${report.trials.map(trialHtml).join("\n")}</details>`;
}

function trialHtml(trial: Trial): string {
	const scores = Object.entries(trial.scores)
		.map(([name, score]) => `${name} ${score === null ? "n/a" : score.toFixed(2)}`)
		.join(", ");
	const why = trialPassed(trial) ? "" : `<p class="why">${html(whyTrialLost(trial))}</p>`;
	const reasons = Object.entries(trial.reasons).map(
		([name, reason]) => `<p>${html(name)}: ${html(reason)}</p>`,
	);
	return `<p>Trial ${trial.repeat + 1}: ${trial.outcome}, ${trial.durationMs} ms${trial.retries > 0 ? `, ${trial.retries} retries` : ""}. ${html(scores)}</p>
${why}${reasons.join("")}${transcript(trial.output)}`;
}

function transcript(output: Trial["output"]): string {
	if (!output) return "";
	if ("toolNames" in output)
		return (
			output.toolCalls.map(callHtml).join("") + (output.text === "" ? "" : `<pre>${html(output.text)}</pre>`)
		);
	const steps = output.steps.map(
		(step) =>
			(step.text ? `<pre>${html(step.text)}</pre>` : "") +
			(step.toolCalls ?? []).map(callHtml).join("") +
			(step.toolResults ?? [])
				.map(
					({ toolName, result }) => `<pre>← ${html(toolName)}\n${html(result.slice(0, SHOWN_RESULT))}</pre>`,
				)
				.join(""),
	);
	const check = "checkOutput" in output ? `<pre>check\n${html(output.checkOutput)}</pre>` : "";
	return steps.join("") + check;
}

function callHtml({ toolName, args }: { toolName: string; args: unknown }): string {
	return `<pre>→ ${html(toolName)} ${html(JSON.stringify(args, undefined, 1).slice(0, SHOWN_RESULT))}</pre>`;
}

function isWhole(report: CaseReport): boolean {
	return report.counted > 0 && report.passed === report.counted;
}

function html(text: string): string {
	return text.replace(
		/[&<>"']/g,
		(sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[sign] ?? "",
	);
}
