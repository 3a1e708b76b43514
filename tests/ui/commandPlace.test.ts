import { describe, expect, it } from "vitest";
import type { ApprovalPrompt, CommandConfinement } from "../../src/session/live.ts";
import { commandPlace } from "../../src/ui/commandPlace.ts";

function place(sandbox: CommandConfinement | undefined, cwd?: string): string | undefined {
	const prompt: ApprovalPrompt = {
		callId: "c",
		toolName: "runCommand",
		args: {},
		agent: "agi",
		reason: "",
		grantable: true,
		...(sandbox ? { sandbox } : {}),
		...(cwd === undefined ? {} : { cwd }),
	};
	return commandPlace(prompt);
}

describe("commandPlace", () => {
	it.each<[CommandConfinement, string]>([
		[
			{ level: "full", network: false, writable: true },
			"In /w · sandbox full, network off, writes only in the workspace and /tmp",
		],
		[
			{ level: "partial", network: true, writable: false },
			"In /w · sandbox partial, network on, writes only in /tmp",
		],
		[
			{ level: "none", network: true, writable: true },
			"In /w · no sandbox: it can read and write all that you can, network on",
		],
		[
			{ level: "full", network: true, writable: true, external: true },
			"In /w · agi confines nothing (--sandbox external): it can read and write all that you can here",
		],
	])("tells of %j where it runs and what it can reach", (sandbox, told) => {
		expect(place(sandbox, "/w")).toBe(told);
	});

	it("is nothing for what is no command", () => {
		expect(place(undefined)).toBeUndefined();
	});
});
