// The judge of shell commands and code: what is refused in every mode, and what is asked about every time. It says
// nothing of what may run unasked.

import { readCode } from "./codeRisk.ts";
import { type Call, walkCommand } from "./commandWalk.ts";
import { type Denial, FORK_BOMB, hardDeny } from "./hardDenies.ts";
import { readInterpretation } from "./interpreters.ts";
import { neverRemember } from "./neverRemember.ts";
import type { CommandPlaces } from "./places.ts";

/** What is certain of a command; both members are absent for an ordinary one. */
export interface CommandRisk {
	/** It must not run, whoever says yes. */
	deny?: Denial;
	/** Why a yes to it holds only once, as a whole sentence. */
	neverRemember?: string;
}

/** Of a longer text only this much is walked; the rest is searched. */
const MAX_LENGTH = 50_000;

/** Judges a command as it would be given to bash. Never throws; a text it cannot read is unclear, never harmless. */
export function judgeCommand(command: string, places: CommandPlaces): CommandRisk {
	const risk: CommandRisk = {};
	let unclear: string | undefined;
	if (/[^\P{Cc}\n\t]|\p{Cf}/u.test(command)) unclear = "it holds characters that cannot be seen";
	if (command.length > MAX_LENGTH) unclear = "it is too long";
	// A carriage return ends no line for bash, but a line that one hides from the reader is judged all the same.
	const text = command.replace(/\r\n?/g, "\n");
	try {
		walkCommand(text.slice(0, MAX_LENGTH), places, {
			visitCall: (call) => judgeCall(call, places, risk),
			visitForkBomb: () => {
				risk.deny ??= FORK_BOMB;
			},
			visitUnclear: (reason) => {
				unclear ??= reason;
			},
		});
	} catch {
		unclear = "it is too entangled";
	}
	if (unclear !== undefined) {
		risk.neverRemember = `It cannot be judged: ${unclear}.`;
		const deny = risk.deny ?? searchText(command);
		if (deny) risk.deny = deny;
	}
	return risk;
}

/** Judges code of another language than shell, as far as commands and paths stand in it in plain sight. */
export function judgeCode(code: string, places: CommandPlaces): CommandRisk {
	const { commands, deleted, processFiles } = readCode(code.slice(0, MAX_LENGTH));
	const judged = [
		...commands,
		...deleted.map((path) => `rm -rf -- '${path.replaceAll("'", "")}'`),
		...processFiles.map((path) => `cat '${path}'`),
	];
	for (const command of judged) {
		const { deny } = judgeCommand(command, places);
		if (deny) return { deny };
	}
	return {};
}

function judgeCall(call: Call, places: CommandPlaces, risk: CommandRisk): void {
	const code = readInterpretation(call.name, call.args);
	const inCode = code?.language === "other" && code.code ? judgeCode(code.code.text, places).deny : undefined;
	const deny = risk.deny ?? hardDeny(call, places) ?? inCode;
	const once = risk.neverRemember ?? neverRemember(call);
	if (deny) risk.deny = deny;
	if (once) risk.neverRemember = once;
}

/** Where a command may begin in a text that has no readable structure. */
const BEGIN = String.raw`(?:^|[\n;&|({\x60]|\b(?:sudo|then|do|else)\s)[ \t]*`;
const ROOT = String.raw`["']?(?:\/|~\/?|\$HOME\/?|\$\{HOME\}\/?)\*?["']?(?=[\s;&|)\x60]|$)`;

const CLEAR_HITS: [RegExp, Denial][] = [
	[
		new RegExp(String.raw`${BEGIN}(?:\/\w+\/)*rm\s+(?:-[^\s]{1,40}\s+){1,6}${ROOT}`, "m"),
		{
			what: "it would delete the root or the home folder.",
			instead: "Name the single files or folders that should go.",
		},
	],
	[
		new RegExp(String.raw`${BEGIN}(?:mkfs(?:\.\w+)?\b|wipefs\b|dd\s+(?:if|of)=)`, "m"),
		{ what: "it would write over a disk.", instead: "Ask the person to do this by hand." },
	],
	[
		new RegExp(String.raw`${BEGIN}(?:curl|wget)\s[^\n;|]{0,500}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b`, "m"),
		{
			what: "it would run text from the network that nobody has read.",
			instead: "Save the download, read it, then run it.",
		},
	],
	[
		new RegExp(String.raw`${BEGIN}chmod\s+(?:-\w+\s+){0,3}0?777\b`, "m"),
		{
			what: "it would let everyone change the file.",
			instead: "Give only what is needed, such as mode 755 or 644.",
		},
	],
	[/:\s*\(\)\s*\{\s*:\s*\|\s*:/, FORK_BOMB],
];

/** The refusal of an unreadable text that plainly holds a command of the list. */
function searchText(text: string): Denial | undefined {
	return CLEAR_HITS.find(([pattern]) => pattern.test(text))?.[1];
}
