// Guards the layers: who may import whom, no circles (type-only imports included), pure rooms stay pure, vendors in one
// place. The table is the one of ARCHITECTURE.md; a change of it is a decision, not a repair.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const SRC = fileURLToPath(new URL("../src", import.meta.url));

/** Rooms by the longest matching prefix of a file's path below src. */
const ROOMS = [
	"types.ts",
	"version.ts",
	"session",
	"policy",
	"ports",
	"agent",
	"runtime",
	"adapters",
	"extensions",
	"settings",
	"rpc/protocol.ts",
	"rpc/client.ts",
	"rpc/server.ts",
	"rpc/host.ts",
	"rpc/transports",
	"ui",
	"evals",
	"cli",
	"cli.ts",
	"index.ts",
	"library.ts",
	"wire.ts",
	"wire",
];

/** What each room may import beside itself. */
const MAY_IMPORT: Record<string, string[]> = {
	"types.ts": [],
	"version.ts": [],
	session: ["types.ts"],
	policy: ["session", "types.ts"],
	ports: ["policy", "session", "types.ts"],
	agent: ["ports", "policy", "session", "types.ts"],
	runtime: ["agent", "ports", "policy", "session", "types.ts"],
	adapters: ["ports", "policy", "session", "types.ts"],
	extensions: ["ports", "policy", "session", "types.ts"],
	// A settings file holds rules, and a rule that cannot be read is a mistake of the file.
	settings: ["policy", "session", "types.ts"],
	"rpc/protocol.ts": ["session", "types.ts"],
	"rpc/client.ts": ["rpc/protocol.ts", "session", "types.ts"],
	"rpc/server.ts": ["rpc/protocol.ts", "runtime", "agent", "ports", "policy", "session", "types.ts"],
	"rpc/host.ts": ["rpc/client.ts", "rpc/protocol.ts", "ports", "session", "types.ts"],
	"rpc/transports": ["rpc/client.ts", "rpc/server.ts", "rpc/protocol.ts", "types.ts"],
	ui: ["rpc/client.ts", "rpc/protocol.ts", "session", "types.ts"],
	"cli.ts": ["cli", "version.ts"],
	cli: ROOMS,
	evals: ROOMS,
	"index.ts": ROOMS,
	"library.ts": ROOMS,
	"wire.ts": ROOMS,
	wire: ROOMS,
};

/**
 * The customer's free functions that need the world load it themselves, by a dynamic import, when nothing was passed
 * in: `AgentLogger` its file, `executeTool` and `executeToolFromSet` this process's workspace, `compactConversation` the
 * configured model, `loadMemories` and `saveMemories` the files of memory.
 */
const EXCEPTIONS = new Set([
	"agent/logger.ts -> adapters/diagnosticsFile.ts",
	"agent/executeTool.ts -> wire/toolBench.ts",
	"agent/context/compaction.ts -> library.ts",
	"agent/memory.ts -> wire/memory.ts",
]);

