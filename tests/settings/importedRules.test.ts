import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importMark, importsThatHold } from "../../src/settings/importedRules.ts";

let root: string;
let agent: string;
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), "agi-imports-")));
	agent = join(root, ".agent");
	mkdirSync(agent);
	writeFileSync(join(agent, "settings.json"), '{"permissions": {"allow": ["webFetch"]}}');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const own = "runCommand(npm test)";

describe("importsThatHold", () => {
	it("keeps the person's own rules and those of this project as it is now", async () => {
		const imported = { tool: "webFetch", from: (await importMark(agent))! };
		expect(await importsThatHold([own, imported], agent)).toEqual({ rules: [own, imported] });
	});

	it("drops the rules of a project whose file has changed since, and says so", async () => {
		const imported = { tool: "webFetch", from: (await importMark(agent))! };
		writeFileSync(join(agent, "settings.json"), "{}");
		const { rules, notice } = await importsThatHold([own, imported, imported], agent);
		expect(rules).toEqual([own]);
		expect(notice).toBe(
			`The 2 rules that you took over from ${join(agent, "settings.json")} no longer count: the file has changed since. Look at it, then agi permissions import takes it over again.`,
		);
	});

	it.each([
		["of another project", () => agent, { project: "/elsewhere" }],
		["where the folder is not trusted, so that its file is not read", () => undefined, {}],
	])("drops rules %s in silence", async (_, folder, change) => {
		const imported = { tool: "webFetch", from: { ...(await importMark(agent))!, ...change } };
		expect(await importsThatHold([own, imported], folder())).toEqual({ rules: [own] });
	});

	it("holds none where the file is gone", async () => {
		const imported = { tool: "webFetch", from: (await importMark(agent))! };
		rmSync(join(agent, "settings.json"));
		expect(await importsThatHold([imported], agent)).toEqual({ rules: [] });
	});
});
