// Turns the words of the command line into one command, or into a sentence about what is wrong with them.
// Pure: it reads no file and no environment, prints nothing and never ends the program.

import { EFFECTS, type Effect } from "../policy/effects.ts";
import { nearestWord } from "../settings/spelling.ts";
import { COMMANDS, type CommandName, FLAGS, type FlagSpec } from "./flags.ts";
import { defined, Mistake, oneOf, type ParsedFlags, readFlags, wholeNumber } from "./flagValues.ts";

/** How a headless answer is written. */
export type OutputFormat = "text" | "json" | "stream-json";

/** Which session a start goes on with. `fork` leaves the old one as it is; `at` is the Step with which the copy ends. */
export type SessionChoice =
	| { kind: "new" }
	| { kind: "newest"; fork: boolean; at?: string }
	| { kind: "resume"; id?: string; fork: boolean; at?: string };

/** What the command line asks for. */
export type ParsedArguments =
	| { command: "help"; topic: CommandName }
	| { command: "version" }
	| { command: "interactive"; prompt?: string; session: SessionChoice; flags: ParsedFlags }
	| {
			command: "print";
			/** Absent: the prompt is what stdin holds. */
			prompt?: string;
			session: SessionChoice;
			outputFormat: OutputFormat;
			includePartialMessages: boolean;
			flags: ParsedFlags;
	  }
	| { command: "setup"; flags: ParsedFlags }
	| { command: "stats"; all: boolean; json: boolean; flags: ParsedFlags }
	| { command: "eval"; action: "init"; json: boolean; flags: ParsedFlags }
	| ({ command: "eval"; action: "run"; json: boolean; flags: ParsedFlags } & EvalChoices)
	| { command: "sandbox"; argv: [string, ...string[]]; flags: ParsedFlags }
	| ({ command: "sessions"; json: boolean; flags: ParsedFlags } & SessionsAction)
	| ({ command: "permissions"; json: boolean; flags: ParsedFlags } & PermissionsAction)
	| { command: "models" | "doctor"; json: boolean; flags: ParsedFlags }
	| { command: "config"; action: "list" | "path"; json: boolean; flags: ParsedFlags }
	| { command: "config"; action: "get"; key: string; json: boolean; flags: ParsedFlags }
	| { command: "config"; action: "set"; key: string; value: string; json: boolean; flags: ParsedFlags };

/** What `agi eval` runs and how; runs are named by their ids. */
export interface EvalChoices {
	path?: string;
	repeats?: number;
	concurrency?: number;
	seed?: number;
	resume?: string;
	compare?: string;
}

/** What `agi sessions` is to do. */
export type SessionsAction =
	| { action: "list"; all: boolean }
	| { action: "search"; query: string; all: boolean }
	| { action: "show"; id: string }
	| { action: "rename"; id: string; title: string }
	/** `at` is the id of a Step, or its number alone. */
	| { action: "fork"; id: string; at?: string }
	/** Without `file`, to stdout. */
	| { action: "export"; id: string; format: ExportFormat; file?: string }
	| { action: "trace"; id: string; otlp: boolean }
	| { action: "to-eval"; id: string }
	| { action: "replay"; id: string }
	| { action: "rm"; id: string; yes: boolean }
	| { action: "check"; id?: string }
	| { action: "request"; id: string; attempt: number };

/** What `agi permissions` is to do. */
export type PermissionsAction =
	| { action: "list" | "why" | "import" }
	| { action: "add"; effect: Effect; rule: string }
	| { action: "remove"; rule: string }
	| { action: "test"; tested: string };

/** How a session is written out. */
export type ExportFormat = "markdown" | "json" | "html";

/** The arguments of one command. */
export type CommandLine<C extends ParsedArguments["command"]> = Extract<ParsedArguments, { command: C }>;

/** A command line that cannot be followed. `message` says what is wrong and what to write instead. */
export interface UsageError {
	command: "usage";
	message: string;
	exitCode: 2;
}

/** What stands on the command line, unread: the values of each flag by name, and the words that are no flags. */
interface Words {
	flags: Map<string, string[]>;
	plain: string[];
	/** How many of `plain` stand before `--`: only these can name a command. */
	beforeDashes: number;
}