interface Import {
	from: string;
	to: string;
	isDynamic: boolean;
	/** Nothing is loaded for it. */
	isType: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
	.map((path) => path.split(sep).join("/"))
	.filter((path) => /\.tsx?$/.test(path))
	.sort();
const sources = new Map(files.map((file) => [file, readFileSync(join(SRC, file), "utf8")]));
const code = new Map([...sources].map(([file, text]) => [file, withoutComments(text)]));
const imports = files.flatMap(importsOf);

describe("layers", () => {
	it("import only to the right of the table", () => {
		const wrong = imports
			.filter(({ from, to }) => to.startsWith("./") && !isAllowed(from, to.slice(2)))
			.map(({ from, to }) => `${from} -> ${to.slice(2)}`);
		expect(wrong).toEqual([]);
	});

	it("have a room for every file", () => {
		expect(files.filter((file) => roomOf(file) === undefined)).toEqual([]);
	});

	it("have no circle, type-only imports included", () => {
		expect(circles()).toEqual([]);
	});

	it("keep node's own modules at the edges", () => {
		const edges = [
			"adapters",
			"extensions",
			"rpc/transports",
			"cli",
			"cli.ts",
			"evals",
			"settings",
			"wire.ts",
			"wire",
			"library.ts",
		];
		const wrong = imports.filter(
			({ from, to }) => to.startsWith("node:") && !edges.includes(roomOf(from) ?? ""),
		);
		expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
	});

	it.each([
		["ai", ["adapters/models/", "evals/", "library.ts"]],
		["@ai-sdk/", ["adapters/models/"]],
		["react", ["ui/"]],
		["ink", ["ui/"]],
		["ink-spinner", ["ui/components/"]],
		["shelljs", ["adapters/"]],
		["@vscode/ripgrep", ["adapters/"]],
		["@lmnr-ai/lmnr", ["adapters/"]],
	])("keep the vendor %s in its place", (vendor, places) => {
		const wrong = imports
			.filter(({ to }) => to === vendor || to.startsWith(vendor.endsWith("/") ? vendor : `${vendor}/`))
			.filter(({ from }) => !places.some((place) => from.startsWith(place)));
		expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
	});

	it("have no default export", () => {
		const wrong = [...code].filter(([, text]) => /^export default\b/m.test(text)).map(([file]) => file);
		expect(wrong).toEqual([]);
	});
});

describe("a headless start", () => {
	it.each([
		"./settings/settingsSchema.ts",
		"./evals/",
		"node:zlib",
		"node:https",
		"@ai-sdk/",
		"ai",
		"diff",
		"react",
		"shelljs",
		"yaml",
	])("loads %s only when it is needed", (late) => {
		const loaded = new Set(["./cli/main.ts", "./cli/print.ts"]);
		for (const file of loaded)
			for (const { to } of imports.filter(
				({ from, isDynamic, isType }) => `./${from}` === file && !isDynamic && !isType,
			))
				loaded.add(to);
		const early = [...loaded].filter(
			(path) => path === late || path.startsWith(late.endsWith("/") ? late : `${late}/`),
		);
		expect(early).toEqual([]);
	});
});

describe("pure rooms", () => {
	const pure = files.filter((file) =>
		/^(session|policy|ui\/view)\/|^agent\/context\/assemble\.ts$/.test(file),
	);

	it.each([
		["wait for nothing", /\basync\b|\bawait\b|\bPromise\b/],
		["read no clock and throw no dice", /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\./],
		[
			"touch no process",
			/\bprocess\.(?:env|cwd|argv|exit|platform|pid|std\w+|on)\b|\bsetTimeout\b|\bfetch\(/,
		],
	])("%s", (_, pattern) => {
		expect(pure.filter((file) => pattern.test(code.get(file)!))).toEqual([]);
	});
});

describe("the log", () => {
	it("changes state in the reducer and its parts only", () => {
		const writers = files.filter(
			(file) =>
				!/^session\/reduce(Calls|Attempts)?\.ts$/.test(file) &&
				/\bstate\.(history|inbox)\.(push|splice|pop)\(/.test(code.get(file)!),
		);
		expect(writers).toEqual([]);
	});
});

function importsOf(file: string): Import[] {
	const text = code.get(file)!;
	const found: Import[] = [];
	const statics =
		/(?:^|\n)\s*(?:import|export)\b[^;"'`]*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']/g;
	for (const match of text.matchAll(statics))
		found.push({
			from: file,
			to: resolve(file, match[1] ?? match[2]!),
			isDynamic: false,
			isType: /^\s*(import|export) type\b/.test(match[0]),
		});
	for (const match of text.matchAll(/\bimport\(\s*["']([^"']+)["']\s*\)/g))
		found.push({ from: file, to: resolve(file, match[1]!), isDynamic: true, isType: false });
	return found;
}

/** A relative import as `./path below src`, any other as it is. */
function resolve(file: string, target: string): string {
	if (!target.startsWith(".")) return target;
	return `./${relative(SRC, normalize(join(SRC, dirname(file), target)))
		.split(sep)
		.join("/")}`;
}

function roomOf(file: string): string | undefined {
	return ROOMS.filter((room) => file === room || file.startsWith(`${room}/`)).sort(
		(a, b) => b.length - a.length,
	)[0];
}

function isAllowed(from: string, to: string): boolean {
	const [here, there] = [roomOf(from), roomOf(to)];
	if (here === undefined || there === undefined) return false;
	return here === there || MAY_IMPORT[here]!.includes(there) || EXCEPTIONS.has(`${from} -> ${to}`);
}

function circles(): string[] {
	const edges = new Map<string, string[]>();
	for (const { from, to } of imports) {
		if (!to.startsWith("./") || EXCEPTIONS.has(`${from} -> ${to.slice(2)}`)) continue;
		edges.set(from, [...(edges.get(from) ?? []), to.slice(2)]);
	}
	const done = new Set<string>();
	const found: string[] = [];
	const walk = (file: string, path: string[]): void => {
		if (path.includes(file)) {
			found.push([...path.slice(path.indexOf(file)), file].join(" -> "));
			return;
		}
		if (done.has(file)) return;
		for (const next of edges.get(file) ?? []) walk(next, [...path, file]);
		done.add(file);
	};
	for (const file of files) walk(file, []);
	return found;
}

function withoutComments(text: string): string {
	return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|\s)\/\/[^\n]*/g, "$1");
}
