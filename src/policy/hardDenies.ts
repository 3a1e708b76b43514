// What no mode and no yes lets a command do. One rule a function, each on one call; a rule answers only where it is
// sure, for its answer cannot be overruled. Patterns catch accidents, they are no boundary against malice.

import type { Call } from "./commandWalk.ts";
import { readFind } from "./findCommand.ts";
import { readInterpretation } from "./interpreters.ts";
import { absolutePath, type CommandPlaces, UNKNOWN, type VitalFolder, vitalFolder } from "./places.ts";
import type { Field } from "./shellWords.ts";

/** Why a command is refused, and what to do instead; both are whole sentences without "Command blocked". */
export interface Denial {
	what: string;
	instead: string;
}

/** The refusal that a fork bomb gets. */
export const FORK_BOMB: Denial = {
	what: "this is a fork bomb, a function that starts itself again and again until the machine stands still.",
	instead: "Start the processes you need one by one, or with a fixed number such as `xargs -P 4`.",
};

type Rule = (call: Call, places: CommandPlaces) => Denial | undefined;

const RULES: Rule[] = [
	denyDeletion,
	denyFind,
	denyModeOrOwner,
	denyMove,
	denyFormatting,
	denyRedirect,
	denyRunOfDownload,
	denyShutdown,
	denyKill,
	denyProcessMemory,
	denyOwnFiles,
];

/** The refusal of one call; undefined where nothing is certain. */
export function hardDeny(call: Call, places: CommandPlaces): Denial | undefined {
	for (const rule of RULES) {
		const denial = rule(call, places);
		if (denial) return denial;
	}
	return undefined;
}

function denyDeletion(call: Call, places: CommandPlaces): Denial | undefined {
	if (call.name !== "rm") return undefined;
	if (call.args.some((arg) => arg.text === "--no-preserve-root")) {
		return {
			what: "`--no-preserve-root` switches off rm's own guard of the root folder.",
			instead: "Leave it out and name the single files or folders that should go.",
		};
	}
	if (!call.overTree && !hasFlag(call.args, /[rR]/, /^--r(e(c(u.*)?)?)?$/)) return undefined;
	const vital = firstVital(operands(call.args), call, places);
	return vital && deletionOf(vital);
}

function denyFind(call: Call, places: CommandPlaces): Denial | undefined {
	if (call.name !== "find") return undefined;
	const { starts, narrowed, deletes } = readFind(call.args);
	if (narrowed || !deletes) return undefined;
	const vital = firstVital(starts, call, places);
	return vital && deletionOf(vital);
}

function deletionOf(vital: VitalFolder): Denial {
	return {
		what: `it would delete ${vital.contents ? "everything in " : ""}${vital.label}.`,
		instead: "Name the single files or subfolders that should go.",
	};
}

function denyModeOrOwner(call: Call, places: CommandPlaces): Denial | undefined {
	if (!/^(chmod|chown|chgrp)$/.test(call.name)) return undefined;
	const [mode, ...paths] = operands(call.args);
	if (call.name === "chmod" && mode && opensToAll(mode.text)) {
		return {
			what: `\`chmod ${mode.text}\` lets everyone on this machine change the file.`,
			instead: "Give only what is needed, such as `chmod u+x FILE` or mode 755 or 644.",
		};
	}
	if (!hasFlag(call.args, /R/, /^--rec(u.*)?$/) && !call.overTree) return undefined;
	const vital = firstVital(paths, call, places);
	if (!vital || (vital.kind === "workspace" && vital.contents)) return undefined;
	return {
		what: `it would change the rights or the owner of everything in ${vital.label}.`,
		instead: "Name the single files or subfolders that need it.",
	};
}

function opensToAll(mode: string): boolean {
	if (/^0*[0246]?777$/.test(mode)) return true;
	return mode
		.split(",")
		.some(
			(clause) =>
				/^[ug]*[ao][ugoa]*[+=]/.test(clause) && ["r", "w", "x"].every((bit) => clause.includes(bit)),
		);
}

function denyMove(call: Call, places: CommandPlaces): Denial | undefined {
	if (call.name !== "mv") return undefined;
	const hasTarget = call.args.some((arg) => /^(-t|--target-directory)/.test(arg.text));
	const paths = operands(call.args);
	const vital = firstVital(hasTarget ? paths : paths.slice(0, -1), call, places);
	if (!vital || (vital.kind === "workspace" && vital.contents)) return undefined;
	return {
		what: `it would move ${vital.contents ? "everything in " : ""}${vital.label} away.`,
		instead: "Name the single files or subfolders to move.",
	};
}

