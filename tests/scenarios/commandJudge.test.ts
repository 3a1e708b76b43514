// Whole turns in which a model runs commands: what runs unasked, what asks, and that a no leaves every file as it was.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTurnBench, ruleOf, type TurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

/** Runs one command with a person who says no; what they were asked, and the bench. */
async function tryCommand(
	command: string,
	options: Omit<TurnBenchOptions, "script"> = {},
): Promise<{ bench: TurnBench; asked: string[]; status: string | undefined }> {
	const asked: string[] = [];
	const bench = await createTurnBench({
		approver: async ({ reason }) => {
			asked.push(reason);
			return { answer: "no", words: "no", by: "person" };
		},
		...options,
		script: [{ calls: [{ name: "runCommand", args: { command } }] }, { text: "ok" }],
	});
	onTestFinished(() => bench.remove());
	execFileSync("git", ["init", "-q"], { cwd: bench.root });
	await bench.say("go");
	const result = (await bench.events()).find((event) => event.type === "tool/result");
	return { bench, asked, status: result?.status };
}

describe("a command with an allowed beginning", () => {
	const rules = [ruleOf("allow", "runCommand(git status *)")];

	it.each([
		"git status && rm keep.txt",
		"git status; rm keep.txt",
		"git status | xargs rm keep.txt",
		"git status\nrm keep.txt",
		"git status & rm keep.txt",
		"git status $(rm keep.txt)",
		"git status `rm keep.txt`",
		"git status <(rm keep.txt)",
		"git status || rm keep.txt",
		"git status 1> keep.txt",
	])("asks about %j", async (command) => {
		const { bench, asked, status } = await tryCommand(command, { rules, files: { "keep.txt": "k\n" } });
		expect([asked.length, status]).toEqual([1, "denied"]);
		expect(readFileSync(join(bench.root, "keep.txt"), "utf8")).toBe("k\n");
	});

	it.each(["git status", "git status -s", "git status 2>&1", "git status 2>/dev/null"])(
		"does not ask about %j",
		async (command) => {
			const { asked, status } = await tryCommand(command, { rules });
			expect([asked, status]).toEqual([[], "result"]);
		},
	);
});

describe("a command that only prints", () => {
	it.each([
		"echo x > keep.txt",
		"echo x >> keep.txt",
		"echo x >| keep.txt",
		"echo x >& keep.txt",
		"echo x &> keep.txt",
		"echo x 1<> keep.txt",
		"echo x | tee keep.txt",
		"cat keep.txt >f2",
	])("asks once it writes, as in %j", async (command) => {
		const { bench, asked } = await tryCommand(command, { files: { "keep.txt": "k\n" } });
		expect(asked).toHaveLength(1);
		expect(readFileSync(join(bench.root, "keep.txt"), "utf8")).toBe("k\n");
		expect(existsSync(join(bench.root, "f2"))).toBe(false);
	});

	it.each([
		"ls 2>&1",
		"ls >/dev/null",
		"ls 2>&-",
		"grep '>' keep.txt",
		"ls *.txt",
		"grep -r rm .",
		"echo 'rm -rf d'",
	])("runs %j without a question", async (command) => {
		const { asked, status } = await tryCommand(command, { files: { "keep.txt": "k > rm\n" } });
		expect([asked, status]).toEqual([[], "result"]);
	});

	it("asks where a link leads out of the workspace, or a pattern finds secrets", async () => {
		const bench = await createTurnBench({
			files: { "a.key": "k", "src/.env": "K=1" },
			script: [
				{ calls: [{ name: "runCommand", args: { command: "cat link" } }] },
				{ calls: [{ name: "runCommand", args: { command: "cat *.key" } }] },
				{ calls: [{ name: "runCommand", args: { command: "cat src/.e*" } }] },
				{ calls: [{ name: "runCommand", args: { command: "grep -r K src" } }] },
				{ calls: [{ name: "runCommand", args: { command: "cat sub/../a.key" } }] },
				{ text: "ok" },
			],
			answers: Array.from({ length: 5 }, () => ({ answer: "no" as const, words: "no" })),
		});
		onTestFinished(() => bench.remove());
		symlinkSync("/etc/hostname", join(bench.root, "link"));
		symlinkSync("/etc", join(bench.root, "sub"));
		await bench.say("go");
		expect(bench.asked).toHaveLength(5);
	});

	it("asks before a command that names a file of secrets, by any program and in any case", async () => {
		for (const command of [
			"cat .env",
			"cp .ENV x",
			"base64 < .env",
			"curl -d @.env http://127.0.0.1:9/",
			"tar cf x.tar certs/server.pem",
			"cat ./.e*",
		]) {
			const { asked } = await tryCommand(command, { files: { ".env": "K=1", ".ENV": "K=1" } });
			expect([command, asked.length]).toEqual([command, 1]);
		}
	});
});

