// Forty commands of ordinary work in the built program, in the real sandbox of this machine, as root and as an ordinary
// user: they do their work and hardly ever ask. Nobody is at the screen, so a question shows as a denial.

import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hasBwrap } from "../support/bwrap.ts";
import { ask, createProject, eventsOf, git, outcomes, type Project, scripted } from "../support/program.ts";

const isRoot = process.getuid?.() === 0;
const tester = Number(spawnSync("id", ["-u", "agitester"], { encoding: "utf8" }).stdout.trim() || Number.NaN);

const USERS = [
	{ who: "the user who runs the tests", uid: undefined, isHere: true },
	{ who: "an ordinary user", uid: tester, isHere: isRoot && !Number.isNaN(tester) },
];

const FILES = {
	"package.json": JSON.stringify({
		name: "sums",
		type: "module",
		scripts: {
			test: "node --test",
			build: "mkdir -p out && cp src/*.js out/",
		},
	}),
	"README.md": "# Sums\nTODO say more\n",
	"src/add.js": "export const add = (a, b) => a + b;\n",
	"src/index.js": 'export { add } from "./add.js";\n',
	"test/add.test.js":
		'import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "../src/index.js";\ntest("adds", () => assert.equal(add(1, 2), 3));\n',
};

/** Commands as a model gives them; each works. */
const WORK = [
	"ls -la",
	"git status --short",
	"git log --oneline -n 5",
	"git diff HEAD",
	"cat package.json",
	"head -n 20 src/add.js",
	"wc -l src/*.js test/*.js",
	"grep -rn TODO . --include=*.md",
	"find . -name '*.js' -not -path './node_modules/*' | sort",
	"grep -n add src/index.js && echo found",
	"npm test",
	"node --test 2>&1 | tail -n 15",
	"npm run build",
	"node --check src/add.js && cp src/*.js out/",
	"node --test test/",
	"node --check src/index.js",
	"node src/index.js",
	"for f in src/*.js; do node --check $f; done",
	"test -d out && ls out",
	"diff src/add.js out/add.js",
	"mkdir -p src/parts",
	"echo 'export const one = 1;' > src/parts/one.js",
	"cat >> src/parts/one.js <<'END'\nexport const two = 2;\nEND",
	"sed -i 's/two = 2/two = 1 + 1/' src/parts/one.js",
	"mv src/parts/one.js src/parts/numbers.js",
	"cp src/parts/numbers.js src/parts/more.js",
	"rm src/parts/more.js",
	"rm -rf out",
	"chmod +x src/index.js",
	"touch src/parts/empty.js",
	"sort README.md | uniq -c",
	"awk '{print $1}' README.md",
	"tar -cf /tmp/sums.tar src && tar -tf /tmp/sums.tar",
	"NODE_ENV=test node src/index.js",
	"(cd src && ls)",
	"export X=1; env | grep ^X=",
	"basename $PWD",
	"git diff --stat",
	"node --check src/index.js && git status",
	"du -sh src",
];
/** What needs more than the sandbox gives, so that a person decides. */
const MORE = [
	{ command: "git add -A && git commit -qm 'Add numbers'", unsandboxed: true },
	{ command: "npm install left-pad", network: true },
];
const EDITS = [
	{ name: "readFile", args: { path: "src/add.js" } },
	{ name: "editFile", args: { path: "src/add.js", oldString: "a + b", newString: "b + a" } },
	{ name: "writeFile", args: { path: "src/sub.js", content: "export const sub = (a, b) => a - b;\n" } },
];

function createSums(uid: number | undefined): Project {
	const project = createProject(FILES);
	git(project.root, "add", "-A");
	git(project.root, "commit", "-qm", "Begin");
	if (uid !== undefined) execFileSync("chown", ["-R", `${uid}:${uid}`, project.outer]);
	return project;
}

describe.skipIf(!hasBwrap)("forty commands of coding work in a trusted folder with a full sandbox", () => {
	it.each(USERS.filter(({ isHere }) => isHere))(
		"do their work and ask only for what leaves the sandbox, as $who",
		async ({ uid }) => {
			const project = createSums(uid);
			const calls = [
				...WORK.slice(0, 20).map((command) => ({ name: "runCommand", args: { command } })),
				...EDITS,
				...WORK.slice(20).map((command) => ({ name: "runCommand", args: { command } })),
				...MORE.map((args) => ({ name: "runCommand", args })),
			];
			const server = await scripted([
				...calls.map(({ name, args }, index) => ({ calls: [{ id: `c${index}`, name, args }] })),
				{ text: "done" },
			] as never);
			const flags = ["--trust", "--permission-mode", "acceptEdits"];
			const { code, lines, result } = await ask(project, server, {
				flags,
				...(uid === undefined ? {} : { uid }),
			});
			expect(code).toBe(0);
			expect(WORK).toHaveLength(40);
			const ends = outcomes(lines);
			const failed = ends.flatMap(({ status, text }, at) =>
				status === "result" ? [] : [`${JSON.stringify(calls[at]?.args)}: ${status} ${text.slice(0, 300)}`],
			);
			expect(failed).toEqual(MORE.map((args) => expect.stringContaining(JSON.stringify(args))));
			expect(result.permission_denials).toHaveLength(MORE.length);
			expect(result.permission_denials?.length).toBeLessThanOrEqual(3);
			const rules = eventsOf(project).flatMap((event) =>
				event.type === "policy/decided" && event.verdict === "ask" ? [event.rule] : [],
			);
			expect(rules).toEqual(["unsandboxed", "never-remembered"]);
		},
		120_000,
	);
});
