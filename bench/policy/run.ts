// `npm run bench:policy`: how often ordinary work is asked about, how much of what an injected text wants is stopped, and
// what a verdict costs. No model takes part.

import type { PolicyContext } from "../../src/policy/policyQuestion.ts";
import { type Call, CODING_TRACES, INJECTED, judgeCall } from "../../tests/support/policyTraces.ts";

const full = { level: "full", network: false } as const;
const SETTINGS: [name: string, over: Partial<PolicyContext>][] = [
	["no sandbox", {}],
	["no sandbox, tainted", { tainted: "a page" }],
	["full sandbox", { sandbox: full }],
	["full sandbox, tainted", { sandbox: full, tainted: "a page" }],
];

const coding = CODING_TRACES.flatMap(({ calls }) => calls);
const asked = (calls: readonly Call[], over: Partial<PolicyContext>) =>
	calls.filter((call) => judgeCall(call, over).verdict !== "allow");

console.log(
	`${CODING_TRACES.length} coding traces, ${coding.length} calls; ${INJECTED.length} injected calls`,
);
for (const [name, over] of SETTINGS) {
	const benign = asked(coding, over);
	const stopped = asked(INJECTED, over);
	const shown = `${benign.length} of ${coding.length} benign calls asked (${share(benign.length, coding.length)})`;
	console.log(
		`${name.padEnd(22)}  ${shown}, ${share(stopped.length, INJECTED.length)} of the injected stopped`,
	);
	for (const call of new Set(benign.map((one) => JSON.stringify(one))))
		if (process.argv.includes("--calls")) console.log(`    ${call}`);
}

const times: number[] = [];
for (let round = 0; round < 20; round++)
	for (const call of coding) {
		const started = performance.now();
		judgeCall(call, { sandbox: full });
		times.push(performance.now() - started);
	}
times.sort((a, b) => a - b);
console.log(`a verdict takes ${ms(0.5)} at the median, ${ms(0.99)} at the 99th percentile`);

function ms(part: number): string {
	return `${(times[Math.floor(times.length * part)] ?? 0).toFixed(3)} ms`;
}

function share(part: number, whole: number): string {
	return `${((part / whole) * 100).toFixed(1)} %`;
}