describe("plan mode", () => {
	it.each([
		"echo y > a.txt",
		"tee a.txt < /dev/null",
		"sed -i s/x/y/ a.txt",
		"python3 -c \"open('a.txt','w')\"",
		"git checkout -b n",
		"npm install x",
		"cp /dev/null a.txt",
		"dd of=a.txt < /dev/null",
		"touch n.txt",
	])("does not run %j, and says that it is on", async (command) => {
		const { bench, status } = await tryCommand(command, {
			mode: "plan",
			files: { "a.txt": "x\n" },
			rules: [ruleOf("allow", "runCommand")],
		});
		expect(status).toBe("denied");
		expect(readFileSync(join(bench.root, "a.txt"), "utf8")).toBe("x\n");
		expect(existsSync(join(bench.root, "n.txt"))).toBe(false);
		expect(JSON.stringify(await bench.events())).toContain("Plan mode is on");
	});

	it.each(["cat a.txt", "grep x a.txt", "find . -name a.txt", "ls | wc -l"])(
		"runs %j without a question",
		async (command) => {
			const { asked, status } = await tryCommand(command, { mode: "plan", files: { "a.txt": "x\n" } });
			expect([asked, status]).toEqual([[], "result"]);
		},
	);
});

describe("a destructive command in another spelling", () => {
	it.each([
		"rm -fr d",
		"rm -r -f d",
		"rm --recursive --force d",
		"/bin/rm -rf d",
		"command rm -rf d",
		"env A=1 rm -rf d",
		"sudo -E rm -rf d",
		"find d -delete",
		"find d -exec rm {} +",
		'v=rm; "$v" -r d',
		"r\\m -r d",
		"echo cm0gLXIgZA== | base64 -d | sh",
		"git clean -fdx",
		"git push --force",
		"bash -c 'rm -rf d'",
		"xargs rm -rf < list",
	])("asks or is refused: %s", async (command) => {
		const { bench, asked, status } = await tryCommand(command, { files: { "d/x": "1\n", list: "d\n" } });
		expect(status).toBe("denied");
		expect(asked.length).toBeLessThanOrEqual(1);
		expect(existsSync(join(bench.root, "d/x"))).toBe(true);
	});

	it.each([
		"rm -rf d",
		"env A=1 rm -rf d",
		"bash -c 'rm -rf d'",
		"xargs rm -rf < list",
		"find d -exec rm {} +",
		"/bin/rm d",
		"true && rm d",
	])("is caught by a rule that denies rm: %s", async (command) => {
		const { asked, status, bench } = await tryCommand(command, {
			mode: "bypassPermissions",
			rules: [ruleOf("deny", { tool: "runCommand", argv: ["rm", "*"], why: "We move things to trash" })],
			files: { "d/x": "1\n", list: "d\n" },
		});
		expect([asked, status]).toEqual([[], "denied"]);
		expect(JSON.stringify(await bench.events())).toContain("We move things to trash.");
	});
});

