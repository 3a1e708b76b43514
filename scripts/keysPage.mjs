// Writes docs/keys.md from the key table and the command table of the program. Run it after every change there:
// node scripts/keysPage.mjs (needs a Node that strips types, 22.18 or newer). A test compares the two.

import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chordLabel, KEY_BINDINGS } from "../src/ui/input/keymap.ts";
import { SLASH_COMMANDS } from "../src/ui/input/slashCommands.ts";

const PLACES = [
	["The prompt line", "editor"],
	["A list below the prompt line", "completion"],
	["A question", "choice"],
	["A text field of a question", "field"],
	["A list with a search", "picker"],
	["The search in earlier messages (Ctrl+R)", "historySearch"],
	["The queue of messages (Alt+Q)", "queue"],
];
const WHEN = {
	working: "while agi works",
	asks: "while a question waits behind a draft",
	parts: "where a change has several parts",
	amends: "where a file's text is proposed",
};

const screenOnly = SLASH_COMMANDS.filter(({ withoutScreen }) => withoutScreen !== undefined);
const WITHOUT_LINES = screenOnly
	.map(({ name }) => `\`/${name}\``)
	.join(", ")
	.replace(/, (?=[^,]*$)/, " and ");

/** The page. */
export function keysPage() {
	const parts = PLACES.map(([title, focus]) => `## ${title}\n\n${keyTable(focus)}`);
	return `# Keys and commands

The screen shows the keys at \`?\` on an empty line. Keys typed before a question opened, keys of its first half second, and pasted text never answer it: they go to the prompt line.

${parts.join("\n\n")}

The editing keys of the prompt line hold in every text field, Ctrl+O, Ctrl+T, Ctrl+L and Ctrl+Z everywhere. Ctrl+Enter and Shift+Enter reach agi only from terminals that tell them from Enter; \`\\\` and Enter works everywhere.

## Commands

| Command | Does |
|---|---|
${SLASH_COMMANDS.map(commandRow).join("\n")}

A mistyped command is not sent to the model: what was meant is suggested. \`//\` begins a message with a slash. Where agi talks line by line, commands ask with numbered lists, and a line answers; ${WITHOUT_LINES} need the screen, and so does a text editor.

## Other beginnings

| You type | What happens |
|---|---|
| \`!command\` | your own command runs, with your rights and unasked; the model reads its output with your next message |
| \`@\` and letters | a list of the project's files and folders, without what git ignores; Tab takes one, and its text [comes along](mentions.md) |
| \`@session:\` | a list of this project's earlier sessions |
| \`/NAME words\` | starts a [skill](skills.md) |
| \`approve\` after a plan | the plan is stored and the work starts, see [modes](modes.md#approving-a-plan) |
| \`e\` after a plan | the plan opens in \`$VISUAL\` or \`$EDITOR\` first; what you leave there is the plan |
| \`exit\` or \`quit\` | agi ends |
| Enter on an empty line | messages that wait are sent; after a crash or a kill, the interrupted work goes on |
`;
}

function keyTable(focus) {
	const isElsewhere = ({ in: places }) => focus !== "editor" && places.includes("editor");
	const rows = KEY_BINDINGS.filter(
		(binding) => binding.in.includes(focus) && binding.does !== "" && !isElsewhere(binding),
	).map(({ chords, does, when }) => {
		const note = WHEN[when] === undefined ? "" : ` (${WHEN[when]})`;
		const keys = chords[0] === "1" ? ["1 to 9"] : chords.map(chordLabel);
		return `| ${keys.map(code).join(", ")} | ${does}${note} |`;
	});
	return ["| Key | Does |", "|---|---|", ...rows].join("\n");
}

function commandRow({ name, aliases, argument, does }) {
	const also = aliases.length === 0 ? "" : `; also ${aliases.map((alias) => code(`/${alias}`)).join(", ")}`;
	return `| ${code(`/${name}${argument === "" ? "" : ` ${argument}`}`)} | ${does}${also} |`;
}

function code(text) {
	return `\`${text.replaceAll("|", "\\|")}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
	await writeFile(new URL("../docs/keys.md", import.meta.url), keysPage());
