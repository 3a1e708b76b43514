#!/usr/bin/env node
// Bundles agi into dist/: split, minified, vendors in chunks that load late. Types for programs go to dist/types.
// `--types` also emits those; `--stale` builds only where a source is newer than the bundle.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
if (!existsSync(join(root, "node_modules", "esbuild"))) {
	console.error("The packages that build agi are not installed. Run: npm ci");
	process.exit(1);
}
const { build } = await import("esbuild");
const { mergeChunks } = await import("./mergeChunks.mjs");
const wants = new Set(process.argv.slice(2));
/** Written last, with the time of the start: no build that was broken off is taken for a whole one, nor for a newer one. */
const stamp = join(root, "dist", ".built");
const startedAt = new Date();

if (wants.has("--stale") && !isStale()) process.exit(0);
rmSync(join(root, "dist"), { recursive: true, force: true });
/**
 * Node's own modules through `process.getBuiltinModule`: an `import` of one makes Node build an ES facade that touches
 * every export, those included that load much more, and that costs a third of the start-up. In agi's own files each
 * name is taken by itself; a vendor's imports get the whole module.
 */
const builtins = {
	name: "builtins",
	setup({ onResolve, onLoad }) {
		onLoad({ filter: /[\\/]src[\\/].*\.tsx?$/ }, ({ path }) => ({
			contents: readFileSync(path, "utf8").replaceAll(
				/^import \{([^}]+)\} from ("node:[^"]+");$/gm,
				(_, names, module) =>
					`const {${names.replaceAll(/\btype \w+,?/g, "").replaceAll(" as ", ": ")}} = process.getBuiltinModule(${module});`,
			),
			loader: path.endsWith("x") ? "tsx" : "ts",
		}));
		onResolve({ filter: new RegExp(`^(node:.*|${builtinModules.join("|")})$`) }, ({ path, kind }) =>
			kind === "dynamic-import" ? { path, external: true } : { path, namespace: "builtin" },
		);
		onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
			contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
			loader: "js",
		}));
	},
};

/**
 * The SDK takes zod as one value, which keeps all of zod; as a namespace it leaves out what is not used (locales). In
 * place of the runtime's headers and streams, whose loading costs a fifth of the start-up, it gets agi's own; OpenAI's
 * provider only the headers, because it parts a stream in two.
 */
const leanSdk = {
	name: "lean-sdk",
	setup({ onLoad }) {
		const from = (file) => `from ${JSON.stringify(join(root, "src", "adapters", "models", file))};`;
		const headers = `import { Headers } ${from("headers.ts")}`;
		const streams = `import { ReadableStream, TextDecoderStream, TransformStream } ${from("streams.ts")}`;
		onLoad({ filter: /[\\/](@ai-sdk|eventsource-parser)[\\/].*\.js$/ }, ({ path }) => ({
			contents: [
				headers,
				/[\\/]@ai-sdk[\\/]openai[\\/]/.test(path) ? "" : streams,
				readFileSync(path, "utf8").replace('import { z } from "zod/v4"', 'import * as z from "zod/v4"'),
			].join("\n"),
		}));
	},
};

/** What reads JSON Schemas copies all of zod when it is loaded; few runs need it. */
const lateJsonSchema = {
	name: "late-json-schema",
	setup({ onLoad }) {
		onLoad({ filter: /[\\/]zod[\\/]v4[\\/]classic[\\/]from-json-schema\.js$/ }, ({ path }) => ({
			contents: readFileSync(path, "utf8")
				.replace(/^const z = (\{[^}]*\});/m, "let z;\nconst wholeZod = () => ($1);")
				.replace(/^export function fromJSONSchema\(.*\{$/m, "$&\n\tz ??= wholeZod();"),
		}));
	},
};

/**
 * Ink brings several copies of `string-width`, whose expressions cost 80 ms at start. The screen measures with its own
 * table anyway (tests hold it to `string-width`), so Ink measures with the same one.
 */
const oneWidth = {
	name: "one-width",
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^string-width$/ }, () => ({ path: "string-width", namespace: "width" }));
		onLoad({ filter: /.*/, namespace: "width" }, () => ({
			contents: `
				import { columnsOf } from "./src/ui/input/graphemes.ts";
				const STYLES = /\\x1b\\[[0-?]*[ -/]*[@-~]/g;
				export default (text) => columnsOf(text.includes("\\x1b") ? text.replace(STYLES, "") : text);`,
			resolveDir: root,
			loader: "js",
		}));
	},
};

