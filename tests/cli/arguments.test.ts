import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../../src/cli/arguments.ts";
import { COMMANDS, type CommandName, FLAGS } from "../../src/cli/flags.ts";
import { helpText } from "../../src/cli/help.ts";

const unset = { addDirs: [], trust: false, ephemeral: false, debug: false };
const fresh = { kind: "new" };

/** The sentence of a refusal; throws where the line was accepted. */
function refusal(...argv: string[]): string {
	const parsed = parseArguments(argv);
	if (parsed.command !== "usage") throw new Error(`accepted as ${JSON.stringify(parsed)}`);
	expect(parsed.exitCode).toBe(2);
	return parsed.message;
}

describe("parseArguments without a command", () => {
	it("starts the screen, with a prompt or without", () => {
		expect(parseArguments([])).toEqual({ command: "interactive", session: fresh, flags: unset });
		expect(parseArguments(["fix the bug"])).toMatchObject({ command: "interactive", prompt: "fix the bug" });
	});

	it.each([
		[["-p", "hi"]],
		[["--print", "hi"]],
		[["--print=hi"]],
		[["-p=hi"]],
		[["hi", "-p"]],
		[["-p", "--debug", "hi"]],
		[["-p", "--", "hi"]],
	])("takes the prompt of -p from %j", (argv) => {
		expect(parseArguments(argv)).toMatchObject({ command: "print", prompt: "hi", outputFormat: "text" });
	});

	it("leaves the prompt to stdin where -p has none or an empty one", () => {
		expect(parseArguments(["-p"])).not.toHaveProperty("prompt");
		expect(parseArguments(["-p", ""])).not.toHaveProperty("prompt");
	});

	it("takes a prompt that looks like a flag or a command after --", () => {
		expect(parseArguments(["-p", "--", "--debug"])).toMatchObject({ command: "print", prompt: "--debug" });
		expect(parseArguments(["--", "sessions"])).toMatchObject({ command: "interactive", prompt: "sessions" });
		expect(parseArguments(["-p", "sessions"])).toMatchObject({ command: "print", prompt: "sessions" });
	});

	it("refuses two prompts", () => {
		expect(refusal("fix", "the", "bug")).toBe(
			"There are 3 prompts. Put a prompt of several words in quotes.",
		);
		expect(refusal("-p", "a", "b")).toContain("quotes");
	});

	it("reads every flag with its value, after a blank or an equals sign", () => {
		const spaced =
			"-m q --profile openai --base-url http://127.0.0.1:9/v1 --permission-mode plan --max-steps 5 --max-tokens 100 " +
			"--max-cost 0.5 --timeout 2.5 --append-system-prompt brief --trust --ephemeral --debug";
		const flags = {
			model: "q",
			profile: "openai",
			baseUrl: "http://127.0.0.1:9/v1",
			permissionMode: "plan",
			maxSteps: 5,
			maxTokens: 100,
			maxCost: 0.5,
			timeout: 2.5,
			appendSystemPrompt: "brief",
			addDirs: [],
			trust: true,
			ephemeral: true,
			debug: true,
		};
		expect(parseArguments(spaced.split(" "))).toMatchObject({ command: "interactive", flags });
		const joined = spaced.replace(/(-m|--[a-z-]+) (?!-)/g, "$1=").split(" ");
		expect(parseArguments(joined)).toMatchObject({ command: "interactive", flags });
	});

	it("gathers lists over repeated flags and keeps commas inside a rule", () => {
		const argv = [
			"--allowed-tools",
			"readFile, runCommand(npm run a,b)",
			"--allowed-tools=listFiles",
			"--add-dir",
			"a",
			"--add-dir",
			"b",
		];
		expect(parseArguments([...argv, "--disallowed-tools", "webFetch"])).toMatchObject({
			flags: {
				allowedTools: ["readFile", "runCommand(npm run a,b)", "listFiles"],
				disallowedTools: ["webFetch"],
				addDirs: ["a", "b"],
			},
		});
	});

	it("takes the last of a flag that stands twice", () => {
		expect(parseArguments(["-m", "a", "--model=b"])).toMatchObject({ flags: { model: "b" } });
	});

	it("keeps blanks, equals signs and a leading dash in a value", () => {
		expect(parseArguments(["--append-system-prompt", "- be brief"])).toMatchObject({
			flags: { appendSystemPrompt: "- be brief" },
		});
		expect(parseArguments(["--append-system-prompt=a=b"])).toMatchObject({
			flags: { appendSystemPrompt: "a=b" },
		});
	});

	it("chooses the session", () => {
		expect(parseArguments(["-c"])).toMatchObject({ session: { kind: "newest", fork: false } });
		expect(parseArguments(["--continue", "--fork-session"])).toMatchObject({
			session: { kind: "newest", fork: true },
		});
		expect(parseArguments(["-r", "01K", "--fork-session", "--at", "step-3"])).toMatchObject({
			session: { kind: "resume", id: "01K", fork: true, at: "step-3" },
		});
		expect(parseArguments(["-r"])).toMatchObject({ session: { kind: "resume", fork: false } });
		expect(parseArguments(["-r", "01K", "go on"])).toMatchObject({
			session: { kind: "resume", id: "01K" },
			prompt: "go on",
		});
		expect(parseArguments(["--resume=01K"])).toMatchObject({ session: { id: "01K" } });
		const withoutId = parseArguments(["-r", "go on with it"]);
		expect(withoutId).toMatchObject({ session: { kind: "resume", fork: false }, prompt: "go on with it" });
		expect(withoutId).not.toHaveProperty("session.id");
	});

	it("refuses sessions that contradict each other", () => {
		expect(refusal("-c", "-r", "x")).toContain("Leave one of them out");
		expect(refusal("--fork-session")).toContain("-c or -r");
		expect(refusal("--fork-session", "--at", "3")).toContain("-c or -r");
		expect(refusal("-c", "--at", "3")).toContain("--fork-session");
		expect(refusal("--at", "3", "-p", "x")).toContain("--fork-session");
		expect(refusal("-c", "--fork-session", "--at=")).toBe("STEP must not be empty.");
		expect(refusal("-c", "--ephemeral")).toContain("--ephemeral");
	});

	it("takes the formats of an answer only with -p", () => {
		expect(parseArguments(["-p", "x", "--output-format", "json"])).toMatchObject({ outputFormat: "json" });
		expect(
			parseArguments(["-p", "x", "--output-format=stream-json", "--include-partial-messages"]),
		).toMatchObject({
			outputFormat: "stream-json",
			includePartialMessages: true,
		});
		expect(refusal("x", "--output-format", "json")).toBe("--output-format works only with -p.");
		expect(refusal("--include-partial-messages")).toBe("--include-partial-messages works only with -p.");
		expect(refusal("-p", "x", "--include-partial-messages")).toContain("stream-json");
	});

	it.each([
		[["--output-format", "jsn", "-p", "x"], "Did you mean json?"],
		[["--permission-mode", "acceptedits"], "Did you mean acceptEdits?"],
		[["--sandbox", "extern"], "Did you mean external?"],
		[["--permission-mode", "yolo"], "default, acceptEdits, plan, bypassPermissions"],
		[["--max-steps", "0"], '--max-steps must be a whole number from 1, not "0".'],
		[["--max-steps", "-5"], "--max-steps must be a whole number"],
		[["--max-tokens", "1e3"], "--max-tokens must be a whole number"],
		[["--max-cost", "free"], "--max-cost must be a number"],
		[["--timeout", "0"], "--timeout must be a number"],
		[["--timeout", "9999999999"], "--timeout must be a number"],
		[["--base-url", "localhost:8080"], "--base-url must be a URL"],
		[["--base-url", "https://me:pw@x.example"], "without user name"],
		[["--model", ""], "--model needs a value that is not empty."],
		[["--model"], "--model needs a value: --model MODEL."],
		[["--model", "--debug"], "--model needs a value"],
		[["-m", "-p", "x"], "-m needs a value"],
		[["--trust=yes"], "--trust takes no value."],
	])("says what is wrong with %j", (argv, words) => {
		expect(refusal(...argv)).toContain(words);
	});

	it.each([
		["--modle", "Unknown flag --modle. Did you mean --model?"],
		["--output-fromat=json", "Unknown flag --output-fromat. Did you mean --output-format?"],
		["--yolo", "Unknown flag --yolo. agi --help lists all flags."],
		["-x", "Unknown flag -x. agi --help lists all flags."],
		["-5 degrees in F?", "A prompt that begins with a dash goes after --."],
	])("offers the right spelling or the help for %s", (flag, words) => {
		expect(refusal(flag)).toContain(words);
	});

	it("never throws, and ends every refusal as a sentence", () => {
		const words = [
			...FLAGS.flatMap(({ name, short }) => [`--${name}`, `--${name}=1`, `-${short ?? "x"}`]),
			...Object.keys(COMMANDS),
		];
		const word = fc.oneof(fc.constantFrom(...words, "--", "list", "show", "get"), fc.string());
		fc.assert(
			fc.property(fc.array(word, { maxLength: 6 }), (argv) => {
				const parsed = parseArguments(argv);
				if (parsed.command === "usage") expect(parsed.message).toMatch(/\S[.?"]$/);
			}),
			{ numRuns: 500 },
		);
	});
});

describe("parseArguments with a command", () => {
	const base = { json: false, flags: unset };

	it.each([
		["sessions list", { command: "sessions", action: "list", all: false, ...base }],
		["sessions list --all", { command: "sessions", action: "list", all: true, ...base }],
		["sessions search word", { command: "sessions", action: "search", query: "word", all: false, ...base }],
		["sessions rename 01K new", { command: "sessions", action: "rename", id: "01K", title: "new", ...base }],
		["sessions fork 01K", { command: "sessions", action: "fork", id: "01K", ...base }],
		["sessions fork 01K --at 3", { command: "sessions", action: "fork", id: "01K", at: "3", ...base }],
		[
			"sessions export 01K",
			{ command: "sessions", action: "export", id: "01K", format: "markdown", ...base },
		],
		[
			"sessions export 01K --format html -o a.html",
			{ command: "sessions", action: "export", id: "01K", format: "html", file: "a.html", ...base },
		],
		[
			"sessions export 01K -o a.HTM",
			{ command: "sessions", action: "export", id: "01K", format: "html", file: "a.HTM", ...base },
		],
		[
			"sessions export 01K -o a.json",
			{ command: "sessions", action: "export", id: "01K", format: "json", file: "a.json", ...base },
		],
		["sessions trace 01K", { command: "sessions", action: "trace", id: "01K", otlp: false, ...base }],
		["sessions trace 01K --otlp", { command: "sessions", action: "trace", id: "01K", otlp: true, ...base }],
		["sessions rm 01K", { command: "sessions", action: "rm", id: "01K", yes: false, ...base }],
		["sessions rm 01K -y", { command: "sessions", action: "rm", id: "01K", yes: true, ...base }],
		["sessions show 01K --json", { command: "sessions", action: "show", id: "01K", ...base, json: true }],
		["sessions check", { command: "sessions", action: "check", ...base }],
		["sessions check 01K", { command: "sessions", action: "check", id: "01K", ...base }],
		["sessions request 01K 2", { command: "sessions", action: "request", id: "01K", attempt: 2, ...base }],
		["models", { command: "models", ...base }],
		["--profile openai models", { command: "models", json: false, flags: { ...unset, profile: "openai" } }],
		["doctor --json", { command: "doctor", ...base, json: true }],
		[
			"config get limits.stepsPerTurn",
			{ command: "config", action: "get", key: "limits.stepsPerTurn", ...base },
		],
		["config set model q", { command: "config", action: "set", key: "model", value: "q", ...base }],
		["setup", { command: "setup", flags: base.flags }],
		["sandbox -- ls -la -- x", { command: "sandbox", argv: ["ls", "-la", "--", "x"], flags: base.flags }],
		["config list", { command: "config", action: "list", ...base }],
		["config path", { command: "config", action: "path", ...base }],
	])("reads agi %s", (line, parsed) => {
		expect(parseArguments(line.split(" "))).toEqual(parsed);
	});

	it.each([
		["session list", "Unknown command session. Did you mean sessions?"],
		["docter", "Did you mean doctor?"],
		["sandbox", "CMD is missing: agi sandbox -- CMD."],
		["sandbox --json -- ls", "--json does not go with agi sandbox."],
		["setup now", '"now" is too much: the form is agi setup.'],
		["permissions add deny", "RULE is missing: agi permissions add EFFECT RULE."],
		["permissions show", "agi permissions does not know show."],
		[
			"sessions",
			"agi sessions needs one of list, search, show, rename, fork, export, trace, replay, to-eval, rm, check, request.",
		],
		["sessions shwo 01K", "Did you mean show?"],
		["sessions forget 01K", "agi sessions does not know forget. It knows list, search, show,"],
		["sessions rename 01K", "TITLE is missing: agi sessions rename ID TITLE."],
		["sessions show 01K --yes", "--yes does not go with agi sessions show, only with rm."],
		["sessions fork 01K --all", "--all does not go with agi sessions fork, only with list and search."],
		["sessions export 01K --format pdf", "--format must be one of markdown, json, html"],
		["sessions show", "ID is missing: agi sessions show ID."],
		["sessions request 01K", "N is missing: agi sessions request ID N."],
		["sessions request 01K first", "N must be a whole number from 1"],
		["sessions list 01K", '"01K" is too much: the form is agi sessions list.'],
		["config set model", "VALUE is missing"],
		["doctor now", '"now" is too much: the form is agi doctor.'],
		["doctor --output-format json", "--output-format does not go with agi doctor."],
		["sessions list -c", "--continue does not go with agi sessions."],
		["--json", "--json goes only with a command"],
	])("refuses agi %s with the way out", (line, words) => {
		expect(refusal(...line.split(" "))).toContain(words);
	});

	it("tells how to ask a word that is nearly a command as a prompt", () => {
		expect(refusal("model")).toContain('agi -- "model"');
		expect(parseArguments(["hello"])).toMatchObject({ command: "interactive", prompt: "hello" });
	});
});

describe("parseArguments for help and version", () => {
	it("lets -h and -v win over what is missing beside them", () => {
		expect(parseArguments(["-h"])).toEqual({ command: "help", topic: "run" });
		expect(parseArguments(["sessions", "--help"])).toEqual({ command: "help", topic: "sessions" });
		expect(parseArguments(["-p", "x", "--include-partial-messages", "-h"])).toMatchObject({
			command: "help",
		});
		expect(parseArguments(["-v"])).toEqual({ command: "version" });
		expect(parseArguments(["--version", "--debug"])).toEqual({ command: "version" });
	});
});

describe("helpText", () => {
	const topics: CommandName[] = ["run", "sessions", "models", "doctor", "config", "eval", "stats"];

	it.each(topics)("fits %s on one plain screen and names every flag of it", (topic) => {
		const text = helpText(topic);
		const lines = text.split("\n");
		expect(lines.length).toBeLessThanOrEqual(45);
		expect(lines.every((line) => line.length <= 100)).toBe(true);
		expect(text).toMatch(/^[\x20-\x7E\n]*\n$/);
		for (const flag of FLAGS.filter((known) => known.on.includes(topic)))
			expect(text).toContain(`--${flag.name}`);
	});

	it("names every command and every action", () => {
		for (const [name, { actions }] of Object.entries(COMMANDS)) {
			expect(helpText()).toContain(name);
			for (const action of Object.keys(actions))
				expect(helpText(name as CommandName)).toContain(`agi ${name} ${action}`);
		}
	});
});
