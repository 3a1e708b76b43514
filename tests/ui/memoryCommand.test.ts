import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandDesk } from "../../src/ui/commandDesk.ts";
import type { PickerItem } from "../../src/ui/input/picker.ts";
import { memory } from "../../src/ui/memoryCommand.ts";
import { openHostBench } from "../support/hostBench.ts";

const PROJECT = "# Ours\n\n- [fact, 2026-01-02] The port is 8099\n- a line of a person\n";
const USER = "- [preference, 2026-01-05] Tabs\n";

/** A desk whose person edits each text so, and picks the item with that label. */
async function openDesk(choice: { edited?: (text: string) => string; picked?: string } = {}) {
	const bench = await openHostBench([{ text: "ok" }], {
		trusted: true,
		prepare(root) {
			mkdirSync(join(root, ".agent"), { recursive: true });
			writeFileSync(join(root, ".agent", "MEMORY.md"), PROJECT);
			const config = join(root, "..", "home", "config");
			mkdirSync(config, { recursive: true });
			writeFileSync(join(config, "USER.md"), USER);
		},
	});
	const printed: string[] = [];
	const desk = {
		client: bench.client,
		questions: {
			pick: async (_: string, items: readonly PickerItem[]) =>
				items.find(({ label }) => label === choice.picked),
		},
		outside: { editText: async (text: string) => choice.edited?.(text) ?? text },
		show: (event: { text: string }) => void printed.push(event.text),
	} as unknown as CommandDesk;
	return {
		bench,
		printed,
		project: () => readFileSync(join(bench.root, ".agent", "MEMORY.md"), "utf8"),
		user: () => readFileSync(join(bench.home, "config", "USER.md"), "utf8"),
		changes: () => bench.facts().filter((event) => event.type === "memory/changed"),
		/** What was printed, `HOME` in the place of agi's folder. */
		async run(argument: string) {
			await memory(desk, argument);
			return printed.at(-1)!.replaceAll(bench.home, "HOME");
		},
	};
}

describe("/memory", () => {
	it("lists the lines of both files with category and date, counted through, or those of one", async () => {
		const { bench, run } = await openDesk();
		const last = 'Say "Remember that …" to add; /memory delete N, /memory edit [user] to change.';
		expect(await run("")).toBe(
			[
				".agent/MEMORY.md (project, 2 lines)",
				"  1. [fact, 2026-01-02] The port is 8099",
				"  2. a line of a person",
				"HOME/config/USER.md (user, 1 line)",
				"  3. [preference, 2026-01-05] Tabs",
				last,
			].join("\n"),
		);
		expect(await run("user")).toBe(
			["HOME/config/USER.md (user, 1 line)", "  3. [preference, 2026-01-05] Tabs", last].join("\n"),
		);
		await bench.close();
	});

	it("deletes the line of that number, or the one that is picked, and records it as the person's", async () => {
		const { bench, run, project, user, changes } = await openDesk({
			picked: "[preference, 2026-01-05] Tabs",
		});
		expect(await run("delete 2")).toBe("Forgotten in .agent/MEMORY.md: a line of a person");
		expect(project()).toBe(PROJECT.replace("- a line of a person\n", ""));
		expect(await run("delete")).toBe("Forgotten in HOME/config/USER.md: Tabs");
		expect(user()).toBe("");
		expect(changes()).toMatchObject([
			{ scope: "project", action: "removed", text: "a line of a person", by: "person" },
			{ scope: "user", action: "removed", text: "Tabs", by: "person" },
		]);
		expect(await run("delete 7")).toBe("Say a number from 1 to 1; /memory shows them.");
		await bench.close();
	});

	it("opens the project's file in the editor and writes what the person made of it", async () => {
		const { bench, run, project, changes } = await openDesk({
			edited: (text) => text.replace("8099", "9000"),
		});
		expect(await run("edit")).toBe("Written: .agent/MEMORY.md.");
		expect(project()).toBe(PROJECT.replace("8099", "9000"));
		expect(changes()).toMatchObject([{ action: "edited", by: "person" }]);
		await bench.close();
	});

	it("keeps what another process wrote while the editor was open", async () => {
		let write: () => void = () => undefined;
		const { bench, run, user } = await openDesk({
			edited: (text) => {
				write();
				return `${text}- [fact, 2026-11-29] mine\n`;
			},
		});
		write = () => writeFileSync(join(bench.home, "config", "USER.md"), `${USER}- theirs\n`);
		expect(await run("edit user")).toBe(
			"Written: HOME/config/USER.md. What another process wrote meanwhile was kept.",
		);
		expect(user()).toBe(`${USER}- [fact, 2026-11-29] mine\n- theirs\n`);
		await bench.close();
	});

	it("writes nothing where the text stays as it was, and no key", async () => {
		const { bench, run, changes } = await openDesk();
		expect(await run("edit")).toBe("Nothing was changed.");
		const keyed = await openDesk({ edited: (text) => `${text}ghp_abcdefghijklmnopqrstuvwxyz0123456789\n` });
		await expect(keyed.run("edit")).rejects.toThrow("looks like a password or key");
		expect(keyed.project()).toBe(PROJECT);
		expect([...changes(), ...keyed.changes()]).toEqual([]);
		await bench.close();
		await keyed.bench.close();
	});

	it("names its forms where it does not know the word", async () => {
		const { bench, run } = await openDesk();
		expect(await run("frobnicate")).toContain('does not know "frobnicate". Use /memory, /memory user,');
		await bench.close();
	});
});