/** Reads the arguments after the program's name. Never throws. */
export function parseArguments(argv: readonly string[]): ParsedArguments | UsageError {
	try {
		const words = splitWords(argv);
		const command = commandOf(words);
		if (words.flags.has("help")) return { command: "help", topic: command };
		if (words.flags.has("version")) return { command: "version" };
		for (const name of words.flags.keys()) refuseForeignFlag(name, command);
		return command === "run" ? runCommand(words) : subcommand(command, words);
	} catch (mistake) {
		if (!(mistake instanceof Mistake)) throw mistake;
		return { command: "usage", message: mistake.message, exitCode: 2 };
	}
}

function splitWords(argv: readonly string[]): Words {
	const words: Words = { flags: new Map(), plain: [], beforeDashes: 0 };
	let at = 0;
	while (at < argv.length && argv[at] !== "--") {
		const word = argv[at++]!;
		if (!word.startsWith("-") || word === "-") {
			words.plain.push(word);
			continue;
		}
		const equals = word.indexOf("=");
		const written = equals < 0 ? word : word.slice(0, equals);
		const flag = flagNamed(written);
		const given = equals < 0 ? undefined : word.slice(equals + 1);
		const taken = given ?? valueFrom(argv[at], flag);
		if (given === undefined && taken !== undefined) at++;
		if (given !== undefined && flag.takes === "none") throw new Mistake(`${written} takes no value.`);
		if (taken === undefined && flag.takes === "required") {
			throw new Mistake(`${written} needs a value: ${written} ${flag.placeholder}.`);
		}
		const before = words.flags.get(flag.name) ?? [];
		words.flags.set(flag.name, taken === undefined ? before : [...before, taken]);
	}
	words.beforeDashes = words.plain.length;
	words.plain.push(...argv.slice(at + 1));
	return words;
}

function flagNamed(written: string): FlagSpec {
	const flag = FLAGS.find(({ name, short }) => written === `--${name}` || (short && written === `-${short}`));
	if (flag !== undefined) return flag;
	const name = written.replace(/^-+/, "");
	const near = nearestWord(
		name,
		FLAGS.map((known) => known.name),
	);
	const way = near === undefined ? "agi --help lists all flags" : `Did you mean --${near}`;
	const mark = near === undefined ? "." : "?";
	const asPrompt = /\s/.test(written) ? " A prompt that begins with a dash goes after --." : "";
	throw new Mistake(`Unknown flag ${written}. ${way}${mark}${asPrompt}`);
}

/** The next word where the flag takes it. A required value may begin with one dash, such as a number below zero. */
function valueFrom(next: string | undefined, flag: FlagSpec): string | undefined {
	if (next === undefined || flag.takes === "none") return undefined;
	if (flag.takes === "optional") {
		// A session id has no blanks: what has some is the prompt.
		const isPrompt = flag.name === "resume" && /\s/.test(next);
		return next.startsWith("-") || isPrompt ? undefined : next;
	}
	const isFlag = next.startsWith("--") || FLAGS.some(({ short }) => short && next === `-${short}`);
	return isFlag ? undefined : next;
}

function commandOf(words: Words): CommandName {
	const first = words.beforeDashes > 0 ? words.plain[0] : undefined;
	if (first === undefined || words.flags.has("print")) return "run";
	if (isCommand(first)) return first;
	const near = nearestWord(first, Object.keys(COMMANDS));
	if (near === undefined) return "run";
	throw new Mistake(
		`Unknown command ${first}. Did you mean ${near}? To ask it as a prompt: agi -- "${first}"`,
	);
}

function isCommand(word: string): word is Exclude<CommandName, "run"> {
	return Object.hasOwn(COMMANDS, word);
}

function refuseForeignFlag(name: string, command: CommandName): void {
	if (FLAGS.find((flag) => flag.name === name)?.on.includes(command)) return;
	const where =
		command === "run" ? "goes only with a command such as agi doctor" : `does not go with agi ${command}`;
	throw new Mistake(
		`--${name} ${where}. ${command === "run" ? "agi" : `agi ${command}`} --help lists its flags.`,
	);
}

