// The flags and commands of the command line, one entry each: the parser and the help both read them here.
// What each does is decided elsewhere.

/** What a flag takes: nothing, a value, or a value that may be left out. */
export type FlagValue = "none" | "required" | "optional";

/** One flag. `value` in the help stands for what it takes. */
export interface FlagSpec {
	/** Without the two dashes. */
	name: string;
	short?: string;
	takes: FlagValue;
	/** The placeholder in the help, such as `MODEL`. */
	placeholder?: string;
	/** One line for the help. */
	does: string;
	/** The line for commands where it speaks of something else than a session or turn. */
	doesOn?: Partial<Record<CommandName, string>>;
	/** Commands it belongs to; `run` is agi without a command. */
	on: readonly CommandName[];
	/** The only actions of those commands that it belongs to; absent where it goes with all. */
	actions?: readonly string[];
}

/** The commands there are; `run` stands for a start without one. */
export type CommandName =
	| "run"
	| "setup"
	| "sessions"
	| "models"
	| "doctor"
	| "config"
	| "sandbox"
	| "eval"
	| "stats"
	| "permissions";

/** One command: its forms for the help and its actions, if any. */
export interface CommandSpec {
	does: string;
	/** Each action with the arguments that follow it, `[X]` being one that may be left out. */
	actions: Readonly<Record<string, { takes: readonly string[]; does: string }>>;
}

export const COMMANDS: Readonly<Record<Exclude<CommandName, "run">, CommandSpec>> = {
	setup: { does: "choose a provider, store its key and test it", actions: {} },
	sessions: {
		does: "find, read and keep recorded sessions",
		actions: {
			list: { takes: [], does: "this folder's sessions, newest first" },
			search: { takes: ["QUERY"], does: "texts of all projects that hold every word of it" },
			show: { takes: ["ID"], does: "one session as text; all its events with --json" },
			rename: { takes: ["ID", "TITLE"], does: "give a session another title" },
			fork: { takes: ["ID"], does: "copy a session of this folder; prints the id of the copy" },
			export: { takes: ["ID"], does: "one session as Markdown, JSON or a page of HTML" },
			trace: { takes: ["ID"], does: "its turns, steps, requests and calls, with times and decisions" },
			replay: {
				takes: ["ID"],
				does: "play it again with today's agi; -m: ask another model",
			},
			"to-eval": { takes: ["ID"], does: "its turns as cases for agi eval" },
			rm: { takes: ["ID"], does: "delete a session for ever" },
			check: { takes: ["[ID]"], does: "check the invariants of one session, or of all" },
			request: { takes: ["ID", "N"], does: "the body of its N-th request, byte for byte as it was sent" },
		},
	},
	models: { does: "list the models of the configured server", actions: {} },
	eval: {
		does: "score your model on your own cases; without PATH those in .agent/evals",
		actions: {
			"[PATH]": { takes: [], does: "run a file or folder of cases" },
			init: { takes: [], does: "write first cases from this folder's sessions" },
		},
	},
	permissions: {
		does: "see and change the rules on what runs unasked; without ACTION list them",
		actions: {
			list: { takes: [], does: "every rule, strictest first, and where it stands" },
			add: { takes: ["EFFECT", "RULE"], does: 'allow, ask or deny, such as allow "runCommand(npm test *)"' },
			remove: { takes: ["RULE"], does: "take a rule out of your settings file" },
			test: { takes: ["COMMAND"], does: "the verdict on each part of a command; nothing is run" },
			import: { takes: [], does: "take over what this project suggests, while its file stays the same" },
			why: { takes: [], does: "why the last question of this folder was asked" },
		},
	},
	stats: { does: "how the work went: turns, denials, tokens, cost, by day, model and project", actions: {} },
	sandbox: { does: "run a command as the model's commands run: agi sandbox -- CMD", actions: {} },
	doctor: { does: "check this installation and say what to mend", actions: {} },
	config: {
		does: "read and change the settings",
		actions: {
			get: { takes: ["KEY"], does: "the value that holds for a key such as limits.stepsPerTurn" },
			set: { takes: ["KEY", "VALUE"], does: "set a key in your settings file" },
			list: { takes: [], does: "every key that is set, and where" },
			path: { takes: [], does: "where your settings file is" },
		},
	},
};

const run = ["run"] as const;
const model = ["run", "models", "doctor", "config", "eval"] as const;
const server = ["setup", ...model] as const;
const subcommands = ["sessions", "models", "doctor", "config", "eval", "stats", "permissions"] as const;
const measured = ["run", "eval"] as const;
const everywhere = ["run", "setup", "sandbox", ...subcommands] as const;

