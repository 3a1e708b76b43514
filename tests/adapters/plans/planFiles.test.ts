import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createPlanFiles } from "../../../src/adapters/plans/planFiles.ts";

function project(): string {
	const path = realpathSync(mkdtempSync(join(tmpdir(), "agi-plans-")));
	onTestFinished(() => rmSync(path, { recursive: true, force: true }));
	return path;
}

describe("createPlanFiles", () => {
	it.each([
		["# Mend: the *parser*!\nmore", "2026-01-02-mend-the-parser.md"],
		["\n---\nзачем это", "2026-01-02-зачем-это.md"],
		["计划：修复", "2026-01-02-计划-修复.md"],
		["../../etc/passwd", "2026-01-02-etc-passwd.md"],
		["***", "2026-01-02-plan.md"],
	])("names %j %s", async (text, name) => {
		const root = project();
		const kept = await createPlanFiles(join(root, ".agent"), root).keep({ day: "2026-01-02", text });
		expect(kept).toEqual({ ok: true, path: join(".agent", "plans", name) });
		expect(readFileSync(join(root, ".agent", "plans", name), "utf8")).toBe(`${text}\n`);
	});

	it("never replaces an older plan of the same name", async () => {
		const root = project();
		const plans = createPlanFiles(join(root, ".agent"), root);
		await plans.keep({ day: "2026-01-02", text: "a" });
		expect(await plans.keep({ day: "2026-01-02", text: "a" })).toMatchObject({
			path: join(".agent", "plans", "2026-01-02-a-2.md"),
		});
	});

	it.each([".agent", "plans"])("refuses where %s is a link, and writes nothing behind it", async (name) => {
		const root = project();
		const elsewhere = project();
		if (name === "plans") mkdirSync(join(root, ".agent"));
		symlinkSync(elsewhere, name === "plans" ? join(root, ".agent", "plans") : join(root, ".agent"));
		const kept = await createPlanFiles(join(root, ".agent"), root).keep({ day: "2026-01-02", text: "a" });
		expect(kept).toMatchObject({ ok: false, message: expect.stringContaining("is a link or no folder") });
		expect(readdirSync(elsewhere)).toEqual([]);
	});

	it("says so where the folder cannot be made", async () => {
		const root = project();
		writeFileSync(join(root, "file"), "");
		const kept = await createPlanFiles(join(root, "file", ".agent"), root).keep({
			day: "2026-01-02",
			text: "a",
		});
		expect(kept).toMatchObject({ ok: false, message: expect.stringContaining("Storing the plan in") });
	});

	it("keeps none where the folder is no project", async () => {
		const kept = await createPlanFiles(undefined, "/").keep({ day: "2026-01-02", text: "a" });
		expect(kept).toEqual({
			ok: false,
			message: "The plan was not stored: this folder is no project of its own.",
		});
	});
});
