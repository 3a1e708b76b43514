// Undo over whole turns, with real tools on real folders: everything that turns did is taken back byte for byte and mode
// for mode, and brought again; what a person changed meanwhile is not touched without a yes.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ScriptedReply } from "../../src/adapters/models/scripted.ts";
import { createSnapshots } from "../../src/adapters/snapshots/snapshots.ts";
import { createWorkspace } from "../../src/adapters/workspace/nodeWorkspace.ts";
import type { TurnContext } from "../../src/agent/turn.ts";
import type { Snapshots } from "../../src/ports/snapshots.ts";
import { createTurnFiles } from "../../src/runtime/turnFiles.ts";
import { createUndo } from "../../src/runtime/undo.ts";
import { checkLog } from "../../src/session/check.ts";
import type { SessionEvent } from "../../src/session/events.ts";
import { reduceAll } from "../../src/session/reduce.ts";
import { temporaryFolder, treeOf } from "../support/folderTree.ts";
import { createTurnBench, type TurnBenchOptions } from "../support/turnBench.ts";

type Call = [name: string, args: Record<string, unknown>];

/** Turns, each of messages with calls; every turn ends with an answer. */
function script(...turns: Call[][][]): ScriptedReply[] {
	let id = 0;
	return turns.flatMap((messages) => [
		...messages.map((calls) => ({ calls: calls.map(([name, args]) => ({ id: `c${++id}`, name, args })) })),
		{ text: "done" },
	]);
}

const run = (command: string): Call => ["runCommand", { command }];
const edit = (path: string, oldString: string, newString: string): Call => [
	"editFile",
	{ path, oldString, newString },
];
const write = (path: string, content: string): Call => ["writeFile", { path, content }];

/** A bench whose session has undo, wired as src/wire.ts does it. */
async function createUndoBench(options: TurnBenchOptions, bounds: { files?: number } = {}) {
	const context: Partial<TurnContext> = {};
	const bench = await createTurnBench({ mode: "bypassPermissions", context, ...options });
	onTestFinished(() => bench.remove());
	const { root, session } = bench;
	const folder = join(temporaryFolder(), "snapshots");
	let opened = 0;
	const open = async (): Promise<Snapshots> => {
		opened++;
		return createSnapshots({ folder, root, bounds: { ms: 600_000, ...bounds } });
	};
	const files = createTurnFiles(session, open);
	context.keeper = files;
	const undo = createUndo(session, files, open);
	return {
		...bench,
		undo,
		open,
		files,
		folder,
		opened: () => opened,
		path: (name: string) => join(root, name),
		put(name: string, content: string | Uint8Array) {
			mkdirSync(dirname(join(root, name)), { recursive: true });
			writeFileSync(join(root, name), content);
		},
		read: (name: string) => readFileSync(join(root, name), "utf8"),
		async turn(text = "go") {
			const end = await bench.say(text);
			await files.settle();
			expect(end?.status).toBe("completed");
			return treeOf(root);
		},
	};
}

describe.each([["in a folder without git"], ["in a git repository"]])("%s", (where) => {
	it("takes back one editFile, one sed -i and one rm, byte for byte and mode for mode, and redoes them", async () => {
		const bench = await createUndoBench({
			script: script([
				[edit("a.txt", "one", "two")],
				[run("sed -i s/x/y/ b.txt; chmod 700 b.txt")],
				[run("rm c.bin")],
			]),
			files: { "a.txt": "one\r\nline\r\n", "b.txt": "x\n" },
		});
		bench.put("c.bin", Buffer.from([0, 1, 254, 255]));
		bench.put("ü 文/keep.txt", "k");
		chmodSync(bench.path("c.bin"), 0o604);
		symlinkSync("a.txt", bench.path("link"));
		if (where.includes("repository")) execFileSync("git", ["init", "-q"], { cwd: bench.root });
		const before = treeOf(bench.root);
		const after = await bench.turn();
		expect(Object.keys(after)).not.toContain("c.bin");
		const plan = await bench.undo.preview("turn-1", "files");
		expect(plan).toEqual({
			notes: [],
			paths: expect.arrayContaining([
				{ path: "a.txt", change: "restore" },
				{ path: "b.txt", change: "restore" },
				{ path: "c.bin", change: "create" },
			]),
		});
		expect(treeOf(bench.root)).toEqual(after);
		const { changed, left } = await bench.undo.rewind("turn-1", "files", []);
		expect([changed.sort(), left]).toEqual([["a.txt", "b.txt", "c.bin"], []]);
		expect(treeOf(bench.root)).toEqual(before);
		await bench.undo.redo([]);
		expect(treeOf(bench.root)).toEqual(after);
		await bench.commits();
	});
});