function denyFormatting(call: Call): Denial | undefined {
	if (/^(mkfs(\..+)?|mke2fs|mkswap|newfs|wipefs|blkdiscard)$/.test(call.name)) {
		return {
			what: `\`${call.name}\` erases a whole file system or disk.`,
			instead: "Ask the person to do this by hand.",
		};
	}
	if (
		call.name === "dd" &&
		call.args.some((arg) => /^(if=|of=\/dev\/)/.test(arg.text) && !isOutput(arg.text))
	) {
		return {
			what: "`dd` copies raw blocks and can overwrite a disk.",
			instead: "Use `cp`, `head -c SIZE FILE` or `truncate -s SIZE FILE` for files.",
		};
	}
	return undefined;
}

function isOutput(operand: string): boolean {
	return operand.startsWith("of=") && isHarmlessDevice(operand.slice("of=".length));
}

function denyRedirect(call: Call): Denial | undefined {
	const written = call.redirects.filter((redirect) => redirect.writes).map((redirect) => redirect.target);
	if (call.name === "tee" || call.name === "shred") written.push(...operands(call.args));
	for (const field of written) {
		const path = absolutePath(field.text, call.cwd);
		if (!path || field.sink || isHarmlessDevice(path)) continue;
		if (!/^(\/private)?\/(etc|dev)(\/|$)/.test(path)) continue;
		return {
			what: `it would write to ${shown(path)}, which belongs to the system.`,
			instead: "Write the text to a file in the workspace and let the person put it in place.",
		};
	}
	return undefined;
}

function isHarmlessDevice(path: string): boolean {
	return /^\/dev\/(null|zero|full|stdin|stdout|stderr|tty|fd\/\d+|shm\/.+)$/.test(path);
}

function denyRunOfDownload(call: Call): Denial | undefined {
	if (!runsDownload(call)) return undefined;
	return {
		what: "it would run text from the network that nobody has read.",
		instead: "Save the download to a file, read it, then run the file as a step of its own.",
	};
}

function runsDownload(call: Call): boolean {
	const { name, args, stdin } = call;
	if (call.argv[0]?.fetched) return true;
	if (name === "eval" || name === "trap") return args.some((arg) => arg.fetched);
	if (name === "source" || name === ".") {
		return args[0]?.file?.fetched === true || (args[0]?.text === "/dev/stdin" && stdin.fetched);
	}
	const run = readInterpretation(name, args);
	if (!run) return false;
	if (run.code) return run.code.fetched || (stdin.fetched && runsItsInput(run.code.text));
	if (run.file) return run.file.fetched || run.file.file?.fetched === true;
	return run.fromStdin && stdin.fetched;
}

/** Whether code of another language seems to run what it reads. */
function runsItsInput(code: string): boolean {
	return (
		/\b(exec|eval|system|popen|spawn|Function)\b/.test(code) && /\b(stdin|input|STDIN|open)\b|<>/.test(code)
	);
}

function denyShutdown(call: Call): Denial | undefined {
	const first = operands(call.args)[0]?.text ?? "";
	const stops =
		/^(shutdown|reboot|halt|poweroff)$/.test(call.name) ||
		(/^(init|telinit)$/.test(call.name) && /^[016]$/.test(first)) ||
		(call.name === "systemctl" && /^(poweroff|reboot|halt|kexec|rescue|emergency|soft-reboot)$/.test(first));
	if (!stops) return undefined;
	return { what: "it would stop or restart this machine.", instead: "Ask the person to do this by hand." };
}

function denyKill(call: Call, places: CommandPlaces): Denial | undefined {
	if (
		/^(pkill|killall)$/.test(call.name) &&
		operands(call.args).some((arg) => /^(agi|node)$/.test(arg.text))
	) {
		return {
			what: `\`${call.name}\` by this name would end agi itself, which runs on node.`,
			instead: "End single processes by their id; `pgrep -af node` lists them.",
		};
	}
	if (call.name !== "kill" || !killTargets(call.args).some((pid) => endsEverything(pid, places)))
		return undefined;
	return {
		what: "it would end agi itself or every process of this person.",
		instead: "End single processes by their id.",
	};
}

