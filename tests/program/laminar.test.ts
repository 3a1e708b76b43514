// Where an installed agi takes Laminar's package from: from beside itself, never from the project.

import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGI, createProject, type Project, runShell } from "../support/program.ts";

/** Puts agi below a prefix as `npm install -g` does; the path of its program. */
function installGlobally(prefix: string): string {
	const checkout = dirname(dirname(AGI));
	const folder = join(prefix, "lib", "node_modules", "agi");
	for (const name of ["dist", "package.json"])
		cpSync(join(checkout, name), join(folder, name), { recursive: true });
	return join(folder, "dist", "cli.js");
}

/** A package that leaves a file beside itself once it is loaded; the path of that file. */
function installStub(modules: string): string {
	const folder = join(modules, "@lmnr-ai", "lmnr");
	mkdirSync(folder, { recursive: true });
	const described = { name: "@lmnr-ai/lmnr", version: "1.0.0", type: "module", exports: "./index.js" };
	writeFileSync(join(folder, "package.json"), JSON.stringify(described));
	writeFileSync(
		join(folder, "index.js"),
		`import { writeFileSync } from "node:fs";
writeFileSync(new URL("./loaded", import.meta.url), "");
const span = { setAttribute() {}, setStatus() {}, end() {} };
export const Laminar = {
	initialized: () => false,
	initialize() {},
	startSpan: () => span,
	serializeLaminarSpanContext: () => "context",
	flush: async () => {},
};
`,
	);
	return join(folder, "loaded");
}

function trace(project: Project, cli: string) {
	const env = { LMNR_PROJECT_API_KEY: "key-of-laminar", NODE: process.execPath, CLI: cli };
	return runShell(project, 'exec "$NODE" "$CLI" -m offline -p "list the files"', { env });
}

describe.concurrent("an agi that was installed with -g, with a Laminar key", () => {
	it("loads the package that was installed with -g too", async () => {
		const project = createProject();
		const prefix = join(project.outer, "prefix");
		const cli = installGlobally(prefix);
		const loaded = installStub(join(prefix, "lib", "node_modules"));
		const { code, stderr } = await trace(project, cli);
		expect({ code, isLoaded: existsSync(loaded) }).toEqual({ code: 0, isLoaded: true });
		expect(stderr).not.toContain("Laminar");
	});

	it("leaves the project's package alone, and says which command installs it", async () => {
		const project = createProject();
		const cli = installGlobally(join(project.outer, "prefix"));
		const loaded = installStub(project.path("node_modules"));
		const { code, stderr } = await trace(project, cli);
		expect({ code, isLoaded: existsSync(loaded) }).toEqual({ code: 0, isLoaded: false });
		expect(stderr).toContain("npm install -g @lmnr-ai/lmnr");
	});
});
