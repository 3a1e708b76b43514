import { expect, it } from "vitest";
import { diskCause } from "../../src/adapters/diskCause.ts";

it.each([
	[
		Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
		"the disk is full (ENOSPC)",
	],
	[Object.assign(new Error("EROFS: x"), { code: "EROFS" }), "the disk is read-only (EROFS)"],
	[
		Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" }),
		"EMFILE: too many open files",
	],
	[new Error("it broke"), "it broke"],
	["words", "words"],
])("puts %s into words", (cause, words) => {
	expect(diskCause(cause)).toBe(words);
});
