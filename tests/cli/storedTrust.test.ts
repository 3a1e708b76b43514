// The commands beside the conversation know the folders that a person trusts, as the conversation does.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { storeTrust } from "../../src/adapters/trustStore.ts";
import { type CommandLine, parseArguments } from "../../src/cli/arguments.ts";
import { configCommand } from "../../src/cli/config.ts";
import { doctorCommand } from "../../src/cli/doctor.ts";
import { modelsCommand } from "../../src/cli/models.ts";
import { permissionsCommand } from "../../src/cli/permissions.ts";
import { type Desk, openDesk } from "../support/recordedSession.ts";

let desk: Desk;
beforeEach(() => {
	desk = openDesk();
	mkdirSync(join(desk.project, ".agent"));
	writeFileSync(join(desk.project, ".agent", "settings.json"), '{"permissions": {"ask": ["webFetch"]}}');
});
afterEach(() => desk.remove());

const trust = () => storeTrust(join(desk.home, "data"), desk.project, "2026-01-01T00:00:00.000Z");

const COMMANDS: [name: string, run: () => Promise<unknown>][] = [
	["config list", () => configCommand(read("config", "list"), desk.around)],
	["models", () => modelsCommand(read("models"), desk.around)],
	["doctor", () => doctorCommand(read("doctor"), desk.around, [])],
	["permissions list", () => permissionsCommand(read("permissions"), desk.around)],
];

function read<C extends "config" | "models" | "doctor" | "permissions">(
	...words: [C, ...string[]]
): CommandLine<C> {
	return parseArguments(words) as CommandLine<C>;
}

describe.each(COMMANDS)("agi %s", (_, run) => {
	it("reads the project's settings where the folder's trust is stored, and else says that it does not", async () => {
		await run();
		const before = desk.taken();
		expect(before.out + before.err).toContain("this folder is not trusted");
		trust();
		await run();
		const after = desk.taken();
		expect(after.out + after.err).not.toContain("is not trusted");
	});
});
