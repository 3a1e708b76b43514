// agi's tools, pretended: same name, description, schema and effects, and an answer that is given beforehand.

import { buildMockedTool, type MockTool } from "../../src/evals/mockTools.ts";

/** `readFile` that always finds this content. */
export function createMockReadFile(content: string): MockTool {
	return buildMockedTool("readFile", { mockReturn: content });
}

/** `writeFile` that says it wrote. */
export function createMockWriteFile(answer = "Successfully wrote 12 characters to notes.txt"): MockTool {
	return buildMockedTool("writeFile", { mockReturn: answer });
}

/** `listFiles` that always lists these names; one that ends in `/` is a folder. */
export function createMockListFiles(names: readonly string[]): MockTool {
	const lines = names.map((name) => (name.endsWith("/") ? `[dir] ${name.slice(0, -1)}` : `[file] ${name}`));
	return buildMockedTool("listFiles", { mockReturn: lines.join("\n") });
}

/** `deleteFile` that says it deleted. */
export function createMockDeleteFile(answer = "Successfully deleted notes.txt"): MockTool {
	return buildMockedTool("deleteFile", { mockReturn: answer });
}

/** `runCommand` that prints this, call after call. */
export function createMockShell(output: string | string[]): MockTool {
	return buildMockedTool("runCommand", { mockReturn: output });
}