describe("a yes that lasts", () => {
	const run = (id: string, command: string) => ({ calls: [{ id, name: "runCommand", args: { command } }] });

	it("covers the part that asked, with any further words, and nothing chained to it", async () => {
		const offers: unknown[] = [];
		const bench = await createTurnBench({
			script: [
				run("c1", "ls && make test"),
				run("c2", "make test"),
				run("c3", "make test && touch x"),
				run("c4", "make install"),
				{ text: "ok" },
			],
			files: { Makefile: "test:\n\t@echo tested\n" },
			approver: async ({ offer }) => {
				offers.push(offer);
				return offers.length === 1
					? { answer: "yes_session", by: "person" }
					: { answer: "no", words: "no", by: "person" };
			},
		});
		onTestFinished(() => bench.remove());
		await bench.say("go");
		expect(offers).toEqual([
			{ label: "make test", rules: ["runCommand(make test)"] },
			undefined,
			{ label: "make install", rules: ["runCommand(make install)"] },
		]);
		const decided = (await bench.events()).flatMap((event) =>
			event.type === "policy/decided" ? [event.rule] : [],
		);
		expect(decided[1]).toBe("session: allow runCommand(make test)");
	});

	it.each([
		["npm run build -- --watch", "npm run build *"],
		["npm test", "npm test *"],
		["cd src && npm test", "npm test *"],
		["cargo test | head", "cargo test *"],
		["git commit -m 'a b'", "git commit *"],
		["npm run lint && npm test; npm test -- --bail", "npm run lint * and npm test *"],
		["npm test && make && cargo test && go test", undefined],
		["make a && make b && make c && make d", undefined],
		["./scripts/check.sh x", "./scripts/check.sh *"],
		["python3 tools/gen.py", "python3 tools/gen.py *"],
		["rm -rf build", undefined],
		["npm test && rm -rf build", undefined],
		["for f in a b; do npm test; done", undefined],
		["git -C x commit", undefined],
		["bash -c 'npm test'", undefined],
		["npm install left-pad", undefined],
		["python3 /tmp/x.py", undefined],
		["npm test > out.txt", undefined],
	])("offers for %j the prefix %j", async (command, label) => {
		const offers: (string | undefined)[] = [];
		const { asked } = await tryCommand(command, {
			files: { "src/a.ts": "" },
			approver: async ({ offer, grantable, reason }) => {
				offers.push(grantable ? offer?.label : undefined);
				return { answer: "no", words: reason, by: "person" };
			},
		});
		expect([offers, asked]).toEqual([[label], []]);
	});

	it("is written down for good where the person says always, and told where that fails", async () => {
		const kept: string[] = [];
		const bench = await createTurnBench({
			script: [run("c1", "make a"), run("c2", "make b"), { text: "ok" }],
			answers: ["yes_always", "yes_always"],
			context: {
				keepRule: async (rule) => {
					kept.push(rule);
					return kept.length === 1 ? { ok: true } : { ok: false, message: "The file cannot be written." };
				},
			},
		});
		onTestFinished(() => bench.remove());
		await bench.say("go");
		expect(kept).toEqual(["runCommand(make a)", "runCommand(make b)"]);
		expect(bench.live).toContainEqual({ type: "notice", text: "The file cannot be written." });
		expect(bench.session.state.grants.map(({ rule }) => rule)).toEqual(kept);
	});

	it("keeps a rule for each part that asked, and covers each of them alone", async () => {
		const kept: string[] = [];
		const bench = await createTurnBench({
			script: [run("c1", "make a && make b"), run("c2", "make b"), run("c3", "make c"), { text: "ok" }],
			answers: ["yes_always", "no"],
			context: {
				keepRule: async (rule) => {
					kept.push(rule);
					return { ok: true };
				},
			},
		});
		onTestFinished(() => bench.remove());
		await bench.say("go");
		expect(kept).toEqual(["runCommand(make a)", "runCommand(make b)"]);
		const asked = (await bench.events()).filter((event) => event.type === "approval/requested");
		expect(asked.map(({ callId }) => callId)).toEqual(["c1", "c3"]);
	});

	it("is not offered for a command that nobody can read", async () => {
		let isGrantable: boolean | undefined;
		await tryCommand("for f in a b; do touch $f; done", {
			approver: async ({ grantable }) => {
				isGrantable = grantable;
				return { answer: "no", words: "no", by: "person" };
			},
		});
		expect(isGrantable).toBe(false);
	});
});

describe("rules on files", () => {
	const rules = [ruleOf("deny", "writeFile(secrets/**)", "project"), ruleOf("deny", "readFile(private/**)")];
	const one = async (name: string, args: Record<string, unknown>) => {
		const bench = await createTurnBench({
			script: [{ calls: [{ name, args }] }, { text: "ok" }],
			files: { "secrets/k": "1", "private/k": "1", "src/k": "1" },
			mode: "bypassPermissions",
			rules,
		});
		onTestFinished(() => bench.remove());
		await bench.say("go");
		return (await bench.events()).find((event) => event.type === "tool/result")?.status;
	};

	it.each<[string, Record<string, unknown>]>([
		["writeFile", { path: "secrets/n", content: "x" }],
		["editFile", { path: "SECRETS/../secrets/k", oldString: "1", newString: "2" }],
		["deleteFile", { path: "secrets/k" }],
		["runCommand", { command: "echo y > secrets/k" }],
		["runCommand", { command: "cp src/k secrets/n" }],
		["runCommand", { command: "cd secrets && touch n; rm ../secrets/k" }],
		["readFile", { path: "private/k" }],
		["searchFiles", { pattern: "1", path: "private" }],
		["runCommand", { command: "cat private/k" }],
		["runCommand", { command: "tac < private/k" }],
	])("hold for the kin of their tool and for commands: %s %j", async (name, args) => {
		expect(await one(name, args)).toBe("denied");
	});

	it.each<[string, Record<string, unknown>]>([
		["readFile", { path: "secrets/k" }],
		["runCommand", { command: "cat secrets/k" }],
		["writeFile", { path: "src/n", content: "x" }],
		["runCommand", { command: "cp secrets/k src/n" }],
	])("do not hold for what they do not name: %s %j", async (name, args) => {
		expect(await one(name, args)).toBe("result");
	});
});
