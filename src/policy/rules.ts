// Rules of allow, ask and deny: their text, what is wrong with it, and what they match. The strictest rule that matches
// wins; order and precision never matter. A rule knows nothing of the mode and asks nobody.

import { matchesArgv, type WordPattern, wordPatterns } from "./argvPattern.ts";
import type { Effect } from "./effects.ts";
import { matchesPath } from "./pathPattern.ts";

/**
 * Whose word a rule is. `flag`: the command line of this start; `managed`: whoever keeps this machine; `session`: a yes
 * for the rest of the session.
 */
export type RuleLayer = "flag" | "managed" | "session" | "user" | "project";

/** A rule in a settings file that says more than its short form. Exactly one of `argv`, `path`, `domain`, or none. */
export interface RuleObject {
	tool: string;
	argv?: string[];
	path?: string;
	domain?: string;
	/** Why the rule stands, for the person and the model. */
	why?: string;
	/** Commands, paths or addresses that the rule must match, and such as it must not; checked when it is read. */
	match?: string[];
	notMatch?: string[];
	/** An allow that was taken over from a project: it holds only there, while that settings file is the same. */
	from?: RuleImport;
}

/** Where a rule was taken over from: the project's real path, and the SHA-256 of its settings file. */
export interface RuleImport {
	project: string;
	digest: string;
}

/** A rule as written: the short form or the object. */
export type RuleSource = string | RuleObject;

/** A rule that was read. */
export interface Rule {
	effect: Effect;
	tool: string;
	argv?: readonly WordPattern[];
	path?: string;
	domain?: string;
	why?: string;
	/** The short form, by which it is listed and removed. */
	text: string;
	layer: RuleLayer;
	/** The file or flag it stands in. */
	origin: string;
}

/** Where a rule stands. */
export type RulePlace = Pick<Rule, "effect" | "layer" | "origin">;

/** What `parseRule` gives: the rule, or what is wrong with it, as the end of a sentence without a full stop. */
export type ParsedRule = { ok: true; rule: Rule } | { ok: false; problem: string };

const READERS = ["readFile", "listFiles", "findFiles", "searchFiles"];
const WRITERS = ["writeFile", "editFile", "deleteFile"];
const PLAIN_TOOLS = [
	...["executeCode", "webSearch", "askUser", "updatePlan", "delegateToSubagent"],
	...["memory", "loadSkill", "readArtifact", "recall"],
];

/** The tools of agi that a rule can name; what a server of tools brings is called `mcp__server__tool`. */
export const TOOL_NAMES: readonly string[] = [
	"runCommand",
	...READERS,
	...WRITERS,
	"webFetch",
	...PLAIN_TOOLS,
];

/** Reads a rule. A tool whose name is not known is taken for one that an extension brings. */
export function parseRule(source: RuleSource, place: RulePlace): ParsedRule {
	const read = typeof source === "string" ? readShortForm(source) : { ok: true as const, value: source };
	if (!read.ok) return read;
	const object = read.value;
	const problem = toolProblem(object) ?? narrowingProblem(object) ?? importProblem(object, place);
	if (problem !== undefined) return { ok: false, problem };
	const argv = object.argv && wordPatterns(object.argv, place.effect === "allow");
	if (argv?.ok === false) return argv;
	const { from } = object;
	const rule: Rule = {
		...place,
		...(from ? { origin: `${place.origin}, taken over from ${from.project}` } : {}),
		tool: object.tool,
		text: shortForm(object),
		...(argv ? { argv: argv.patterns } : {}),
		...(object.path === undefined ? {} : { path: object.path }),
		...(object.domain === undefined ? {} : { domain: object.domain.toLowerCase() }),
		...(object.why === undefined ? {} : { why: object.why }),
	};
	const broken = brokenExample(rule, object);
	return broken === undefined ? { ok: true, rule } : { ok: false, problem: broken };
}

/** Whether the rule speaks of this tool at all; one on reading or writing a path holds for its kin too. */
export function speaksOf(rule: Rule, tool: string): boolean {
	if (rule.tool === tool) return true;
	if (rule.effect === "allow") return false;
	// Who may not write a file may not edit it either: the tools differ in their form, not in what they do.
	return rule.path !== undefined && kinOf(rule.tool).includes(tool);
}

/** Whether the rule is about reading files, writing them, or neither. */
export function pathUse(rule: Rule): "read" | "write" | undefined {
	if (READERS.includes(rule.tool)) return "read";
	return WRITERS.includes(rule.tool) ? "write" : undefined;
}

/** Whether a rule on an address covers this one. An allow holds for the very host, `*.` for those below it. */
export function matchesUrl(rule: Rule, url: string): boolean {
	const named = URL.canParse(url) ? new URL(url).hostname : url;
	// With a dot at its end a name leads to the same host.
	const host = named.toLowerCase().replace(/\.$/, "");
	const { domain = "", effect } = rule;
	if (domain.startsWith("*.")) return host.endsWith(domain.slice(1));
	return host === domain || (effect !== "allow" && host.endsWith(`.${domain}`));
}

