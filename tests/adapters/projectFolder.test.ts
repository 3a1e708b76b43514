import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dataFolders, projectIdentity, refuseProc } from "../../src/adapters/projectFolder.ts";

const UUID = /^[0-9a-f-]{36}$/;
const PATH_ID = /^path-[0-9a-f]{32}$/;
let base: string;

beforeEach(() => {
	base = realpathSync(mkdtempSync(join(tmpdir(), "agi-project-")));
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function folder(...parts: string[]): string {
	const path = join(base, ...parts);
	mkdirSync(path, { recursive: true });
	return path;
}

describe("dataFolders", () => {
	it("follows the XDG variables where they are absolute paths", () => {
		const env = { HOME: "/h", XDG_CONFIG_HOME: "/c", XDG_DATA_HOME: "/d", XDG_CACHE_HOME: "/e" };
		expect(dataFolders(env)).toEqual({ config: "/c/agi", data: "/d/agi", cache: "/e/agi" });
	});

	it("uses the standard places where they are unset, empty or relative", () => {
		const standard = { config: "/h/.config/agi", data: "/h/.local/share/agi", cache: "/h/.cache/agi" };
		expect(dataFolders({ HOME: "/h" })).toEqual(standard);
		expect(dataFolders({ HOME: "/h", XDG_DATA_HOME: "", XDG_CONFIG_HOME: "rel" })).toEqual(standard);
		for (const AGI_HOME of ["", "rel", "./rel", "~/rel"])
			expect(dataFolders({ HOME: "/h", AGI_HOME })).toEqual(standard);
	});

	it("moves all three under AGI_HOME", () => {
		const moved = { config: "/a/config", data: "/a/data", cache: "/a/cache" };
		expect(dataFolders({ HOME: "/h", XDG_DATA_HOME: "/d", AGI_HOME: "/a" })).toEqual(moved);
	});
});

describe.skipIf(!existsSync("/proc/self"))("refuseProc", () => {
	it("refuses a home below /proc, also behind a link, whether it is there or not", () => {
		symlinkSync("/proc", join(base, "link"));
		for (const home of ["/proc", "/proc/none/deep", "/proc/self", join(base, "link", "x")])
			expect(() => refuseProc(dataFolders({ AGI_HOME: home }))).toThrow(/Set HOME or AGI_HOME to a folder/);
	});

	it("lets every other folder pass, there or not", () => {
		for (const home of [base, join(base, "new", "deep"), "/processes", "/nowhere/at/all"])
			expect(() => refuseProc(dataFolders({ AGI_HOME: home }))).not.toThrow();
	});
});

describe("projectIdentity", () => {
	it("makes an id and a .gitignore at the git root, and finds the same id from a folder below", async () => {
		const root = folder("repo");
		folder("repo", ".git");
		const below = folder("repo", "src", "deep");
		const first = await projectIdentity(below);
		expect(first).toEqual({ projectId: expect.stringMatching(UUID), agentFolder: join(root, ".agent") });
		expect(readFileSync(join(root, ".agent", ".gitignore"), "utf8")).toBe("project.json\nlogs/\n");
		expect(await projectIdentity(root)).toEqual(first);
	});

	it("takes the nearest .agent between the folder and the git root", async () => {
		folder("repo", ".git");
		const inner = folder("repo", "packages", "one", ".agent");
		const from = folder("repo", "packages", "one", "src");
		expect((await projectIdentity(from)).agentFolder).toBe(inner);
	});

	it("looks no higher than the folder itself where there is no repository", async () => {
		folder(".agent");
		const here = folder("plain");
		expect((await projectIdentity(here)).agentFolder).toBe(join(here, ".agent"));
	});

	it("does not look above the git root", async () => {
		folder(".agent");
		const root = folder("repo");
		writeFileSync(join(root, ".git"), "gitdir: elsewhere\n");
		expect((await projectIdentity(root)).agentFolder).toBe(join(root, ".agent"));
	});

	it("keeps the id of a folder that is moved or copied", async () => {
		const { projectId } = await projectIdentity(folder("old"));
		cpSync(join(base, "old"), join(base, "copy"), { recursive: true });
		renameSync(join(base, "old"), join(base, "new"));
		expect((await projectIdentity(join(base, "new"))).projectId).toBe(projectId);
		expect((await projectIdentity(join(base, "copy"))).projectId).toBe(projectId);
	});

	it("writes nothing where it is asked to create nothing", async () => {
		const here = folder("plain");
		const identity = await projectIdentity(here, { create: false });
		expect(identity).toEqual({
			projectId: expect.stringMatching(PATH_ID),
			agentFolder: join(here, ".agent"),
		});
		expect(existsSync(join(here, ".agent"))).toBe(false);
	});

	it("makes no .agent in home or in the root, also where home is a repository", async () => {
		const home = folder("home");
		folder("home", ".git");
		for (const path of [home, "/"]) {
			expect(await projectIdentity(path, { home })).toEqual({ projectId: expect.stringMatching(PATH_ID) });
		}
		expect(existsSync(join(home, ".agent"))).toBe(false);
		const below = folder("home", "work");
		expect((await projectIdentity(below, { home })).agentFolder).toBe(join(below, ".agent"));
	});

	it("takes the id from the real path where .agent cannot hold one, the same each time", async () => {
		const blocked = folder("blocked");
		writeFileSync(join(blocked, ".agent"), "a file");
		symlinkSync(blocked, join(base, "link"));
		const identity = await projectIdentity(blocked);
		expect(identity.projectId).toMatch(PATH_ID);
		expect(await projectIdentity(join(base, "link"))).toEqual(identity);
	});

	it("does not write through an .agent that is a link", async () => {
		const target = folder("target");
		const repo = folder("repo");
		symlinkSync(target, join(repo, ".agent"));
		expect((await projectIdentity(repo)).projectId).toMatch(PATH_ID);
		expect(existsSync(join(target, "project.json"))).toBe(false);
	});

	it("uses no id that could name another folder, and leaves the file that holds it", async () => {
		const file = join(folder("repo", ".agent"), "project.json");
		for (const content of ['{"id":"../../etc"}', "not json", "null", ""]) {
			writeFileSync(file, content);
			const { projectId, idFault } = await projectIdentity(join(base, "repo"));
			expect(projectId).toMatch(PATH_ID);
			expect(idFault).toMatch(/project\.json holds no id of a project.*remove it to get a new id/);
			expect(readFileSync(file, "utf8")).toBe(content);
		}
	});

	it("keeps a .gitignore that is already there", async () => {
		const file = join(folder("repo", ".agent"), ".gitignore");
		writeFileSync(file, "*\n");
		expect((await projectIdentity(join(base, "repo"))).projectId).toMatch(UUID);
		expect(readFileSync(file, "utf8")).toBe("*\n");
	});

	it.skipIf(!existsSync("/proc/self"))("ends in a folder in which nothing can be made", async () => {
		expect((await projectIdentity("/proc/self/net", { home: base })).projectId).toMatch(PATH_ID);
	});

	it("does not fail for a folder that is gone", async () => {
		const gone = folder("gone");
		rmSync(gone, { recursive: true });
		expect((await projectIdentity(gone, { create: false })).projectId).toMatch(PATH_ID);
	});
});
