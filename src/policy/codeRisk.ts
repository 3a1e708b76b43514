// Shell commands and paths that stand as plain text inside code of another language. Finds the obvious accident, such
// as `os.system("rm -rf /")`; code that builds its strings is not seen through.

/** What stands in a piece of code in plain sight. */
export interface CodeFindings {
	/** Texts given to a function that runs commands. */
	commands: string[];
	/** Texts given to a function that deletes folders whole. */
	deleted: string[];
	/** Files with the memory or the environment of a process. */
	processFiles: string[];
}

const STRING =
	String.raw`(?:"((?:[^"\\\n]|\\.){1,2000})"|'((?:[^'\\\n]|\\.){1,2000})'|` +
	"`((?:[^`\\\\]|\\\\.){1,2000})`)";

/** Not the `exec` of a regular expression, which only reads; Perl and Ruby leave the bracket out. */
const RUNS = String.raw`(?:system|popen\d?|exec\w*|spawn\w*|run|call|check_call|check_output|getoutput|sh)\s{0,9}\(`;
const RUNS_TEXT = new RegExp(
	String.raw`(?<!\/[a-z]{0,8}\.)\b(?:${RUNS}|(?:system|exec)\s)\s{0,99}${STRING}`,
	"gi",
);
const RUNS_LIST =
	/\b(?:Popen|run|call|check_call|check_output|exec\w*|spawn\w*)\s*\(\s*((?:["'`][^"'`\n]{1,200}["'`]\s*,\s*)?\[[^\][]{1,1000}\])/g;
const DELETES = new RegExp(
	String.raw`\b(?:rmtree|rmSync|rmdirSync|rm|rimraf|remove_tree|rm_rf)\s*\(\s*${STRING}`,
	"g",
);
const PROCESS_FILES = /\/proc\/[^/\s"'`]{1,40}\/(?:environ|mem)\b/g;

/** Reads code; never runs or judges it. */
export function readCode(code: string): CodeFindings {
	const texts = (pattern: RegExp) =>
		[...code.matchAll(pattern)].map((hit) => hit[1] ?? hit[2] ?? hit[3] ?? "");
	const lists = [...code.matchAll(RUNS_LIST)].map((hit) => quotedWords(hit[1] ?? ""));
	return {
		commands: [...texts(RUNS_TEXT), ...lists],
		deleted: texts(DELETES),
		processFiles: [...code.matchAll(PROCESS_FILES)].map((hit) => hit[0]),
	};
}

/** `["rm", "-rf", "/"]` as a command line; each word stays one word. */
function quotedWords(list: string): string {
	return [...list.matchAll(/["'`]([^"'`]*)["'`]/g)].map((hit) => `'${hit[1] ?? ""}'`).join(" ");
}
