#!/usr/bin/env node
// Runs the tests against a fresh build, says what this machine lacks, and ends with the plain counts. With CI set, or
// with --no-skips, a skipped test is a failure: whatever it lacked has to be installed first.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const args = process.argv.slice(2).filter((arg) => arg !== "--no-skips");
const forbidsSkips = process.argv.includes("--no-skips") || Boolean(process.env.CI);

const NEEDS = [
	["bash", "commands run in bash", "apt-get install bash"],
	["git", "git projects", "apt-get install git"],
	["python3", "executeCode in Python", "apt-get install python3"],
];
if (process.platform === "linux") NEEDS.push(["bwrap", "the sandbox", "apt-get install bubblewrap"]);
const lacks = (program, what, how) =>
	console.log(`This machine lacks ${program} (${what}); tests that need it are skipped. ${how}`);
for (const [program, what, how] of NEEDS)
	if (spawnSync("sh", ["-c", `command -v ${program}`]).status !== 0) lacks(program, what, how);
if (process.getuid?.() !== 0)
	lacks("the rights of root", "the sandbox as root and as another user", "Run the tests as root once");
else if (spawnSync("id", ["agitester"]).status !== 0)
	lacks("the user agitester", "the sandbox as an ordinary user", "useradd --create-home agitester");

run(process.execPath, [join(root, "scripts", "build.mjs"), "--stale"]);
const folder = mkdtempSync(join(tmpdir(), "agi-test-"));
const report = join(folder, "report.json");
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const env = { ...process.env };
// Test runners and Ink change their ways where CI is set; the product under test must not.
delete env.CI;
// The Node that agi brings: an old system Node runs the tests up to their first failure and then breaks in the reporter.
const bundled = join(root, "node_modules", ".bin", "node");
const result = spawnSync(
	existsSync(bundled) ? bundled : process.execPath,
	[vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`, ...args],
	{ cwd: root, stdio: "inherit", env },
);
const counts = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")) : undefined;
rmSync(folder, { recursive: true, force: true });
if (!counts) {
	console.log("The tests did not run to their end.\n0 passed, 1 failed");
	process.exit(1);
}

const skipped = counts.testResults
	.flatMap((file) => file.assertionResults)
	.filter((test) => test.status === "pending" || test.status === "skipped" || test.status === "todo");
for (const test of skipped) console.log(`skipped: ${test.fullName}`);
const failedFiles = counts.testResults.filter(
	(f) => f.status === "failed" && f.assertionResults.length === 0,
).length;
// What goes wrong outside of any test, such as a rejection that nobody handled, is in no count of the report.
const unseen = result.status !== 0 && counts.numFailedTests + failedFiles === 0 ? 1 : 0;
if (unseen > 0) console.log("No test failed, but the run did: see the errors above.");
const failed = counts.numFailedTests + failedFiles + unseen + (forbidsSkips ? skipped.length : 0);
if (forbidsSkips && skipped.length > 0) console.log(`${skipped.length} skipped tests count as failed here.`);
console.log(
	`${counts.numPassedTests} passed, ${failed} failed${!forbidsSkips && skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`,
);
process.exit(failed > 0 ? 1 : 0);

function run(command, commandArgs) {
	const { status } = spawnSync(command, commandArgs, { cwd: root, stdio: "inherit" });
	if (status === 0) return;
	console.log("The build failed.\n0 passed, 1 failed");
	process.exit(1);
}
