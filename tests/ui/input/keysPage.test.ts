import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

describe("docs/keys.md", () => {
	it("says what the key table and the command table say (else run: node scripts/keysPage.mjs)", async () => {
		const script = new URL("../../../scripts/keysPage.mjs", import.meta.url).href;
		const { keysPage } = (await import(script)) as { keysPage(): string };
		const page = readFileSync(new URL("../../../docs/keys.md", import.meta.url), "utf8");
		expect(page).toBe(keysPage());
	});
});