/** Ink draws into rows; see src/ui/terminal/rowOutput.ts. */
const rowsForCells = {
	name: "rows-for-cells",
	setup({ onLoad }) {
		onLoad({ filter: /[\\/]ink[\\/]build[\\/]output\.js$/ }, () => ({
			contents: 'export { rowOutput as default } from "./src/ui/terminal/rowOutput.ts";',
			resolveDir: root,
		}));
	},
};

/** Yoga reads its own WebAssembly, which lies in it as text, through `fetch`; loading that costs 50 ms at start. */
const yogaWithoutFetch = {
	name: "yoga-without-fetch",
	setup({ onLoad }) {
		onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => ({
			contents: readFileSync(path, "utf8").replaceAll('"function"!=typeof fetch', "true"),
		}));
	},
};

const result = await build({
	absWorkingDir: root,
	entryPoints: ["src/cli.ts", "src/index.ts"],
	outdir: "dist",
	bundle: true,
	splitting: true,
	minify: true,
	metafile: true,
	platform: "node",
	target: "node22",
	format: "esm",
	plugins: [builtins, leanSdk, lateJsonSchema, oneWidth, rowsForCells, yogaWithoutFetch],
	chunkNames: "[name]-[hash]",
	define: { "process.env.NODE_ENV": '"production"' },
	// ripgrep's binary lies in its own package; Laminar is brought by those who use it.
	external: ["@vscode/ripgrep", "@lmnr-ai/lmnr", "react-devtools-core"],
	logLevel: "warning",
});
await mergeChunks(join(root, "dist"), result.metafile, {
	entry: "src/cli.ts",
	groups: {
		"start.js": { of: "src/cli/main.ts", sharedBy: ["src/cli/screenConversation.ts", "src/cli/print.ts"] },
		"screen.js": { of: "src/cli/screenConversation.ts" },
		"session.js": { of: "src/cli/print.ts" },
		"provider.js": { of: "node_modules/@ai-sdk/openai-compatible/dist/index.js" },
		"conversation.js": { of: "src/cli/openScreen.ts" },
	},
});
escapeLetters(join(root, "dist"));
writeFileSync(stamp, "");
utimesSync(stamp, startedAt, startedAt);
if (wants.has("--meta")) writeFileSync(join(root, "dist", "meta.json"), JSON.stringify(result.metafile));
if (wants.has("--types")) {
	const tsc = spawnSync(
		join(root, "node_modules", ".bin", "tsc"),
		["-p", join(root, "tsconfig.build.json")],
		{
			stdio: "inherit",
		},
	);
	process.exit(tsc.status ?? 1);
}

/**
 * esbuild escapes letters beyond ASCII in strings and leaves those in regular expressions. A file without any takes V8 a
 * byte for a letter: it is read in a third of the time and kept in half the memory.
 */
function escapeLetters(folder) {
	for (const name of readdirSync(folder).filter((each) => each.endsWith(".js"))) {
		const code = readFileSync(join(folder, name), "utf8");
		const escaped = code.replace(
			/[^\0-\x7f]/g,
			(unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
		);
		if (escaped !== code) writeFileSync(join(folder, name), escaped);
	}
}

/** Whether any source is newer than the bundle. */
function isStale() {
	if (!existsSync(stamp)) return true;
	const built = statSync(stamp).mtimeMs;
	const parts = ["package.json", "scripts/build.mjs", "scripts/mergeChunks.mjs"];
	const inputs = [...parts.map((path) => join(root, path)), ...sources(join(root, "src"))];
	return inputs.some((path) => statSync(path).mtimeMs > built);
}

function sources(folder) {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name));
}
