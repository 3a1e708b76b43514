import { describe, expect, it } from "vitest";
import type { RewindPlan } from "../../src/session/rewindPlan.ts";
import type { CommandDesk } from "../../src/ui/commandDesk.ts";
import { redo } from "../../src/ui/rewinding.ts";

/** What /redo prints and asks of a plan. */
async function shown(plan: RewindPlan): Promise<{ printed: string[]; asked: string[] }> {
	const printed: string[] = [];
	const asked: string[] = [];
	const desk = {
		client: { send: async () => ({ ok: true, value: plan }) },
		questions: {
			ask: async (_: string, { options }: { options: string[] }) => {
				asked.push(...options);
				return undefined;
			},
		},
		show: (event: { text?: string }) => void printed.push(event.text ?? ""),
	} as unknown as CommandDesk;
	await redo(desk);
	return { printed, asked };
}

describe("the plan of a rewind", () => {
	it("counts what would change, and lists apart what cannot be put back", async () => {
		const tooLarge = "it is larger than 2 MB";
		const { printed, asked } = await shown({
			paths: [
				{ path: "big.bin", change: "restore", impossible: tooLarge, conflict: "it has changed since" },
				{ path: "big2.bin", change: "create", impossible: tooLarge },
				{ path: "small.txt", change: "remove" },
			],
			notes: [],
		});
		expect(printed[0]?.split("\n")).toEqual([
			"1 file would change:",
			"- small.txt",
			"Cannot be put back:",
			"  big.bin: it is larger than 2 MB",
			"  big2.bin: it is larger than 2 MB",
		]);
		expect(asked).toEqual(["Bring it back", "Leave everything as it is"]);
	});
});
