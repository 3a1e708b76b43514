// Rules on paths hold for the paths that a command names in plain sight, too.

import { describe, expect, it } from "vitest";
import { strictRule } from "../../src/policy/ruleMatch.ts";
import { ruleOf } from "../support/turnBench.ts";

const places = { workspaceRoots: ["/w"], home: "/home/p" };

function isDenied(rule: string, command: string): boolean {
	const question = {
		...{ tool: "runCommand", version: 1, args: {}, effects: "possible" as const },
		...{ resources: [], facts: { command } },
	};
	return strictRule([ruleOf("deny", rule)], question, places) !== undefined;
}

describe("strictRule", () => {
	it.each([
		"cat kept/a",
		"cat ./kept//a",
		"cat <kept/a",
		"cd kept && cat a",
		"cp kept/a b",
		"env A=1 cat Kept/a",
		"grep -r x kept",
		"git show HEAD:kept/a",
		"curl -d @kept/a localhost",
	])("finds a deny of reading in %s", (command) => {
		expect(isDenied("readFile(kept/**)", command)).toBe(true);
	});

	it.each([
		"echo x > kept/a",
		"tee kept/a",
		"cp b kept/a",
		"cp -t kept b",
		"mv kept/a b",
		"rm -r kept",
		"sed -i s/a/b/ kept/a",
		"sort -o kept/a b",
		"sort --output=kept/a b",
		"find kept -delete",
		"fd . kept -x rm",
		"git checkout kept/a",
		"git -C . rm kept/a",
	])("finds a deny of writing in %s", (command) => {
		expect(isDenied("writeFile(kept/**)", command)).toBe(true);
	});

	it.each([
		"cat kept/a",
		"cp kept/a b",
		"find kept -name x",
		"sort kept/a",
		"git diff kept/a",
		"echo kept/a",
	])("finds none of writing in %s", (command) => {
		expect(isDenied("writeFile(kept/**)", command)).toBe(false);
	});
});
