// What the highlighter knows of each language: its words, its comments, its quotes. Data only.

/** The marks by which one language's lines are coloured. */
export interface Language {
	keywords: ReadonlySet<string>;
	lineComments: readonly string[];
	blockComment?: readonly [open: string, close: string];
	/** Quotes that end at the end of the line. */
	quotes: readonly string[];
	/** Quotes that may span lines, longest first. */
	longQuotes: readonly string[];
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const C_COMMENTS = { lineComments: ["//"], blockComment: ["/*", "*/"] as const };

const SCRIPT: Language = {
	...C_COMMENTS,
	quotes: ['"', "'"],
	longQuotes: ["`"],
	keywords: words(
		"abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined unknown var void while yield",
	),
};

const PYTHON: Language = {
	lineComments: ["#"],
	quotes: ['"', "'"],
	longQuotes: ['"""', "'''"],
	keywords: words(
		"False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
	),
};

const SHELL: Language = {
	lineComments: ["#"],
	quotes: [],
	longQuotes: ['"', "'"],
	keywords: words(
		"case cd do done echo elif else esac exit export fi for function if in local return set shift source then unset until while",
	),
};

const SYSTEMS: Language = {
	...C_COMMENTS,
	quotes: ['"', "'"],
	longQuotes: [],
	keywords: words(
		"abstract as async auto await bool boolean break byte case catch char class const constexpr continue crate default defer delete do double dyn else enum explicit extends extern false final finally float fn for foreach friend func go goto if impl implements import in inline instanceof int interface internal let long loop map match mod move mut namespace new nil null nullptr operator override package private protected pub public range readonly ref register return sealed select self short signed sizeof static string struct super switch template this throw throws trait true try type typedef typename union unsafe unsigned use using var virtual void volatile where while yield",
	),
};

const GO: Language = { ...SYSTEMS, longQuotes: ["`"] };

const RUBY: Language = {
	lineComments: ["#"],
	quotes: ['"', "'"],
	longQuotes: [],
	keywords: words(
		"alias and begin break case class def do else elsif end ensure false for if in module next nil not or raise redo require rescue retry return self super then true undef unless until when while yield",
	),
};

const SQL: Language = {
	lineComments: ["--"],
	blockComment: ["/*", "*/"],
	quotes: ["'", '"'],
	longQuotes: [],
	keywords: words(
		"ADD ALL ALTER AND AS ASC BEGIN BETWEEN BY CASE COMMIT CREATE DEFAULT DELETE DESC DISTINCT DROP ELSE END EXISTS FOREIGN FROM GROUP HAVING IN INDEX INNER INSERT INTO IS JOIN KEY LEFT LIKE LIMIT NOT NULL OFFSET ON OR ORDER OUTER PRIMARY REFERENCES RIGHT ROLLBACK SELECT SET TABLE THEN UNION UNIQUE UPDATE VALUES WHEN WHERE WITH add all alter and as asc begin between by case commit create default delete desc distinct drop else end exists foreign from group having in index inner insert into is join key left like limit not null offset on or order outer primary references right rollback select set table then union unique update values when where with",
	),
};

const CONFIG: Language = {
	lineComments: ["#"],
	quotes: ['"', "'"],
	longQuotes: [],
	keywords: words("false no null off on true yes"),
};

const JSON_LIKE: Language = {
	...C_COMMENTS,
	quotes: ['"'],
	longQuotes: [],
	keywords: words("false null true"),
};

const STYLESHEET: Language = {
	lineComments: [],
	blockComment: ["/*", "*/"],
	quotes: ['"', "'"],
	longQuotes: [],
	keywords: words("auto block flex grid important inherit initial none unset"),
};

const MARKUP: Language = {
	lineComments: [],
	blockComment: ["<!--", "-->"],
	quotes: ['"'],
	longQuotes: [],
	keywords: words(
		"a body button div form h1 h2 head html img input li link meta p script span style table ul",
	),
};

const BY_NAME = new Map<string, Language>();
const name = (language: Language, names: string) => {
	for (const one of names.split(" ")) BY_NAME.set(one, language);
};
name(SCRIPT, "js jsx ts tsx javascript typescript mjs cjs mts cts");
name(PYTHON, "py python python3");
name(SHELL, "sh bash zsh shell console fish dockerfile make makefile");
name(SYSTEMS, "c h cpp c++ cc cs csharp java kotlin kt rust rs swift scala dart php");
name(GO, "go golang");
name(RUBY, "rb ruby elixir ex");
name(SQL, "sql sqlite postgres mysql");
name(CONFIG, "yaml yml toml ini conf env properties");
name(JSON_LIKE, "json json5 jsonc jsonl");
name(STYLESHEET, "css scss less");
name(MARKUP, "html xml svg vue");

/** The language of a code fence's word (`ts`, `Python`); undefined where it is not known. */
export function languageNamed(word: string): Language | undefined {
	return BY_NAME.get(word.toLowerCase());
}