describe("createTurnFiles", () => {
	it("looks at nothing in a turn that only reads", async () => {
		const bench = await createUndoBench({
			script: script([[["readFile", { path: "a" }]]]),
			files: { a: "1" },
		});
		await bench.turn();
		expect(bench.opened()).toBe(0);
		expect(existsSync(bench.folder)).toBe(false);
	});

	it("keeps what stands there in the commit that starts the call, before its effect", async () => {
		const bench = await createUndoBench({ script: script([[edit("a", "1", "2")]]), files: { a: "1" } });
		await bench.turn();
		const commit = (await bench.commits()).find(({ events }) =>
			events.some(({ type }) => type === "tool/start"),
		);
		const types = commit?.events.map(({ type }) => type);
		expect(types?.slice(-2)).toEqual(["file/snapshotted", "tool/start"]);
	});

	it("keeps the whole tree once in a turn, however many commands it runs", async () => {
		const bench = await createUndoBench({
			script: script([[run("echo 1 > a")], [run("echo 2 > a")], [run("rm a")]]),
		});
		await bench.turn();
		const trees = (await bench.events()).filter((event) => event.type === "file/snapshotted" && event.tree);
		expect(trees).toHaveLength(1);
	});

	it("does not run a call whose copy cannot be stored", async () => {
		const bench = await createUndoBench({ script: script([[edit("a", "1", "2")]]), files: { a: "1" } });
		writeFileSync(bench.folder, "in the way");
		await bench.turn();
		expect(bench.read("a")).toBe("1");
		const result = (await bench.events()).find((event) => event.type === "tool/result");
		expect(result?.text).toMatch(
			/Not run: a copy for undo could not be stored \(a part of its path is not a folder \(ENOTDIR\)\)/,
		);
	});

	it("puts nothing back where a copy of what stands there cannot be stored, and says why", async () => {
		const bench = await createUndoBench({ script: script([[edit("a", "1", "2")]]), files: { a: "1" } });
		await bench.turn();
		rmSync(bench.folder, { recursive: true });
		writeFileSync(bench.folder, "in the way");
		await expect(bench.undo.rewind("turn-1", "files", [])).rejects.toThrow(
			/^Nothing was put back: a copy of what stands there now could not be stored \(.+\)\. Free some disk space/,
		);
		expect(bench.read("a")).toBe("2");
		expect((await bench.events()).filter(({ type }) => type === "session/rewound")).toEqual([]);
	});

	it("says once where the tree is too large, and covers what file tools change", async () => {
		const calls = [[run("echo 2 > b")], [edit("a", "1", "2")]];
		const files = { a: "1", b: "1", c: "", d: "" };
		const bench = await createUndoBench({ script: script(calls, [[run("true")]]), files }, { files: 3 });
		await bench.turn();
		await bench.turn();
		const notices = bench.live.flatMap((delta) => (delta.type === "notice" ? [delta.text] : []));
		expect(notices).toEqual([expect.stringContaining("because it has more than 3 files")]);
		const { paths, notes } = await bench.undo.preview("turn-1", "files");
		expect(paths).toEqual([{ path: "a", change: "restore" }]);
		expect(notes).toEqual([expect.stringContaining("it has more than 3 files")]);
		await bench.undo.rewind("turn-1", "files", []);
		expect([bench.read("a"), bench.read("b")]).toEqual(["1", "2\n"]);
	});

	it("says once after the turn which changed files it keeps no copy of, and counts only the others", async () => {
		const files = { small: "1", big: "b".repeat(2_200_000) };
		const bench = await createUndoBench({
			script: script([[run("echo 2 > small; echo more >> big")]], [[run("rm big")]]),
			files,
		});
		await bench.turn();
		await bench.undo.points();
		const notices = () => bench.live.flatMap((delta) => (delta.type === "notice" ? [delta.text] : []));
		expect(notices()).toEqual(["Undo cannot put back what this turn did to big (it is larger than 2 MB)."]);
		await bench.turn();
		expect(notices()).toHaveLength(2);
		expect((await bench.undo.points()).map(({ files }) => files)).toEqual([0, 1]);
		const { paths } = await bench.undo.preview("turn-1", "files");
		expect(paths.filter(({ impossible }) => impossible === undefined).map(({ path }) => path)).toEqual([
			"small",
		]);
	});

	it("covers what code does", async () => {
		const code = "require('fs').writeFileSync('made.txt', 'x'); require('fs').rmSync('a')";
		const bench = await createUndoBench({ script: script([[["executeCode", { code }]]]), files: { a: "1" } });
		const before = treeOf(bench.root);
		expect(Object.keys(await bench.turn())).toEqual(["made.txt"]);
		await bench.undo.rewind("turn-1", "files", []);
		expect(treeOf(bench.root)).toEqual(before);
	});

	it("puts what a subagent's call is about to change on the disk in the parent's log", async () => {
		const bench = await createUndoBench({ script: script([[run("true")]]), files: { a: "1" } });
		const child = await bench.sessions.create({
			cwd: bench.root,
			projectId: "p",
			agiVersion: "t",
			startedOn: "2026-11-29",
			mode: "default",
		});
		const calls = [{ before: [{ path: bench.path("a"), digest: null }] }];
		let held: SessionEvent[] = [];
		const { keep } = bench.files;
		bench.files.keep = async (...given) => {
			await (await keep(calls, child)).kept;
			held = await bench.events();
			writeFileSync(bench.path("a"), "by the subagent");
			return keep(...given);
		};
		await bench.turn();
		expect(held.at(-1)).toMatchObject({ type: "file/snapshotted", images: [{ path: "a", kind: "file" }] });
		await bench.undo.rewind("turn-1", "files", []);
		expect(bench.read("a")).toBe("1");
	});

	it("asks about every path of a turn in which agi was killed, and finds its tree again", async () => {
		const bench = await createUndoBench({ script: script([[run("echo 2 > a")]]), files: { a: "1" } });
		await bench.say("go");
		// Another process opens the session: it knows only the log and the folder.
		const later = createTurnFiles(bench.session, bench.open);
		const undo = createUndo(bench.session, later, bench.open);
		const { paths } = await undo.preview("turn-1", "files");
		expect(paths).toEqual([
			{ path: "a", change: "restore", conflict: expect.stringContaining("ended in that turn") },
		]);
		await undo.rewind("turn-1", "files", ["a"]);
		expect(bench.read("a")).toBe("1");
	});

	it("says that it does not know what commands did where the tree from before them is gone", async () => {
		const bench = await createUndoBench({ script: script([[run("echo 2 > a")]]), files: { a: "1" } });
		const open = join(bench.folder, "open");
		await bench.say("go");
		rmSync(open, { recursive: true });
		await bench.files.settle();
		const { paths, notes } = await bench.undo.preview("turn-1", "files");
		expect([paths, notes]).toEqual([[], [expect.stringContaining("the copy from before the turn is gone")]]);
	});

	it("takes no old file for a new one where the ignore rules changed in the turn", async () => {
		const bench = await createUndoBench({
			script: script([[run("echo > .gitignore; echo > really-new")]]),
			files: { ".gitignore": "private\n", private: "old" },
		});
		await bench.turn();
		const { paths } = await bench.undo.preview("turn-1", "files");
		expect(paths.find(({ path }) => path === "private")?.conflict).toMatch(/ignore rules changed/);
		await bench.undo.rewind("turn-1", "files", []);
		expect(bench.read("private")).toBe("old");
	});
});

