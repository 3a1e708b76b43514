// One list of defaults; the parts that also work without settings, and the documentation, agree with it.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_IMAGE } from "../../src/adapters/sandbox/docker.ts";
import { DEFAULT_MIN_GAIN } from "../../src/agent/context/draftCheckpoint.ts";
import { DEFAULT_THRESHOLD } from "../../src/agent/context/modelLimits.ts";
import { SETTING_DEFAULTS } from "../../src/settings/defaults.ts";
import { valueProblem } from "../../src/settings/settingsFile.ts";

describe("SETTING_DEFAULTS", () => {
	it("holds values that the keys take", () => {
		const problems = Object.entries(SETTING_DEFAULTS).map(([key, value]) => valueProblem(key, value));
		expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
	});

	it("agrees with what a turn does without settings", () => {
		expect(SETTING_DEFAULTS).toMatchObject({
			"compaction.threshold": DEFAULT_THRESHOLD,
			"compaction.minGain": DEFAULT_MIN_GAIN,
			"sandbox.image": DEFAULT_IMAGE,
		});
	});

	it("is what docs/settings.md tells, key by key", () => {
		const text = readFileSync(new URL("../../docs/settings.md", import.meta.url), "utf8");
		const told = Object.fromEntries(
			[...text.matchAll(/^\| `([\w.]+)` \|.*?\| ([^|]*?) ?\|[^|]*\|[^|]*\|$/gm)].map(
				([, key = "", value = ""]) => [key, value.replaceAll("`", "")],
			),
		);
		const texts = Object.entries(SETTING_DEFAULTS).map(([key, value]) => [key, String(value)]);
		expect(told).toMatchObject(Object.fromEntries(texts));
	});
});
