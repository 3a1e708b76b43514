// Joins the chunks that one moment of a start loads together: Node takes half a millisecond for each file, however small.
// Works on a finished split build whose files all lie in one folder; what they export stays as it is.

import { rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";

/**
 * Rewrites the files of `folder`, which `metafile` describes. `groups`: new file names, each with the entry point whose
 * static imports it joins, save for those that `entry` needs or an earlier group holds; with `sharedBy` also what two later
 * groups both need, so that neither has to load the other's file for it.
 */
export async function mergeChunks(folder, metafile, { entry, groups }) {
	const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
	/** What a joined chunk leaves behind: a file that passes its exports on. */
	const stubs = new Map();
	const apart = closure(outputs, entry);
	for (const [file, { of, sharedBy = [] }] of Object.entries(groups)) {
		const [first = [], second = []] = sharedBy.map((entryPoint) => closure(outputs, entryPoint));
		const wanted = new Set([...closure(outputs, of), ...first.filter((name) => second.includes(name))]);
		const members = [...wanted].filter((name) => !stubs.has(name) && !apart.includes(name));
		const contents = members.map((name) =>
			passOn(name, outputs, `./${name}`, (own, joined) => [own, joined]),
		);
		await rewrite(folder, [...members, ...stubs.keys()], {
			stdin: { contents: contents.join("\n"), resolveDir: folder },
			outfile: join(folder, file),
		});
		for (const name of members) {
			stubs.set(name, file);
			writeFileSync(
				join(folder, name),
				passOn(name, outputs, `./${file}`, (own, joined) => [joined, own]),
			);
		}
	}
	const others = [...outputs.keys()].filter((name) => !stubs.has(name));
	await rewrite(folder, stubs.keys(), {
		entryPoints: others.map((name) => join(folder, name)),
		outdir: folder,
	});
	for (const name of stubs.keys()) if (!outputs.get(name).entryPoint) rmSync(join(folder, name));
}

/** Bundles with nothing but the files of `inlined` taken in. */
function rewrite(folder, inlined, options) {
	const taken = new Set(inlined);
	const takeInlined = {
		name: "take-inlined",
		setup({ onResolve }) {
			onResolve({ filter: /.*/ }, ({ path, kind }) => {
				if (kind === "entry-point") return undefined;
				return kind === "import-statement" && taken.has(basename(path))
					? undefined
					: { path, external: true };
			});
		},
	};
	return build({
		...options,
		absWorkingDir: folder,
		bundle: true,
		minify: true,
		format: "esm",
		target: "node22",
		allowOverwrite: true,
		plugins: [takeInlined],
		logLevel: "warning",
	});
}

/** The output of an entry point and all that it imports statically. */
function closure(outputs, entryPoint) {
	const found = new Set([...outputs.keys()].filter((name) => outputs.get(name).entryPoint === entryPoint));
	for (const name of found)
		for (const { path, kind } of outputs.get(name).imports)
			if (kind === "import-statement" && outputs.has(basename(path))) found.add(basename(path));
	return [...found];
}

/** An export of each of a chunk's names from `source`; in a joined file it has the chunk's before it. */
function passOn(name, outputs, source, order) {
	const prefix = basename(name, ".js").replaceAll(/\W/g, "_");
	const names = outputs.get(name).exports.map((own) => order(own, `${prefix}_${own}`).join(" as "));
	return `export{${names.join(",")}}from"${source}";`;
}
