import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/evalRun.ts";

/** `npm run eval` on a machine without any key. */
function run(args: readonly string[], env: Record<string, string> = {}) {
	const home = temporaryFolder();
	const PATH = `${dirname(process.execPath)}:${process.env["PATH"] ?? ""}`;
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		["node_modules/tsx/dist/cli.mjs", "evals/run.ts", ...args],
		{ encoding: "utf8", env: { PATH, HOME: home, AGI_HOME: home, ...env } },
	);
	return { status, stdout, stderr };
}

describe("npm run eval", () => {
	it("scores the offline model without a key, says that it is no AI, and ends by its thresholds", () => {
		const { status, stdout, stderr } = run(["file-tools", "shell-tools", "other-tools", "agent-multiturn"]);
		expect(stderr).toBe("");
		expect(stdout).toMatch(/^These are scores of the embedded offline model: rules, no AI\./);
		expect(stdout).toContain("rubrics are not judged (LLM_JUDGE_MODEL)");
		expect(stdout).toContain("Every threshold is met.");
		expect(status).toBe(0);
	});

	it("gives the whole run as JSON", () => {
		const { stdout } = run(["shell-tools", "--format", "json"]);
		expect(JSON.parse(stdout)).toMatchObject({
			offline: true,
			suites: [{ name: "shell-tools" }],
			notices: [],
		});
	});

	it("names the first case that waits for a judge without a key, before anything is run", () => {
		const { status, stdout, stderr } = run(["agent-multiturn"], { LLM_JUDGE_MODEL: "big" });
		expect({ status, stdout }).toEqual({ status: 41, stdout: "" });
		expect(stderr).toMatch(/agent-multiturn\.json:\d+: version-question needs the judge\. No key for/);
	});

	it.each([
		[["nothing"], "There is no suite nothing; there are agent-multiturn,"],
		[["--repeats", "0"], '--repeats cannot be "0".'],
		// A model that cannot be reached: the flag is looked at before it is.
		[
			["--format", "xml", "-m", "m", "--base-url", "http://127.0.0.1:9/v1"],
			'--format is table, json, junit or markdown, not "xml".',
		],
		[["--no-such-flag"], "Unknown option '--no-such-flag'"],
	])("refuses %j with exit code 2, before anything is run", (args, words) => {
		const { status, stdout, stderr } = run(args);
		expect(stderr).toContain(words);
		expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
		expect(stderr).not.toMatch(/^\s+at /m);
	});
});