function endsEverything(pid: string, { agiPid }: CommandPlaces): boolean {
	return pid === "-1" || (agiPid !== undefined && (pid === String(agiPid) || pid === String(-agiPid)));
}

/** The process ids of `kill`: what is left behind the signal. `kill -1` alone is taken for all processes. */
function killTargets(args: Field[]): string[] {
	const words = args.map((arg) => arg.text);
	if (words.length === 1) return words;
	if (words[0] === "-s" || words[0] === "-n") return words.slice(2).filter((word) => word !== "--");
	return (words[0]?.startsWith("-") ? words.slice(1) : words).filter((word) => word !== "--");
}

function denyProcessMemory(call: Call): Denial | undefined {
	if (call.name === "echo" || call.name === "printf") return undefined;
	const read = [...call.args, ...call.redirects.map((redirect) => redirect.target)];
	const secret = read.find((field) => readsProcess(field.text, call.cwd));
	return secret && processSecretDenial(shown(secret.text));
}

function readsProcess(text: string, cwd: string | undefined): boolean {
	const path = absolutePath(text.replace(/^(@|-[^=/]*=|[a-z]+=)/, ""), cwd);
	return path !== undefined && isProcessSecret(path);
}

/** Whether an absolute path is the memory or the environment of a process, agi's own maybe. */
export function isProcessSecret(path: string): boolean {
	return /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem)$/.test(path);
}

/** The refusal for such a file, from commands and file tools alike. */
export function processSecretDenial(path: string): Denial {
	return {
		what: `${path} holds the memory or the secrets of a running process.`,
		instead: "Ask the person for the one value you need, or read it from `printenv NAME`.",
	};
}

const WRITERS = /^(rm|mv|cp|tee|ln|install|truncate|shred|chmod|chown|sed|dd|rsync|unlink|rmdir)$/;

function denyOwnFiles(call: Call, places: CommandPlaces): Denial | undefined {
	const own = places.agiFolders;
	if (!own) return undefined;
	const touched = [
		...call.args.map((field) => ({ field, writes: WRITERS.test(call.name) })),
		...call.redirects.map((redirect) => ({ field: redirect.target, writes: redirect.writes })),
	];
	for (const { field, writes } of touched) {
		const path = absolutePath(field.text.replace(/^[a-z]+=/, ""), call.cwd);
		if (path && touchesOwnFile(path, writes, own)) return OWN_FILE_DENIAL;
	}
	return undefined;
}

/** The refusal for agi's own files, from commands and file tools alike. */
export const OWN_FILE_DENIAL: Denial = {
	what: "agi's own credentials, settings and session logs are not for the model.",
	instead: "Ask the person to look or to change them, for example with `agi config`.",
};

/** Whether an absolute path is one of agi's files that a model may not read (credentials) or change. */
export function touchesOwnFile(
	path: string,
	writes: boolean,
	own: { config: string; data: string },
): boolean {
	if (path === `${own.config}/credentials.json`) return true;
	if (!writes) return false;
	const isSettings = path === own.config || path === `${own.config}/settings.json`;
	return isSettings || path === own.data || path.startsWith(`${own.data}/`);
}

function firstVital(fields: Field[], call: Call, places: CommandPlaces): VitalFolder | undefined {
	for (const field of fields) {
		const path = absolutePath(field.text, call.cwd);
		const vital = path === undefined ? undefined : vitalFolder(path, places);
		if (vital) return vital;
	}
	return undefined;
}

/** Arguments that are no options; all of them behind `--`. */
function operands(args: Field[]): Field[] {
	const end = args.findIndex((arg) => arg.text === "--");
	const before = end < 0 ? args : args.slice(0, end);
	const after = end < 0 ? [] : args.slice(end + 1);
	return [...before.filter((arg) => !/^-./.test(arg.text)), ...after];
}

function hasFlag(args: Field[], letter: RegExp, long: RegExp): boolean {
	const end = args.findIndex((arg) => arg.text === "--");
	return (end < 0 ? args : args.slice(0, end)).some(
		({ text }) => (/^-[a-zA-Z]+$/.test(text) && letter.test(text)) || long.test(text),
	);
}

function shown(text: string): string {
	return text.replaceAll(UNKNOWN, "…");
}
