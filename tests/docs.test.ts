// Holds the documents to the program: whatever a person can type, set or meet is told, every link leads somewhere, and
// both READMEs show the same commands. It reads documents and sources only; what a sentence claims is for a reader.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PROFILES } from "../src/adapters/models/catalog.ts";
import { tools } from "../src/agent/tools/index.ts";
import { toolSchema } from "../src/agent/tools/schemas.ts";
import { COMMANDS, FLAGS } from "../src/cli/flags.ts";
import { SETTING_KEYS } from "../src/settings/settingsSchema.ts";
import { MODES } from "../src/types.ts";
import { OLDEST_NODE, VERSION } from "../src/version.ts";
import { variablesRead } from "./support/variablesRead.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const documents = new Map(
	[
		...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
		...readdirSync(join(ROOT, "docs"))
			.filter((name) => name.endsWith(".md"))
			.map((name) => `docs/${name}`),
	].map((path) => [path, read(path)]),
);

describe("the documents", () => {
	it("tell every flag with its value in docs/headless.md", () => {
		const rows = read("docs/headless.md");
		const missing = FLAGS.filter(({ name, short, takes, placeholder }) => {
			const value = takes === "none" ? "" : takes === "optional" ? ` [${placeholder}]` : ` ${placeholder}`;
			return !rows.includes(`| ${short ? `\`-${short}\`, ` : ""}\`--${name}${value}\` |`);
		});
		expect(missing.map(({ name }) => name)).toEqual([]);
	});

	it("tell every command and action", () => {
		const all = [...documents.values()].join("\n");
		const forms = Object.entries(COMMANDS).flatMap(([command, { actions }]) => [
			`agi ${command}`,
			...Object.keys(actions).map((action) => `agi ${command} ${action}`),
		]);
		expect(forms.filter((form) => !all.includes(form))).toEqual([]);
	});

	it("tell every exit code in a row of docs/headless.md, and no other", () => {
		const section = sectionOf(read("docs/headless.md"), "## Exit codes");
		const told = [...section.matchAll(/^\| (\d+) \|/gm)].map((match) => Number(match[1]));
		const type = /export type ExitCode = ([\d |]+);/.exec(read("src/types.ts"))?.[1] ?? "";
		expect(told).toEqual(type.split("|").map(Number));
	});

	it.each(["docs/settings.md", ".env.example"])("tell every environment variable in %s", async (path) => {
		const text = read(path);
		const own = await variablesRead();
		expect(own).toContain("LLM_API_KEY");
		const known = path.endsWith(".md") ? text + read("docs/models.md") : text;
		const form = (name: string) => (path.endsWith(".md") ? `\`${name}\`` : `\n${name}=\n`);
		expect(own.filter((name) => !known.includes(form(name)))).toEqual([]);
	});

	it("tell every tool in docs/tools.md, with its arguments and no others", () => {
		const told = Object.fromEntries(
			read("docs/tools.md")
				.split(/^## /m)
				.slice(1)
				.map((section) => [
					section.split("\n", 1)[0],
					[...section.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]),
				]),
		);
		const real = Object.fromEntries(
			Object.values(tools).map((tool) => [
				tool.name,
				Object.keys(toolSchema(tool).inputSchema["properties"] as object),
			]),
		);
		expect(told).toEqual(real);
	});

	it("tell every script of package.json in CONTRIBUTING.md", () => {
		const text = read("CONTRIBUTING.md");
		const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
		const missing = Object.keys(scripts).filter(
			(name) => !text.includes(`| \`npm run ${name}\` |`) && !text.includes(`| \`npm ${name}\` |`),
		);
		expect(missing).toEqual([]);
	});

	it("head CHANGELOG.md with the version of package.json, which agi tells", () => {
		expect(JSON.parse(read("package.json"))).toMatchObject({ version: VERSION });
		expect(/^## (\S+)/m.exec(read("CHANGELOG.md"))?.[1]).toBe(VERSION);
	});

	it("name the oldest Node that runs agi, which bin/agi asks for", () => {
		const [major, minor] = OLDEST_NODE.split(".");
		expect(read("bin/agi")).toContain(`a>${major}||(a==${major}&&b>=${minor})`);
		const files = ["bin/agi", "README.md", "README.zh-CN.md", "docs/library.md"];
		expect(files.filter((file) => !read(file).includes(OLDEST_NODE))).toEqual([]);
	});

	it("tell every key of the settings in a row of docs/settings.md, in the order of the schema", () => {
		const rows = [...sectionOf(read("docs/settings.md"), "## Keys").matchAll(/^\| `([\w.]+)` \|/gm)];
		expect(rows.map((match) => match[1])).toEqual(SETTING_KEYS);
	});

	it("tell every profile with its address and key variable in docs/models.md", () => {
		const rows = read("docs/models.md").split("\n");
		const missing = PROFILES.filter(({ name, baseUrl, keyVariable }) => {
			const row = rows.find((line) => line.startsWith(`| \`${name}\` |`)) ?? "";
			return row === "" || !row.includes(baseUrl) || !row.includes(keyVariable ?? "none");
		});
		expect(missing.map(({ name }) => name)).toEqual([]);
	});

	it.each(["README.md", "README.zh-CN.md", "docs/modes.md"])("tell every mode in %s", (path) => {
		expect(MODES.filter((mode) => !read(path).includes(`\n| \`${mode}\` |`))).toEqual([]);
	});

	it("name every event of the log in ARCHITECTURE.md", () => {
		const names = [...read("src/session/events.ts").matchAll(/\btype: "([a-z]+\/[a-z]+)"/g)];
		expect(names.length).toBeGreaterThan(20);
		const text = read("ARCHITECTURE.md");
		expect(names.map((match) => match[1]).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
	});

	it("show in ARCHITECTURE.md the table of layers that is enforced", () => {
		const told = [
			...sectionOf(read("ARCHITECTURE.md"), "| Room | May import |").matchAll(/^\| `([^`]+)` \| (.*) \|$/gm),
		];
		expect(told.map((row) => [row[1], layersTold(row[2] ?? "")])).toEqual(enforcedLayers());
	});

	it("lead with every relative link to a file, and with every # to a heading", () => {
		const broken = [...documents].flatMap(([path, text]) =>
			[...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
				.map((match) => match[1] ?? "")
				.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(path, link))
				.map((link) => `${path}: ${link}`),
		);
		expect(broken).toEqual([]);
	});

	it("show the same code in both READMEs", () => {
		expect(codeBlocks(read("README.zh-CN.md"))).toEqual(codeBlocks(read("README.md")));
		expect(codeBlocks(read("README.md")).length).toBeGreaterThan(3);
	});

	it("use in their commands only flags that exist", () => {
		const known = new Set(FLAGS.flatMap(({ name, short }) => [`--${name}`, ...(short ? [`-${short}`] : [])]));
		const used = [...documents].flatMap(([path, text]) =>
			codeBlocks(text)
				.flatMap((block) => block.split(/[\n|]/))
				.filter((line) => line.trim().startsWith("agi "))
				.flatMap((line) => line.replace(/"[^"]*"|'[^']*'/g, "").match(/(?<=\s)--?[a-z][\w-]*/g) ?? [])
				.filter((flag) => !known.has(flag))
				.map((flag) => `${path}: ${flag}`),
		);
		expect(used).toEqual([]);
	});
});

/** The lines from one that begins so up to the next heading. */
function sectionOf(text: string, start: string): string {
	const lines = text.split("\n");
	const from = lines.findIndex((line) => line.startsWith(start));
	expect(from, `no line ${start}`).toBeGreaterThanOrEqual(0);
	const length = lines.slice(from + 1).findIndex((line) => line.startsWith("#"));
	return lines.slice(from, length < 0 ? undefined : from + 1 + length).join("\n");
}

/** The table of `architecture.test.ts`, which cannot be imported without running its tests. */
function enforcedLayers(): [room: string, mayImport: string[] | "every room"][] {
	const source = read("tests/architecture.test.ts");
	const from = source.indexOf("const MAY_IMPORT");
	const table = source.slice(source.indexOf("{", from) + 1, source.indexOf("\n};", from));
	return [...table.matchAll(/^\t"?([\w./]+)"?: (ROOMS|\[[^\]]*\]),/gm)].map((row) => [
		row[1] ?? "",
		row[2] === "ROOMS"
			? "every room"
			: [...(row[2] ?? "").matchAll(/"([^"]+)"/g)].map((name) => name[1] ?? ""),
	]);
}

function layersTold(cell: string): string[] | "every room" {
	if (cell === "every room") return cell;
	return cell === "nothing" ? [] : [...cell.matchAll(/`([^`]+)`/g)].map((name) => name[1] ?? "");
}

function leadsSomewhere(from: string, link: string): boolean {
	const [path = "", anchor] = link.split("#");
	const target = path === "" ? from : relative(ROOT, join(ROOT, dirname(from), decodeURI(path)));
	if (!existsSync(join(ROOT, target))) return false;
	return anchor === undefined || anchorsOf(read(target)).includes(decodeURI(anchor));
}

/** Headings as GitHub names them. */
function anchorsOf(text: string): string[] {
	return [...withoutCode(text).matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
		(match[1] ?? "")
			.toLowerCase()
			.replace(/[^\p{L}\p{N} _-]/gu, "")
			.replaceAll(" ", "-"),
	);
}

function codeBlocks(text: string): string[] {
	return [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");
}

function withoutCode(text: string): string {
	return text.replace(/^```\w*\n[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "");
}