describe("createUndo", () => {
	it("goes back over several turns, to any of them, and forth step by step", async () => {
		const bench = await createUndoBench({
			script: script(
				[[edit("a", "1", "2")]],
				[[run("echo 3 > a; mkdir d; mv b d/b")]],
				[[write("new/x", "n")]],
			),
			files: { a: "1", b: "b" },
		});
		const trees = [
			treeOf(bench.root),
			await bench.turn("first"),
			await bench.turn("second"),
			await bench.turn("third"),
		];
		expect(await bench.undo.points()).toMatchObject([
			{ turnId: "turn-3", text: "third", files: 2 },
			{ turnId: "turn-2", text: "second", files: 6 },
			{ turnId: "turn-1", text: "first", files: 6 },
		]);
		await bench.undo.rewind("turn-3", "files", []);
		expect(treeOf(bench.root)).toEqual(trees[2]);
		await bench.undo.rewind("turn-1", "files", []);
		expect(treeOf(bench.root)).toEqual(trees[0]);
		await bench.undo.redo([]);
		expect(treeOf(bench.root)).toEqual(trees[2]);
		await bench.undo.redo([]);
		expect(treeOf(bench.root)).toEqual(trees[3]);
		await expect(bench.undo.redo([])).rejects.toThrow(/nothing to redo/);
	});

	it("leaves the point of a turn that was undone with no files, so that the next undo takes the turn before", async () => {
		const bench = await createUndoBench({
			script: script([[edit("a", "1", "2")]], [[edit("a", "2", "3")]]),
			files: { a: "1" },
		});
		await bench.turn();
		await bench.turn();
		await bench.undo.rewind("turn-2", "files", []);
		const points = await bench.undo.points();
		expect(points.map(({ files }) => files)).toEqual([0, 1]);
		await expect(bench.undo.rewind("turn-2", "files", [])).rejects.toThrow(
			/as they were before that turn already/,
		);
		await bench.undo.rewind("turn-1", "files", []);
		expect(bench.read("a")).toBe("1");
	});

	it("does not touch what the person changed meanwhile without a yes, and can take that back too", async () => {
		const bench = await createUndoBench({
			script: script([[edit("a", "1", "2"), edit("b", "1", "2")]]),
			files: { a: "1", b: "1" },
		});
		await bench.turn();
		bench.put("a", "mine");
		const { paths } = await bench.undo.preview("turn-1", "files");
		expect(paths).toContainEqual({ path: "a", change: "restore", conflict: "it has changed since" });
		const { changed, left } = await bench.undo.rewind("turn-1", "files", []);
		expect([changed, left]).toEqual([["b"], [{ path: "a", why: "it has changed since" }]]);
		expect(bench.read("a")).toBe("mine");
		await bench.undo.rewind("turn-1", "files", ["a"]);
		expect(bench.read("a")).toBe("1");
		await bench.undo.redo([]);
		expect(bench.read("a")).toBe("mine");
	});

	it("asks where the person changed a path between two of the turns", async () => {
		const bench = await createUndoBench({
			script: script([[write("a", "first")]], [[run("echo second > a")]]),
		});
		await bench.turn();
		bench.put("a", "mine");
		await bench.turn();
		const { paths } = await bench.undo.preview("turn-1", "files");
		expect(paths).toEqual([
			{ path: "a", change: "remove", conflict: "something else changed it between these turns" },
		]);
		expect((await bench.undo.preview("turn-2", "files")).paths).toEqual([{ path: "a", change: "restore" }]);
		await bench.undo.rewind("turn-2", "files", []);
		expect(bench.read("a")).toBe("mine");
	});

	it("never touches a path that those turns did not change", async () => {
		const bench = await createUndoBench({ script: script([[run("echo 2 > a")]]), files: { a: "1", b: "1" } });
		await bench.turn();
		bench.put("b", "mine");
		bench.put("c", "mine");
		rmSync(bench.path("a"));
		await bench.undo.rewind("turn-1", "files", ["a"]);
		expect([bench.read("a"), bench.read("b"), bench.read("c")]).toEqual(["1", "mine", "mine"]);
	});

	it("takes the conversation back to before the turn, and the next request begins as the earlier one did", async () => {
		const bench = await createUndoBench({
			script: [...script([[edit("a", "1", "2")]], [[edit("a", "2", "3")]]), { text: "again" }],
			files: { a: "1" },
		});
		await bench.turn("first");
		await bench.turn("second");
		const { text } = await bench.undo.rewind("turn-2", "both", []);
		expect([text, bench.read("a")]).toEqual(["second", "2"]);
		await bench.turn("third");
		const requests = bench.model.requests.map(({ request }) => request);
		const messages = requests.at(-1)?.messages ?? [];
		expect(messages.slice(0, -1)).toEqual(requests[2]?.messages.slice(0, -1));
		expect(messages.at(-1)).toMatchObject({ role: "user", text: "third" });
		expect((await bench.undo.points()).map(({ inConversation }) => inConversation)).toEqual([
			true,
			false,
			true,
		]);
		await expect(bench.undo.rewind("turn-2", "both", [])).rejects.toThrow(
			/no longer part of the conversation/,
		);
	});

	it("lets an edit go on after files and conversation went back, without a new reading", async () => {
		const bench = await createUndoBench({
			script: script([[["readFile", { path: "a" }]]], [[edit("a", "1", "2")]], [[edit("a", "1", "3")]]),
			files: { a: "1" },
		});
		await bench.turn();
		await bench.turn();
		await bench.undo.rewind("turn-2", "both", []);
		await bench.turn();
		expect(bench.read("a")).toBe("3");
	});

	it("tells the model which files went back where its conversation stays", async () => {
		const bench = await createUndoBench({
			script: [...script([[edit("a", "1", "2")]]), { text: "ok" }],
			files: { a: "1" },
		});
		await bench.turn();
		await bench.undo.rewind("turn-1", "files", []);
		await bench.turn("next");
		const told = bench.model.requests
			.at(-1)
			?.request.messages.map((message) => message.text)
			.join("\n");
		expect(told).toMatch(/The user undid changes in these files.*: a\n/);
	});

	it("brings files and conversation again with a redo, until a turn begins", async () => {
		const bench = await createUndoBench({
			script: [...script([[edit("a", "1", "2")]]), { text: "ok" }],
			files: { a: "1" },
		});
		await bench.turn("first");
		const { history } = bench.session.state;
		await bench.undo.rewind("turn-1", "both", []);
		expect(bench.session.state.history).toEqual([]);
		expect((await bench.undo.previewRedo()).paths).toEqual([{ path: "a", change: "restore" }]);
		await bench.undo.redo([]);
		expect(bench.session.state.history).toEqual(history);
		expect(bench.read("a")).toBe("2");
		await bench.undo.rewind("turn-1", "conversation", []);
		await bench.turn("other");
		await expect(bench.undo.redo([])).rejects.toThrow(/nothing to redo/);
	});

	it("keeps the mode that the person is in, and tells the model of it again", async () => {
		const bench = await createUndoBench({ script: script([], []) });
		await bench.turn("first");
		bench.session.record({ do: "changeMode", mode: "plan", by: "person" });
		await bench.turn("second");
		await bench.undo.rewind("turn-1", "conversation", []);
		expect(bench.session.state).toMatchObject({
			mode: "plan",
			history: [{ kind: "modeChange", mode: "plan" }],
		});
	});

	it("refuses while a turn is open, for an unknown turn, and for files where nothing is kept", async () => {
		const bench = await createUndoBench({ script: script([]) });
		await bench.turn();
		await expect(bench.undo.preview("turn-9", "files")).rejects.toThrow(
			"There was no turn turn-9 in this session.",
		);
		const bare = createUndo(bench.session, undefined, undefined);
		await expect(bare.preview("turn-1", "files")).rejects.toThrow(/keeps nothing on the disk/);
		expect(await bare.rewind("turn-1", "both", [])).toEqual({ changed: [], left: [], text: "go" });
		bench.submit("more");
		bench.session.record({ do: "startTurn" });
		await expect(bench.undo.rewind("turn-1", "both", [])).rejects.toThrow(/Interrupt it first/);
	});

	describe("cut off in the middle", () => {
		const names = ["a", "b", "c"];
		const SCRIPT = script([names.map((name) => edit(name, "1", "2"))]);

		/** After a process that died once the first file of a rewind, or of the redo after one, was put back. */
		async function cutOff(how: "rewind" | "redo", what: "both" | "files" = "both") {
			const bench = await createUndoBench({ script: SCRIPT, files: { a: "1", b: "1", c: "1" } });
			await bench.turn();
			const dying = createUndo(bench.session, bench.files, async () => {
				const real = await bench.open();
				return {
					...real,
					restore: async (changes) => {
						await real.restore(changes.slice(0, 1));
						throw new Error("killed");
					},
				};
			});
			if (how === "redo") await bench.undo.rewind("turn-1", "both", []);
			const dead = how === "redo" ? dying.redo([]) : dying.rewind("turn-1", what, []);
			await expect(dead).rejects.toThrow("killed");
			bench.put(".agi-0123456789ab.tmp", "part");
			const workspace = await createWorkspace({ root: bench.root });
			const undo = createUndo(bench.session, bench.files, bench.open, workspace);
			return { ...bench, undo, content: () => names.map(bench.read).join("") };
		}

		it("is told once, with what was put back and what was not, and leaves no draft", async () => {
			const { undo, events, path } = await cutOff("rewind");
			const told = await undo.settle();
			expect(told).toEqual([
				expect.stringMatching(
					/middle of going back: 1 of 3 files were put back, not b, c\. \/rewind to before "go" puts/,
				),
			]);
			expect(existsSync(path(".agi-0123456789ab.tmp"))).toBe(false);
			const before = await events();
			expect(await undo.settle()).toEqual([]);
			expect(await events()).toEqual(before);
		});

		it("is finished by going back to the same turn", async () => {
			const { undo, content, commits, events, session } = await cutOff("rewind");
			await undo.settle();
			expect(content()).toBe("122");
			expect((await undo.preview("turn-1", "files")).paths.map(({ path }) => path)).toEqual(["b", "c"]);
			await undo.rewind("turn-1", "files", []);
			expect(content()).toBe("111");
			expect(checkLog(await commits())).toEqual([]);
			expect(reduceAll(await events())).toEqual(session.state);
		});

		it.each(["both", "files"] as const)(
			"is taken back by one redo once a second one finished it: %s",
			async (what) => {
				const { undo, content, session, events } = await cutOff("rewind", what);
				const { history } = session.state;
				await undo.settle();
				await undo.rewind("turn-1", "files", []);
				expect(content()).toBe("111");
				expect((await undo.previewRedo()).paths.map(({ path }) => path)).toEqual(names);
				await undo.redo([]);
				expect(content()).toBe("222");
				await expect(undo.redo([])).rejects.toThrow(/nothing to redo/);
				if (what === "both") expect(session.state.history.length).toBeGreaterThan(history.length);
				expect(reduceAll(await events())).toEqual(session.state);
			},
		);

		it("is told in the conversation with what was put back, and not with what was to be", async () => {
			const { undo, session } = await cutOff("rewind", "files");
			await undo.settle();
			expect(session.state.history.filter(({ kind }) => kind === "rewind")).toMatchObject([{ paths: ["a"] }]);
		});

		it("is taken back by a redo, with the conversation", async () => {
			const { undo, content, session } = await cutOff("rewind");
			await undo.settle();
			expect(session.state.history).toEqual([]);
			await undo.redo([]);
			expect(content()).toBe("222");
			expect(session.state.history).not.toEqual([]);
		});

		it("can be asked for again where it was a redo", async () => {
			const { undo, content } = await cutOff("redo");
			expect(await undo.settle()).toEqual([expect.stringMatching(/middle of a redo: 1 of 3.*\/redo brings/)]);
			expect(content()).toBe("211");
			await undo.redo([]);
			expect(content()).toBe("222");
		});
	});

	it("goes one at a time", async () => {
		const bench = await createUndoBench({ script: script([[edit("a", "1", "2")]]), files: { a: "1" } });
		await bench.turn();
		const first = bench.undo.rewind("turn-1", "files", []);
		await expect(bench.undo.rewind("turn-1", "files", [])).rejects.toThrow(/Another rewind is under way/);
		expect((await first).changed).toEqual(["a"]);
		expect(bench.undo.underWay).toBeUndefined();
	});

	it("is all in the log: a replay gives the same state", async () => {
		const bench = await createUndoBench({
			script: script([[edit("a", "1", "2")]], [[run("rm a")]]),
			files: { a: "1" },
		});
		await bench.turn();
		await bench.turn();
		await bench.undo.rewind("turn-1", "both", []);
		await bench.undo.redo([]);
		await bench.undo.rewind("turn-2", "files", []);
		expect(reduceAll(await bench.events())).toEqual(bench.session.state);
	});
});
