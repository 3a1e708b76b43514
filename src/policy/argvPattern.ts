// Patterns over the words of one command. An allow is a plain prefix, so that nobody can read more into it than stands
// there; an ask or a deny may have a star anywhere, for catching too much does no harm.

/** One word of a pattern: a star alone stands for any number of words, one inside a word for any letters. */
export type WordPattern =
	| { kind: "word"; text: string }
	| { kind: "rest" }
	| { kind: "letters"; text: string };

/** The patterns of these words, or what is wrong with them. In an allow only the last word may be a star. */
export function wordPatterns(
	words: readonly string[],
	isAllow: boolean,
): { ok: true; patterns: WordPattern[] } | { ok: false; problem: string } {
	const early = words.findIndex((word, at) => word.includes("*") && (word !== "*" || at < words.length - 1));
	if (isAllow && early >= 0)
		return { ok: false, problem: "has a * before its end: in an allow only the last word may be one" };
	const patterns = words.map((text): WordPattern => {
		if (text === "*") return { kind: "rest" };
		return { kind: text.includes("*") ? "letters" : "word", text };
	});
	return { ok: true, patterns };
}

/** Options that make a harmless program run or write something else; the star of an allow does not cover them. */
const RISKY_OPTION =
	/^--?(exec(-path)?|toolexec|script-shell|shell|upload-pack|receive-pack|ext-diff|textconv|output|eval|pre|config(-env)?|node-options|require|import|loader|open-files-in-pager|rsh|to-command|checkpoint-action|(use-)?compress-prog(ram)?|ignore-scripts=false|prefix|git-dir|work-tree|makefile|init-script)(=|$)/;

/** Whether the words of one command match. `isAllow`: name by name; else the program's folder does not count. */
export function matchesArgv(
	patterns: readonly WordPattern[],
	argv: readonly string[],
	isAllow: boolean,
): boolean {
	const [name = "", ...args] = argv;
	if (isAllow) return matchesAllow(patterns, argv);
	return (
		matchesWords(patterns, argv) || matchesWords(patterns, [name.slice(name.lastIndexOf("/") + 1), ...args])
	);
}

function matchesAllow(patterns: readonly WordPattern[], argv: readonly string[]): boolean {
	const isOpen = patterns.at(-1)?.kind === "rest";
	const fixed = isOpen ? patterns.slice(0, -1) : patterns;
	if (argv.length < fixed.length || (!isOpen && argv.length > fixed.length)) return false;
	if (!fixed.every((pattern, at) => pattern.kind === "word" && pattern.text === argv[at])) return false;
	return !argv.slice(fixed.length).some((word) => RISKY_OPTION.test(word));
}

/** Goes back to the last star alone, so that its time stays within their product. */
function matchesWords(patterns: readonly WordPattern[], words: readonly string[]): boolean {
	let [at, star, from] = [0, -1, 0];
	for (let index = 0; index < words.length; ) {
		const pattern = patterns[at];
		if (pattern?.kind === "rest") {
			star = at++;
			from = index;
		} else if (pattern !== undefined && matchesWord(pattern, words[index]!)) {
			at++;
			index++;
		} else if (star >= 0) {
			at = star + 1;
			index = ++from;
		} else return false;
	}
	return patterns.slice(at).every(({ kind }) => kind === "rest");
}

function matchesWord(pattern: Exclude<WordPattern, { kind: "rest" }>, word: string): boolean {
	if (pattern.kind === "word") return pattern.text === word;
	const [head = "", ...pieces] = pattern.text.split("*");
	const tail = pieces.pop() ?? "";
	if (word.length < head.length + tail.length || !word.startsWith(head) || !word.endsWith(tail)) return false;
	let at = head.length;
	for (const piece of pieces) {
		const found = word.indexOf(piece, at);
		if (found < 0) return false;
		at = found + piece.length;
	}
	return at <= word.length - tail.length;
}