/** Every flag, in the order of the help. */
export const FLAGS: readonly FlagSpec[] = [
	{
		name: "print",
		short: "p",
		takes: "optional",
		placeholder: "PROMPT",
		does: "answer one prompt without a screen; piped input is appended",
		on: run,
	},
	{ name: "continue", short: "c", takes: "none", does: "go on with this folder's newest session", on: run },
	{
		name: "resume",
		short: "r",
		takes: "optional",
		placeholder: "ID",
		does: "go on with a session; without ID choose one",
		doesOn: { eval: "go on with a run; without ID with the newest" },
		on: measured,
	},
	{ name: "fork-session", takes: "none", does: "with -c or -r: go on in a copy", on: run },
	{
		name: "at",
		takes: "required",
		placeholder: "STEP",
		does: "with --fork-session: end the copy after this step, such as step-3",
		doesOn: { sessions: "fork: copy up to the end of this step, such as step-3" },
		on: ["run", "sessions"],
		actions: ["fork"],
	},
	{
		name: "model",
		short: "m",
		takes: "required",
		placeholder: "MODEL",
		does: "model to ask; offline is the embedded one",
		on: [...server, "sessions"],
		actions: ["replay"],
	},
	{
		name: "profile",
		takes: "required",
		placeholder: "NAME",
		does: "provider, as `agi models` names it",
		on: [...server, "sessions"],
		actions: ["replay"],
	},
	{
		name: "base-url",
		takes: "required",
		placeholder: "URL",
		does: "address of an OpenAI-compatible server",
		on: [...server, "sessions"],
		actions: ["replay"],
	},
	{
		name: "permission-mode",
		takes: "required",
		placeholder: "MODE",
		does: "default, acceptEdits, plan or bypassPermissions",
		on: run,
	},
	{
		name: "sandbox",
		takes: "required",
		placeholder: "KIND",
		does: "external: this machine is itself a sandbox",
		on: run,
	},
	{
		name: "allowed-tools",
		takes: "required",
		placeholder: "A,B",
		does: "calls that run without a question",
		on: run,
	},
	{ name: "disallowed-tools", takes: "required", placeholder: "A,B", does: "calls that never run", on: run },
	{
		name: "append-system-prompt",
		takes: "required",
		placeholder: "TEXT",
		does: "add your own text to the system prompt",
		on: run,
	},
	{
		name: "add-dir",
		takes: "required",
		placeholder: "DIR",
		does: "add a folder to the workspace; may be repeated",
		on: run,
	},
	{
		name: "max-steps",
		takes: "required",
		placeholder: "N",
		does: "stop a turn after N model answers (500)",
		on: run,
	},
	{
		name: "max-tokens",
		takes: "required",
		placeholder: "N",
		does: "stop the session after N tokens",
		on: run,
	},
	{
		name: "max-cost",
		takes: "required",
		placeholder: "USD",
		does: "stop the session after this price",
		doesOn: { eval: "ask nothing more once the trials have cost this" },
		on: measured,
	},
	{
		name: "timeout",
		takes: "required",
		placeholder: "SECONDS",
		does: "stop a turn after this time",
		doesOn: { eval: "longest time of a trial (300)" },
		on: measured,
	},
	{
		name: "output-format",
		takes: "required",
		placeholder: "FORMAT",
		does: "with -p: text, json or stream-json",
		on: run,
	},
	{
		name: "include-partial-messages",
		takes: "none",
		does: "with -p and stream-json: text as it comes",
		on: run,
	},
	{
		name: "trust",
		takes: "none",
		does: "trust this folder's configuration for this run",
		on: [...model, "permissions", "sandbox"],
	},
	{ name: "ephemeral", takes: "none", does: "keep the session in memory only", on: run },
	{ name: "json", takes: "none", does: "answer as JSON", on: subcommands },
	{
		name: "all",
		takes: "none",
		does: "list, stats: of every folder; search: every hit",
		on: ["sessions", "stats"],
		actions: ["list", "search"],
	},
	{
		name: "format",
		takes: "required",
		placeholder: "FORMAT",
		does: "export: markdown, json or html",
		on: ["sessions"],
		actions: ["export"],
	},
	{
		name: "output",
		short: "o",
		takes: "required",
		placeholder: "FILE",
		does: "export: write to a file that only you can read",
		on: ["sessions"],
		actions: ["export"],
	},
	{
		name: "otlp",
		takes: "none",
		does: "trace: send it to OTEL_EXPORTER_OTLP_ENDPOINT",
		on: ["sessions"],
		actions: ["trace"],
	},
	{ name: "repeats", takes: "required", placeholder: "N", does: "run each case N times (1)", on: ["eval"] },
	{ name: "concurrency", takes: "required", placeholder: "N", does: "cases at once (4)", on: ["eval"] },
	{ name: "seed", takes: "required", placeholder: "N", does: "seed for servers that take one", on: ["eval"] },
	{
		name: "compare",
		takes: "required",
		placeholder: "RUN",
		does: "show which cases flipped since that run",
		on: ["eval"],
	},
	{ name: "yes", short: "y", takes: "none", does: "rm: ask nothing", on: ["sessions"], actions: ["rm"] },
	{ name: "debug", takes: "none", does: "say more on stderr", on: everywhere },
	{ name: "version", short: "v", takes: "none", does: "print the version", on: everywhere },
	{ name: "help", short: "h", takes: "none", does: "print this help", on: everywhere },
];