function runCommand(words: Words): ParsedArguments {
	const { flags: given, plain } = words;
	const prompts = [...(given.get("print") ?? []), ...plain];
	if (prompts.length > 1)
		throw new Mistake(`There are ${prompts.length} prompts. Put a prompt of several words in quotes.`);
	const prompt = prompts[0] === undefined || prompts[0].trim() === "" ? {} : { prompt: prompts[0] };
	const session = sessionChoice(given);
	const flags = readFlags(given);
	if (flags.ephemeral && session.kind !== "new") {
		throw new Mistake("--ephemeral keeps no log, so it cannot go with -c or -r. Leave one of them out.");
	}
	const outputFormat = oneOf("output-format", given, ["text", "json", "stream-json"] as const);
	const includePartialMessages = given.has("include-partial-messages");
	if (given.has("print")) {
		if (includePartialMessages && outputFormat !== "stream-json") {
			throw new Mistake("--include-partial-messages needs --output-format stream-json.");
		}
		const form = { outputFormat: outputFormat ?? "text", includePartialMessages };
		return { command: "print", ...prompt, session, ...form, flags };
	}
	for (const name of ["output-format", "include-partial-messages"]) {
		if (given.has(name)) throw new Mistake(`--${name} works only with -p.`);
	}
	return { command: "interactive", ...prompt, session, flags };
}

function sessionChoice(given: Words["flags"]): SessionChoice {
	const fork = given.has("fork-session");
	const copy = { fork, ...defined("at", chosenStep(given)) };
	const newest = given.has("continue");
	const resume = given.get("resume");
	if (newest && resume !== undefined)
		throw new Mistake("-c and -r both choose a session. Leave one of them out.");
	if (copy.at !== undefined && !fork)
		throw new Mistake("--at says where a copy ends: it needs --fork-session, and -c or -r ID.");
	if (newest) return { kind: "newest", ...copy };
	if (resume !== undefined) {
		const id = resume.at(-1);
		return id === undefined || id === "" ? { kind: "resume", ...copy } : { kind: "resume", id, ...copy };
	}
	if (fork) throw new Mistake("--fork-session needs the session to copy: add -c or -r ID.");
	return { kind: "new" };
}

function subcommand(command: Exclude<CommandName, "run">, words: Words): ParsedArguments {
	const json = words.flags.has("json");
	const flags = readFlags(words.flags);
	const { actions } = COMMANDS[command];
	const rest = words.plain.slice(1);
	if (command === "sandbox") {
		const [file, ...args] = rest;
		if (file === undefined) throw new Mistake("CMD is missing: agi sandbox -- CMD.");
		return { command, argv: [file, ...args], flags };
	}
	if (command === "stats") {
		refuseExtra("agi stats", rest, 0);
		return { command, all: words.flags.has("all"), json, flags };
	}
	if (command === "eval") return evalCommand(words, rest, json, flags);
	if (command === "setup" || command === "models" || command === "doctor") {
		refuseExtra(`agi ${command}`, rest, 0);
		return command === "setup" ? { command, flags } : { command, json, flags };
	}
	const action = rest[0] ?? (command === "permissions" ? "list" : undefined);
	if (action === undefined || !Object.hasOwn(actions, action))
		throw new Mistake(unknownAction(command, action));
	const form = ["agi", command, action, ...actions[action]!.takes].join(" ");
	const takes = actions[action]!.takes;
	const [first, second] = rest.slice(1);
	refuseExtra(form, rest.slice(1), takes.length);
	const needed = takes.filter((name) => !name.startsWith("[")).length;
	if (rest.slice(1).length < needed) throw new Mistake(`${takes[rest.length - 1]} is missing: ${form}.`);
	const base = { json, flags };
	if (command === "sessions") {
		refuseForeignActionFlag(words, action);
		return { command, ...base, ...sessionsAction(action, words, first ?? "", second ?? "") };
	}
	if (command === "permissions")
		return { command, ...base, ...permissionsAction(action, first ?? "", second ?? "") };
	switch (`${command} ${action}`) {
		case "config get":
			return { command: "config", action: "get", key: first!, ...base };
		case "config set":
			return { command: "config", action: "set", key: first!, value: second!, ...base };
		default:
			return { command: "config", action: action === "path" ? "path" : "list", ...base };
	}
}