/** A rule as its short form shows it; texts with blanks or brackets in quotes. */
export function shortForm({ tool, argv, path, domain }: RuleObject): string {
	const inner =
		argv?.map(quoteWord).join(" ") ?? path ?? (domain === undefined ? undefined : `domain:${domain}`);
	return inner === undefined ? tool : `${tool}(${inner})`;
}

function kinOf(tool: string): string[] {
	if (READERS.includes(tool)) return READERS;
	return WRITERS.includes(tool) ? WRITERS : [tool];
}

function readShortForm(text: string): { ok: true; value: RuleObject } | { ok: false; problem: string } {
	const form = /^\s*([\w.-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
	const tool = form?.[1];
	if (tool === undefined)
		return { ok: false, problem: `is no rule: write TOOL or TOOL(…), such as runCommand(npm test)` };
	const inner = form?.[2]?.trim();
	if (inner === undefined) return { ok: true, value: { tool } };
	if (inner === "")
		return {
			ok: false,
			problem: `has nothing in its brackets: leave them out to mean every call of ${tool}`,
		};
	if (tool === "runCommand") {
		const argv = splitWords(inner);
		return argv
			? { ok: true, value: { tool, argv } }
			: { ok: false, problem: "has a quote that is not closed" };
	}
	if (tool !== "webFetch") return { ok: true, value: { tool, path: inner } };
	const domain = /^domain:(.+)$/.exec(inner)?.[1];
	return domain === undefined
		? { ok: false, problem: "needs a domain: webFetch(domain:example.org)" }
		: { ok: true, value: { tool, domain: domain.trim() } };
}

/** Words as a shell would split them, of plain and quoted pieces; undefined where a quote stays open. */
function splitWords(text: string): string[] | undefined {
	const words: string[] = [];
	const word = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)/y;
	while (text.slice(word.lastIndex).trim() !== "") {
		const found = word.exec(text);
		if (!found) return undefined;
		words.push(found[1]!.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single ?? ""));
	}
	return words;
}

function quoteWord(word: string): string {
	if (/^[^\s"'()]+$/.test(word)) return word;
	return word.includes('"') ? `'${word}'` : `"${word}"`;
}

function toolProblem({ tool, argv, path, domain }: RuleObject): string | undefined {
	if (!/^[\w.-]+$/.test(tool)) return "names no tool: a name has only letters, digits, _, . and -";
	const near = TOOL_NAMES.find((known) => known.toLowerCase() === tool.toLowerCase());
	if (near !== undefined && near !== tool) return `names the tool ${tool}, which is written ${near}`;
	const given = [argv, path, domain].filter((part) => part !== undefined).length;
	if (given > 1) return "has more than one of argv, path and domain";
	if (argv && tool !== "runCommand") return "has argv, which goes only with runCommand";
	if (domain !== undefined && tool !== "webFetch") return "has a domain, which goes only with webFetch";
	if (path !== undefined && ![...READERS, ...WRITERS].includes(tool))
		return TOOL_NAMES.includes(tool) || tool.startsWith("mcp__")
			? `narrows ${tool}, which can only be named as a whole`
			: "names a tool that agi does not have";
	return undefined;
}

function narrowingProblem({ argv, path, domain }: RuleObject): string | undefined {
	if (argv?.length === 0) return "has an empty argv";
	if (path?.trim() === "") return "has an empty path";
	if (domain !== undefined && !/^(\*\.)?[\w-]+(\.[\w-]+)*$/.test(domain))
		return "has no plain host name as its domain, such as example.org or *.example.org";
	return undefined;
}

function importProblem({ from }: RuleObject, { effect, layer }: RulePlace): string | undefined {
	if (!from || (effect === "allow" && layer === "user")) return undefined;
	return "has from, which goes only with an allow of your own file";
}

/** A rule in the form that says all of it, without where it stands. */
export function ruleObject({ tool, argv, path, domain, why }: Rule): RuleObject {
	return {
		tool,
		...(argv ? { argv: argv.map((word) => (word.kind === "rest" ? "*" : word.text)) } : {}),
		...(path === undefined ? {} : { path }),
		...(domain === undefined ? {} : { domain }),
		...(why === undefined ? {} : { why }),
	};
}

/** The first example that does not hold, told. */
function brokenExample(rule: Rule, { match = [], notMatch = [] }: RuleObject): string | undefined {
	const covers = (example: string): boolean => {
		if (rule.argv) return matchesArgv(rule.argv, splitWords(example) ?? [], rule.effect === "allow");
		if (rule.domain !== undefined) return matchesUrl(rule, example);
		const places = { root: "/workspace", home: "/home" };
		return rule.path === undefined || matchesPath(rule.path, example, places, rule.effect !== "allow");
	};
	const missed = match.find((example) => !covers(example));
	if (missed !== undefined) return `does not match its own example ${JSON.stringify(missed)}`;
	const caught = notMatch.find(covers);
	return caught === undefined ? undefined : `matches ${JSON.stringify(caught)}, which it must not`;
}
