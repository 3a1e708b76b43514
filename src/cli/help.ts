// The help of the command line, drawn from the tables of `cliFlags.ts`: one plain screen each.

import { COMMANDS, type CommandName, FLAGS, type FlagSpec } from "./flags.ts";

/** The help of agi, or of one of its commands; ends with a newline. Plain text, no colours. */
export function helpText(command: CommandName = "run"): string {
	return `${(command === "run" ? runHelp() : commandHelp(command)).join("\n")}\n`;
}

function runHelp(): string[] {
	return [
		"agi [PROMPT]      talk with a coding agent in this folder",
		"agi -p PROMPT     answer one prompt and leave; the answer is on stdout",
		"agi COMMAND       (agi COMMAND --help tells more)",
		"",
		...columns(Object.entries(COMMANDS).map(([name, spec]) => [name, spec.does])),
		"",
		...columns(flagRows("run")),
		"",
		"Model and key: LLM_API_KEY, LLM_MODEL and LLM_BASE_URL, or your settings file (agi config path).",
	];
}

function commandHelp(command: Exclude<CommandName, "run">): string[] {
	const { does, actions } = COMMANDS[command];
	const forms = Object.entries(actions).map(([action, spec]) => [
		["agi", command, action, ...spec.takes].join(" "),
		spec.does,
	]);
	const head =
		forms.length === 0
			? [`agi ${command}: ${does}`]
			: [`agi ${command} ${"[PATH]" in actions ? "[PATH]" : "ACTION"}: ${does}`, "", ...columns(forms)];
	return [...head, "", ...columns(flagRows(command))];
}

function flagRows(command: CommandName): string[][] {
	return FLAGS.filter((flag) => flag.on.includes(command)).map((flag) => [
		flagForm(flag),
		flag.doesOn?.[command] ?? flag.does,
	]);
}

function flagForm(flag: FlagSpec): string {
	const short = flag.short === undefined ? "    " : `-${flag.short}, `;
	const value =
		flag.takes === "optional"
			? ` [${flag.placeholder}]`
			: flag.takes === "required"
				? ` ${flag.placeholder}`
				: "";
	return `${short}--${flag.name}${value}`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
	const width = Math.max(...rows.map((row) => row[0]?.length ?? 0));
	return rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`);
}