function evalCommand(
	{ flags: given }: Words,
	rest: readonly string[],
	json: boolean,
	flags: ParsedFlags,
): ParsedArguments {
	refuseExtra("agi eval [PATH]", rest, 1);
	const path = rest[0];
	if (path === "init") return { command: "eval", action: "init", json, flags };
	const last = (name: string) => given.get(name)?.at(-1);
	const whole = (name: string) => {
		const written = last(name);
		return written === undefined ? undefined : wholeNumber(`--${name}`, written);
	};
	return {
		command: "eval",
		action: "run",
		json,
		flags,
		...defined("path", path),
		...defined("repeats", whole("repeats")),
		...defined("concurrency", whole("concurrency")),
		...defined("seed", whole("seed")),
		...(given.has("resume") ? { resume: last("resume") ?? "" } : {}),
		...defined("compare", last("compare")),
	};
}

function permissionsAction(action: string, first: string, second: string): PermissionsAction {
	switch (action) {
		case "add": {
			const effect = EFFECTS.find((known) => known === first);
			if (effect === undefined) throw new Mistake(`EFFECT must be one of ${EFFECTS.join(", ")}.`);
			return { action, effect, rule: filled("RULE", second) };
		}
		case "remove":
			return { action, rule: filled("RULE", first) };
		case "test":
			return { action, tested: filled("COMMAND", first) };
		default:
			return { action: action === "why" || action === "import" ? action : "list" };
	}
}

/** The action of `agi sessions`; `first` and `second` are what follows it, empty where that may be left out. */
function sessionsAction(action: string, { flags }: Words, first: string, second: string): SessionsAction {
	switch (action) {
		case "list":
			return { action, all: flags.has("all") };
		case "search":
			return { action, query: filled("QUERY", first), all: flags.has("all") };
		case "rename":
			return { action, id: first, title: filled("TITLE", second) };
		case "fork":
			return { action, id: first, ...defined("at", chosenStep(flags)) };
		case "export": {
			const file = flags.get("output")?.at(-1);
			const format = oneOf("format", flags, ["markdown", "json", "html"] as const) ?? formatOf(file);
			return { action, id: first, format, ...defined("file", file) };
		}
		case "trace":
			return { action, id: first, otlp: flags.has("otlp") };
		case "to-eval":
		case "replay":
			return { action, id: first };
		case "rm":
			return { action, id: first, yes: flags.has("yes") };
		case "check":
			return first === "" ? { action } : { action, id: first };
		case "request":
			return { action, id: first, attempt: wholeNumber("N", second) };
		default:
			return { action: "show", id: first };
	}
}

function refuseForeignActionFlag({ flags }: Words, action: string): void {
	for (const { name, actions } of FLAGS)
		if (flags.has(name) && actions?.includes(action) === false)
			throw new Mistake(
				`--${name} does not go with agi sessions ${action}, only with ${actions.join(" and ")}.`,
			);
}

function filled(name: string, text: string): string {
	if (text.trim() === "") throw new Mistake(`${name} must not be empty.`);
	return text;
}

/** What a file's name says of its format, as on the screen; Markdown where it says nothing. */
function formatOf(file: string | undefined): ExportFormat {
	const ending = /\.(json|html?)$/i.exec(file ?? "")?.[1]?.toLowerCase();
	if (ending === undefined) return "markdown";
	return ending === "json" ? "json" : "html";
}

function chosenStep(given: Words["flags"]): string | undefined {
	const written = given.get("at")?.at(-1);
	return written === undefined ? undefined : filled("STEP", written);
}

function unknownAction(command: Exclude<CommandName, "run">, action: string | undefined): string {
	const known = Object.keys(COMMANDS[command].actions);
	if (action === undefined) return `agi ${command} needs one of ${known.join(", ")}.`;
	const near = nearestWord(action, known);
	const way = near === undefined ? `It knows ${known.join(", ")}.` : `Did you mean ${near}?`;
	return `agi ${command} does not know ${action}. ${way}`;
}

function refuseExtra(form: string, rest: readonly string[], most: number): void {
	if (rest.length > most) throw new Mistake(`"${rest[most]}" is too much: the form is ${form}.`);
}
