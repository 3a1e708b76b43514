// What the file tools cost in a request, and what they promise to recovery.

import { describe, expect, it } from "vitest";
import { deleteFile } from "../../../src/agent/tools/deleteFile.ts";
import { editFile } from "../../../src/agent/tools/editFile.ts";
import { findFiles } from "../../../src/agent/tools/findFiles.ts";
import { listFiles } from "../../../src/agent/tools/listFiles.ts";
import { readFile } from "../../../src/agent/tools/readFile.ts";
import { toolSchema } from "../../../src/agent/tools/schemas.ts";
import { searchFiles } from "../../../src/agent/tools/searchFiles.ts";
import { writeFile } from "../../../src/agent/tools/writeFile.ts";

const READING = [readFile, listFiles, findFiles, searchFiles];
const WRITING = [writeFile, editFile, deleteFile];

describe("file tools", () => {
	it.each([...READING, ...WRITING])("$name costs less than 450 bytes in a request", (tool) => {
		expect(Buffer.byteLength(JSON.stringify(toolSchema(tool as never)))).toBeLessThanOrEqual(450);
	});

	it.each(READING)("$name has no effects", (tool) => {
		expect([tool.effects, tool.recovery]).toEqual(["none", "none"]);
	});

	it.each(WRITING)("$name may be reconciled after a crash", (tool) => {
		expect([tool.effects, tool.recovery]).toEqual(["possible", "reconcile"]);
	});
});
