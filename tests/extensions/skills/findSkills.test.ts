import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { readTextFile } from "../../../src/adapters/textFile.ts";
import { createWorld } from "../../../src/adapters/world.ts";
import { createSkills } from "../../../src/extensions/skills/findSkills.ts";
import { skillPlaces } from "../../../src/extensions/skills/skillPlaces.ts";
import { temporaryFolder } from "../../support/folderTree.ts";

let outer: string;
let root: string;
let home: string;

beforeEach(() => {
	outer = temporaryFolder();
	[root, home] = [join(outer, "repo"), join(outer, "home")];
	mkdirSync(join(root, ".git"), { recursive: true });
	mkdirSync(home);
});

function put(path: string, text: string, folder = root): void {
	mkdirSync(dirname(join(folder, path)), { recursive: true });
	writeFileSync(join(folder, path), text);
}

const skill = (name: string, description = "Does it.") =>
	`---\nname: ${name}\ndescription: ${description}\n---\nBody of ${name}.\n`;

function skillsOf(cwd = root, trusted = true) {
	const places = skillPlaces(cwd, { home, config: join(home, ".config/agi"), trusted });
	return createSkills({ places, cwd, readText: readTextFile, digest: createWorld().digest });
}

describe("createSkills", () => {
	it("finds skills of all folders up to the repository's root and of the person, and of equal names the nearest", async () => {
		put(".agent/skills/one/SKILL.md", skill("one", "outer"));
		put("a/.claude/skills/one/SKILL.md", skill("one", "inner"));
		put("a/.agents/skills/two/SKILL.md", skill("two"));
		put(".agents/skills/one/SKILL.md", skill("one", "mine"), home);
		put(".claude/skills/three/SKILL.md", skill("three"), home);
		put(".config/agi/skills/four/SKILL.md", skill("four"), home);
		put("SKILL.md", skill("repo"));
		put(".agent/skills/one/SKILL.md", skill("one", "above"), outer);
		const { skills, shadowed, broken } = await skillsOf(join(root, "a")).find();
		expect(skills.map(({ name, scope, path, description }) => [name, scope, path, description])).toEqual([
			["four", "user", join(home, ".config/agi/skills/four/SKILL.md"), "Does it."],
			["one", "project", ".claude/skills/one/SKILL.md", "inner"],
			["three", "user", join(home, ".claude/skills/three/SKILL.md"), "Does it."],
			["two", "project", ".agents/skills/two/SKILL.md", "Does it."],
		]);
		expect(shadowed).toEqual([
			{ name: "one", path: "../.agent/skills/one/SKILL.md", by: ".claude/skills/one/SKILL.md" },
			{ name: "one", path: join(home, ".agents/skills/one/SKILL.md"), by: ".claude/skills/one/SKILL.md" },
		]);
		expect(broken).toEqual([]);
	});

	it("reads nothing of a project that is not trusted, and the person's own all the same", async () => {
		put(".agent/skills/one/SKILL.md", skill("one"));
		put(".agent/skills/bad/SKILL.md", "no head");
		put(".claude/skills/own/SKILL.md", skill("own"), home);
		const { skills, broken } = await skillsOf(root, false).find();
		expect([skills.map(({ name }) => name), broken]).toEqual([["own"], []]);
	});

	it("looks only into agi's own folder where there is no other home", async () => {
		put(".claude/skills/far/SKILL.md", skill("far"), home);
		put("config/skills/near/SKILL.md", skill("near"), outer);
		const places = skillPlaces(root, { config: join(outer, "config"), trusted: true });
		const skills = createSkills({ places, cwd: root, readText: readTextFile, digest: createWorld().digest });
		expect((await skills.find()).skills.map(({ name }) => name)).toEqual(["near"]);
	});

	it("leaves out what is broken and says which file and why", async () => {
		put(".agent/skills/other-name/SKILL.md", skill("name"));
		put(".agent/skills/huge/SKILL.md", skill("huge") + "x".repeat(256 * 1024));
		put(".agent/skills/binary/SKILL.md", "\0\0\0\0\0\0");
		mkdirSync(join(root, ".agent/skills/folder/SKILL.md"), { recursive: true });
		put(".agent/skills/good/SKILL.md", skill("good"));
		put(".agent/skills/README.md", "not a skill");
		put(".agent/skills/empty/notes.md", "not a skill");
		const { skills, broken } = await skillsOf().find();
		expect(skills.map(({ name }) => name)).toEqual(["good"]);
		expect(broken).toEqual([
			{ path: ".agent/skills/binary/SKILL.md", why: "it is not a text in UTF-8" },
			{ path: ".agent/skills/folder/SKILL.md", why: "it is a folder" },
			{ path: ".agent/skills/huge/SKILL.md", why: expect.stringMatching(/bytes; at most 262144 are read$/) },
			{
				path: ".agent/skills/other-name/SKILL.md",
				why: "its name is name, but its folder is called other-name",
			},
		]);
	});

	it("follows no link out of the repository and none in a circle, and takes one skill behind two links once", async () => {
		put("stranger/SKILL.md", skill("stranger"), outer);
		put(".agents/skills/real/SKILL.md", skill("real"));
		mkdirSync(join(root, ".claude/skills"), { recursive: true });
		symlinkSync(join(outer, "stranger"), join(root, ".claude/skills/stranger"));
		symlinkSync("../../.agents/skills/real", join(root, ".claude/skills/real"));
		symlinkSync("round", join(root, ".claude/skills/round"));
		const { skills, broken, shadowed } = await skillsOf().find();
		expect(skills.map(({ path }) => path)).toEqual([".agents/skills/real/SKILL.md"]);
		expect(shadowed).toEqual([]);
		expect(broken.map(({ path, why }) => [path, why])).toEqual([
			[".claude/skills/round/SKILL.md", "it is a link that leads in a circle"],
			[".claude/skills/stranger/SKILL.md", `it is a link that leads out of ${root}`],
		]);
	});

	it("takes at most 200 and names the others", async () => {
		for (let i = 0; i < 202; i++) put(`.agent/skills/s${i}/SKILL.md`, skill(`s${i}`));
		const { skills, broken } = await skillsOf().find();
		expect([skills.length, broken.length, broken[0]?.why]).toEqual([
			200,
			2,
			"there are more than 200 skills",
		]);
	});

	it("has another mark once a skill comes, changes or goes", async () => {
		put(".agent/skills/one/SKILL.md", skill("one"));
		const skills = skillsOf();
		const marks = [skills.mark()];
		const look = async () => {
			marks.push(skills.mark());
			await skills.find();
		};
		put(".agent/skills/one/SKILL.md", skill("one", "Does it otherwise."));
		await look();
		put(".agents/skills/two/SKILL.md", skill("two"));
		await look();
		rmSync(join(root, ".agent/skills/one"), { recursive: true });
		await look();
		expect(new Set(marks).size).toBe(4);
		expect(skills.mark()).toBe(skills.mark());
	});

	it("brings the body and names the other files, without hidden characters and links", async () => {
		put(".agent/skills/one/SKILL.md", `${skill("one")}hid\u200bden`);
		put(".agent/skills/one/scripts/run.sh", "");
		put(".agent/skills/one/references/deep/a.md", "");
		put(".agent/skills/one/.cache/x", "");
		symlinkSync("/etc/passwd", join(root, ".agent/skills/one/secret"));
		const skills = skillsOf();
		const found = (await skills.find()).skills[0]!;
		expect(await skills.read(found)).toEqual({
			ok: true,
			value: {
				body: "Body of one.\nhidden",
				digest: expect.stringMatching(/^[0-9a-f]{64}$/),
				files: [".agent/skills/one/references/deep/a.md", ".agent/skills/one/scripts/run.sh"],
				moreFiles: 0,
			},
		});
	});

	it("takes the skills that this repository ships, which are short and name no other files", async () => {
		const repository = fileURLToPath(new URL("../../..", import.meta.url)).replace(/\/$/, "");
		const own = { folder: join(repository, ".agent/skills"), scope: "project", within: repository } as const;
		const { digest } = createWorld();
		const skills = createSkills({ places: [own], cwd: repository, readText: readTextFile, digest });
		const found = await skills.find();
		expect([found.skills.map(({ name }) => name), found.broken]).toEqual([
			["fix-test-failure", "release-notes"],
			[],
		]);
		for (const skill of found.skills) {
			const read = await skills.read(skill);
			expect(read.ok && [read.value.files, read.value.body.length < 4_000]).toEqual([[], true]);
			expect(read.ok && read.value.body).toContain("$ARGUMENTS");
		}
	});

	it("names the files of a linked skill where they are", async () => {
		put("shared/one/SKILL.md", skill("one"));
		put("shared/one/run.sh", "");
		mkdirSync(join(root, ".agent/skills/one"), { recursive: true });
		symlinkSync("../../../shared/one/SKILL.md", join(root, ".agent/skills/one/SKILL.md"));
		const skills = skillsOf();
		const found = (await skills.find()).skills[0]!;
		expect(await skills.read(found)).toMatchObject({ ok: true, value: { files: ["shared/one/run.sh"] } });
	});

	it("takes no SKILL.md whose folder would be more than the skill's", async () => {
		put("docs/one.md", skill("one"));
		put("SKILL.md", skill("two"), home);
		mkdirSync(join(root, ".agent/skills/one"), { recursive: true });
		mkdirSync(join(home, ".claude/skills/two"), { recursive: true });
		symlinkSync("../../../docs/one.md", join(root, ".agent/skills/one/SKILL.md"));
		symlinkSync("../../../SKILL.md", join(home, ".claude/skills/two/SKILL.md"));
		const { skills, broken } = await skillsOf().find();
		const why = (real: string) => `it is a link to ${real}; link the whole folder of the skill instead`;
		expect(skills).toEqual([]);
		expect(broken.map((one) => one.why)).toEqual([
			why(join(root, "docs/one.md")),
			why(join(home, "SKILL.md")),
		]);
	});

	it("reads nothing through a link that came in a skill's place and leads out of the repository", async () => {
		put(".agent/skills/one/SKILL.md", skill("one"));
		put("secret.txt", "secret", outer);
		const skills = skillsOf();
		const found = (await skills.find()).skills[0]!;
		rmSync(join(root, ".agent/skills/one/SKILL.md"));
		symlinkSync(join(outer, "secret.txt"), join(root, ".agent/skills/one/SKILL.md"));
		const why = `.agent/skills/one/SKILL.md cannot be read: it is a link that leads out of ${root}`;
		expect(await skills.read(found)).toEqual({ ok: false, why });
	});

	it("says why a skill can no longer be read", async () => {
		put(".agent/skills/one/SKILL.md", skill("one"));
		const skills = skillsOf();
		const found = (await skills.find()).skills[0]!;
		rmSync(join(root, ".agent/skills/one/SKILL.md"));
		expect(await skills.read(found)).toEqual({ ok: false, why: ".agent/skills/one/SKILL.md is gone" });
	});
});
