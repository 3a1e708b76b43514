// Which rules match a call. A deny or an ask is looked for in everything a command would run, behind wrappers too; an
// allow counts only for what it names outright.

import { matchesArgv } from "./argvPattern.ts";
import { type Call, walkCommand } from "./commandWalk.ts";
import { isAbsolutePattern, isLiteral, matchesPath } from "./pathPattern.ts";
import { absolutePath, type CommandPlaces, UNKNOWN } from "./places.ts";
import type { PolicyQuestion } from "./policyQuestion.ts";
import { matchesUrl, pathUse, type Rule, speaksOf } from "./rules.ts";

/** The strictest ask or deny rule that matches; undefined where none does. `places` are those the call runs in. */
export function strictRule(
	rules: readonly Rule[],
	question: PolicyQuestion,
	places: CommandPlaces,
): Rule | undefined {
	const strict = rules.filter(({ effect }) => effect !== "allow");
	if (strict.length === 0) return undefined;
	const { command } = question.facts;
	const calls = command === undefined ? [] : callsOf(command, places);
	const matching = strict.filter((rule) =>
		speaksOf(rule, question.tool)
			? matchesOwn(rule, question, calls, places)
			: matchesInCommand(rule, calls, places),
	);
	return matching.find(({ effect }) => effect === "deny") ?? matching[0];
}

/**
 * The allow rule that covers a whole call other than a command's parts; undefined where none does. `isExact`: only a
 * rule that names the very path, folder outside or host does.
 */
export function allowingRule(
	rules: readonly Rule[],
	{ tool, resources, facts }: PolicyQuestion,
	places: CommandPlaces,
	isExact: boolean,
): Rule | undefined {
	const paths = resources.filter(({ kind }) => kind === "file" || kind === "tree").map(({ key }) => key);
	const root = { root: places.workspaceRoots[0] ?? "/", home: places.home };
	return rules.find((rule) => {
		if (rule.effect !== "allow" || rule.tool !== tool || rule.argv) return false;
		if (rule.domain !== undefined) return facts.url !== undefined && matchesUrl(rule, facts.url);
		if (rule.path === undefined) return !isExact;
		if (isExact && !answersExact(rule.path, facts)) return false;
		const { path } = rule;
		return paths.length > 0 && paths.every((key) => matchesPath(path, key, root, false));
	});
}

/** A pattern of many paths opens no secret and no guarded file; one that leaves the workspace must say so. */
function answersExact(pattern: string, { secretPaths, protectedPaths }: PolicyQuestion["facts"]): boolean {
	if (secretPaths?.length || protectedPaths?.length) return isLiteral(pattern);
	return isAbsolutePattern(pattern) || isLiteral(pattern);
}

function matchesOwn(
	rule: Rule,
	{ resources, facts }: PolicyQuestion,
	calls: readonly Call[],
	places: CommandPlaces,
): boolean {
	if (rule.argv) {
		const { argv } = rule;
		return calls.some((call) =>
			matchesArgv(
				argv,
				call.argv.map(({ text }) => text),
				false,
			),
		);
	}
	if (rule.domain !== undefined) return facts.url !== undefined && matchesUrl(rule, facts.url);
	if (rule.path === undefined) return true;
	const { path } = rule;
	const root = { root: places.workspaceRoots[0] ?? "/", home: places.home };
	return resources.some(
		({ kind, key }) => (kind === "file" || kind === "tree") && matchesPath(path, key, root, true),
	);
}

/** A rule on reading or writing paths holds for the paths that a command names in plain sight, too. */
function matchesInCommand(rule: Rule, calls: readonly Call[], places: CommandPlaces): boolean {
	const use = pathUse(rule);
	if (use === undefined || calls.length === 0) return false;
	const root = { root: places.workspaceRoots[0] ?? "/", home: places.home };
	const { path } = rule;
	if (path === undefined) return false;
	return calls.some((call) =>
		touched(call, use).some((word) => {
			const real = absolutePath(word, call.cwd);
			return real !== undefined && matchesPath(path, real, root, true);
		}),
	);
}

const READS_ONLY =
	/^(cat|ls|head|tail|less|more|wc|grep|egrep|rg|find|fd|stat|file|diff|cmp|nl|tac|sort|od|strings|md5sum|sha\d+sum|echo|printf|test|\[|cd|git)$/;

/** Of these, the words with which they write all the same. */
const WRITES_TOO: Record<string, RegExp> = {
	fd: /^(-[A-Za-z]*[xX]|--exec)/,
	find: /^-(delete|fls|fprint.*)$/,
	git: /^(apply|checkout|clean|mv|reset|restore|rm|stash|switch)$/,
	sort: /^(-[A-Za-z]*o|--o)/,
};

function mayWrite({ name, args }: Call): boolean {
	if (!READS_ONLY.test(name)) return true;
	const words = Object.hasOwn(WRITES_TOO, name) ? WRITES_TOO[name] : undefined;
	return words !== undefined && args.some(({ text }) => words.test(text));
}

/** Words that may be paths: what a command redirects to is written, its operands are read and perhaps written. */
function touched(call: Call, use: "read" | "write"): string[] {
	const { name, args, redirects } = call;
	const targets = redirects
		.filter(({ writes }) => writes === (use === "write"))
		.map(({ target }) => target.text);
	const operands = args
		.map(({ text }) => text.replace(/^-{0,2}[\w-]+=/, ""))
		.filter((text) => !text.startsWith("-"));
	const isPlain = name === "echo" || name === "printf";
	const mayTouch = !isPlain && (use === "read" || mayWrite(call));
	// Copies only read what they are made of; `-t` would name their target elsewhere.
	const isCopy =
		use === "write" &&
		/^(cp|rsync|install)$/.test(name) &&
		!args.some(({ text }) => /^-\w*t|^--target/.test(text));
	const meant = isCopy ? operands.slice(-1) : operands;
	// As in `git show HEAD:FILE` and `curl -d @FILE`.
	const inWords = meant.flatMap((text) => [text, text.replace(/^[^:@]*[:@]/, "")]);
	return [...targets, ...(mayTouch ? inWords : [])].filter((text) => text !== "" && !text.includes(UNKNOWN));
}

function callsOf(command: string, places: CommandPlaces): Call[] {
	const calls: Call[] = [];
	try {
		walkCommand(command, places, {
			visitCall: (call) => calls.push(call),
			visitForkBomb: () => undefined,
			visitUnclear: () => undefined,
		});
	} catch {
		// What cannot be walked asks on its own account.
	}
	return calls;
}
