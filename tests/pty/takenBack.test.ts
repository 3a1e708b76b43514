// A message that waits, taken back into the prompt line together with the image that only it brings.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pngOf } from "../support/images.ts";
import { at, createProject, scripted } from "../support/program.ts";
import { KEYS, openScreen } from "../support/screen.ts";

describe("a waiting message with a pasted image", () => {
	it("keeps the image when it is taken back with Alt+Up and sent again", async () => {
		const project = createProject();
		mkdirSync(join(project.home, "config"), { recursive: true });
		writeFileSync(join(project.home, "config", "settings.json"), '{"images": true}');
		const go = Promise.withResolvers<void>();
		const server = await scripted([{ until: go.promise, text: "First." }, { text: "Second." }]);
		const run = openScreen(project, at(server), { columns: 100, rows: 30 });
		await run.shows(/case-model/);
		run.type(`work${KEYS.enter}`);
		await run.shows(/Enter tells it more now/);
		const base64 = Buffer.from(pngOf(8, 6)).toString("base64");
		run.type(`look data:image/png;base64,${base64}${KEYS.enter}`);
		await run.shows(/⧗ .*look \[image 1\]/);
		run.type(KEYS.altUp);
		await run.shows(/> look \[image 1\]/);
		run.type(` again${KEYS.enter}`);
		await run.shows(/⧗ .*look \[image 1\] again/);
		go.resolve();
		await run.shows(/Second\./);
		expect(JSON.stringify(server.requests[1]?.messages.at(-1)?.content)).toContain(base64);
		expect(server.requests).toHaveLength(2);
	});
});
