// What a person is offered beside a plain yes: rules that cover the parts of a command that asked, and no more. Never
// the whole text of a compound command, never a prefix that would let another command through.

import type { PartVerdict } from "./judgeParts.ts";
import { type RuleObject, shortForm } from "./rules.ts";

/** Rules that a yes may put in place. `label` completes "Do not ask again for …". */
export interface Offer {
	label: string;
	/** Short forms of allow rules, one for each kind of part that asked. */
	rules: readonly string[];
}

/** Programs with commands of their own, and those of them whose further words do no other work. */
const SUBCOMMANDS: Record<string, RegExp> = {
	git: /^(status|diff|log|show|blame|add|commit|ls-files|rev-parse|stash)$/,
	npm: /^(test|t|ls|outdated|run|start|run-script)$/,
	pnpm: /^(test|ls|outdated|run|start)$/,
	yarn: /^(test|list|run|start|lint|build)$/,
	bun: /^(test|run)$/,
	cargo: /^(build|check|test|clippy|fmt|doc|bench|tree)$/,
	go: /^(build|test|vet|fmt|list|version)$/,
	dotnet: /^(build|test|format)$/,
	mvn: /^(test|compile|verify|package)$/,
	gradle: /^(test|build|check)$/,
	"./gradlew": /^(test|build|check)$/,
	composer: /^(test|validate)$/,
	poetry: /^(check|show)$/,
	bundle: /^(check|list)$/,
	swift: /^(build|test)$/,
	zig: /^(build|test|fmt)$/,
	mix: /^(test|format|compile)$/,
	deno: /^(test|lint|fmt|check)$/,
	terraform: /^(validate|fmt|version)$/,
};

/** Their first word names a script of the project, which is the thing that was said yes to. */
const SCRIPT_RUNNERS = /^(run|run-script)$/;

/** Programs whose every option only checks, builds or tests. */
const WHOLE =
	/^(tsc|eslint|biome|prettier|vitest|jest|mocha|pytest|ruff|mypy|pyright|flake8|black|rubocop|rspec|phpunit|shellcheck|gofmt|rustfmt|clang-format|ctest|stylelint|oxlint|ava|tox)$/;

/** Programs whose target is named in full, because further words could make them run anything. */
const EXACT = /^(make|just|task|rake|ninja|cmake)$/;

/** More would be said yes to unread. */
const MOST_RULES = 3;

/**
 * The offer for the parts of a command that nothing allowed; undefined where one of them has no rule that covers it well,
 * for then the same command would be asked about again.
 */
export function offerFor(asking: readonly PartVerdict[]): Offer | undefined {
	const rules = new Set<string>();
	for (const { part } of asking) {
		const rule = prefixOf(part.words.map(({ text }) => text));
		if (rule === undefined) return undefined;
		rules.add(rule);
	}
	if (rules.size === 0 || rules.size > MOST_RULES) return undefined;
	return { label: [...rules].map(offerLabel).join(" and "), rules: [...rules] };
}

/** What one rule of an offer covers, as a person reads it: `npm test *`. */
export function offerLabel(rule: string): string {
	return rule.replace(/^runCommand\(([\s\S]*)\)$/, "$1");
}

function prefixOf(argv: readonly string[]): string | undefined {
	const object = prefixWords(argv);
	return object && shortForm({ tool: "runCommand", argv: object } satisfies RuleObject);
}

function prefixWords([name = "", second, third]: readonly string[]): string[] | undefined {
	const isPlain = (word: string | undefined): word is string =>
		word !== undefined && /^[\w.:/@-]+$/.test(word) && !word.startsWith("-");
	if (Object.hasOwn(SUBCOMMANDS, name)) {
		if (second === undefined || !SUBCOMMANDS[name]!.test(second)) return undefined;
		if (!SCRIPT_RUNNERS.test(second)) return [name, second, "*"];
		return isPlain(third) ? [name, second, third, "*"] : undefined;
	}
	if (WHOLE.test(name)) return [name, "*"];
	if (EXACT.test(name)) return isPlain(second) && third === undefined ? [name, second] : undefined;
	// A script of the project, by its own name or through its interpreter.
	if (/^\.\/[\w./-]+$/.test(name) && !name.includes("..")) return [name, "*"];
	if (
		/^(node|python3?|ruby|bash|sh|tsx)$/.test(name) &&
		isPlain(second) &&
		/[./]/.test(second) &&
		!/^\/|\.\./.test(second)
	)
		return [name, second, "*"];
	return undefined;
}
