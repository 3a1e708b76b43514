// /memory: what is kept over sessions, with file and date; a line deleted, a file edited in the person's editor.

import type { MemoryFileView, MemoryLineView } from "../session/memoryView.ts";
import type { MemoryScope } from "../types.ts";
import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { countOf } from "./view/format.ts";

/** Shows, deletes or edits; `argument` as `/help` tells it. */
export async function memory(desk: CommandDesk, argument: string): Promise<void> {
	const [action = "", ...rest] = argument.split(/\s+/);
	switch (action) {
		case "":
		case "user":
		case "project":
			return print(desk, memoryText(await obtain(desk, { do: "memory" }), action || undefined));
		case "edit":
			return edit(desk, rest[0] === "user" ? "user" : "project");
		case "delete":
			return remove(desk, rest[0] ?? "");
		default:
			return print(
				desk,
				`/memory does not know "${action}". Use /memory, /memory user, /memory edit, /memory edit user or /memory delete N.`,
				"warning",
			);
	}
}

/** The lines of the files, counted through; `only` one of them. */
export function memoryText(files: readonly MemoryFileView[], only?: string): string {
	let number = 0;
	const parts = files.flatMap(({ scope, path, lines, problem }) => {
		const listed = lines.map((line) => `  ${++number}. ${lineText(line)}`);
		if (only !== undefined && only !== scope) return [];
		if (problem !== undefined) return [problem];
		if (lines.length === 0) return [`${path}: nothing yet`];
		return [`${path} (${scope}, ${countOf(lines.length, "line")})`, ...listed];
	});
	if (parts.length === 0) return "This folder is no project of its own, so it has no memory.";
	return [...parts, 'Say "Remember that …" to add; /memory delete N, /memory edit [user] to change.'].join(
		"\n",
	);
}

function lineText({ words, category, createdAt }: MemoryLineView): string {
	const head = category === undefined ? "" : `[${category}, ${createdAt}] `;
	return `${head}${words}`;
}

async function remove(desk: CommandDesk, which: string): Promise<void> {
	const files = await obtain(desk, { do: "memory" });
	const all = files.flatMap(({ scope, lines }) => lines.map((line) => ({ scope, line })));
	if (all.length === 0) return print(desk, "Nothing is remembered.", "dim");
	const number = which === "" ? await pickNumber(desk, all) : Number(which);
	if (number === undefined) return;
	const chosen = all[number - 1];
	if (!chosen) return print(desk, `Say a number from 1 to ${all.length}; /memory shows them.`, "warning");
	const { words } = chosen.line;
	const { path } = await obtain(desk, { do: "forgetMemory", scope: chosen.scope, words });
	print(desk, `Forgotten in ${path}: ${words}`, "dim");
}

async function pickNumber(
	desk: CommandDesk,
	all: readonly { line: MemoryLineView }[],
): Promise<number | undefined> {
	const items = all.map(({ line }, index) => ({ id: `${index + 1}`, label: lineText(line) }));
	const picked = await desk.questions.pick("Forget", items);
	return picked && Number(picked.id);
}

async function edit(desk: CommandDesk, scope: MemoryScope): Promise<void> {
	const files = await obtain(desk, { do: "memory" });
	const file = files.find((one) => one.scope === scope);
	if (!file) return print(desk, "This folder is no project of its own; use /memory edit user.", "warning");
	if (file.problem !== undefined) return print(desk, file.problem, "warning");
	const after = await desk.outside.editText(file.text);
	if (after === file.text) return print(desk, "Nothing was changed.", "dim");
	const { path, merged } = await obtain(desk, { do: "editMemory", scope, before: file.text, after });
	const also = merged ? " What another process wrote meanwhile was kept." : "";
	print(desk, `Written: ${path}.${also}`, "dim");
}
