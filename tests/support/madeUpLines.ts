// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are words of the shell.
// Lines that look like commands, for readers of commands to be tried on. Seeds are fixed, so that a failure comes back.

const PIECES = (
	"ls cat rm git grep find x y -la -rf --all a.txt src/b.ts ./c 'q r' \"s t\" \"\" '' 'it''s' a\"b\"c *.md [ab] ? " +
	"&& || ; | && || ; | \n # 2>&1 >/dev/null 2>/dev/null 2>&- >&- > >> < & |& ! ( ) { } $ $x ${y} $(rm) ` ~ ~/z \\ \\\n " +
	'"$x" "`rm`" \'$x\' a=b A=1 == =x x= @ + ^ % , : . .. - -- if then fi for do done case esac while time function [[ ]] (( )) ' +
	"<<< <( << EOF \t \r \u200b é 日 1>x 3>&1 >|f &>f a#b #c *'x' {a,b} {1..3} !x !! ;; ;& coproc select until in"
).split(" ");

/** Pieces in any order. Most lines are tame with one or two wild pieces: those are the ones that a reader may get wrong. */
export function madeUpLines(count: number): string[] {
	const { random, pick } = chance(20_261_129);
	const words = PIECES.slice(0, 24);
	return Array.from({ length: count }, () => {
		const length = 1 + Math.floor(random() * 9);
		const wildness = random() * 0.6;
		const glue = random() < 0.85 ? " " : "";
		return Array.from({ length }, () => pick(random() < wildness ? PIECES : words)).join(glue);
	});
}

/** What holds other commands. C is a command again, N a name, W a word, F a file, V a variable. */
const FORMS = (
	"C && C ~ C || C ~ C; C ~ C\nC ~ C | C ~ C |& C ~ C & C ~ ! C ~ C && (C) ~ C; (C; C) > F ~ C | (C) 2> F ~ { C; } ~ " +
	"{ C; } >> F ~ if C; then C; fi ~ if C; then C; elif C; then C; else C; fi > F ~ while C; do C; done ~ " +
	"until C\ndo C\ndone 2> F ~ for V in W W; do C; done ~ for V in W $(C); do C; done | C ~ " +
	"for ((i=0; i<$(C); i++)); do C; done ~ select V in W; do C; done ~ case W in W) C;; W|W) C;; *) C; esac ~ " +
	"case $(C) in (W) C;; esac > F ~ fn() { C; } ~ function fn { C; }; C ~ fn() (C) ~ [[ -n $(C) ]] && C ~ " +
	"[ -f W ] || C ~ (( $(C) )); C"
).split(" ~ ");

/** One command, which may hold others in its words and redirects. */
const SIMPLE = (
	"N ~ N W ~ N W W ~ N W W W ~ N W > F ~ N W >> F ~ N >| F W ~ > F N W ~ N W &> F ~ N W &>> F ~ N W < F ~ N W 2>&1 ~ " +
	'N W >& F ~ N W 2> F < W ~ N W 3> F ~ > F ~ N >&-W ~ N W > $(C) ~ N W > "a$(C)" ~ N > >(C) ~ N >(C) ~ N <(C) W ~ ' +
	'N $(C) ~ N W "$(C)" ~ N a$(C)b ~ N `N W` ~ N "W `N | N`" ~ N [$(C)] ~ N {a,$(C)} ~ N $\'W\' ~ N W # W ~ N *$(C)[a$(C)] ~ ' +
	"V=W N W ~ V=$(C) N W ~ V=$(C) ~ V=(W $(C)); N W ~ V[$(C)]=W ~ export V=$(C) ~ export V=W ~ local V=$(C) ~ " +
	'N ${V:-$(C)} ~ N "${V:-`N W`}" ~ N $((1 + $(C))) ~ N ${V//W/$(C)} ~ N ${V[$(C)]} ~ N ${V#[$(C)]} ~ N <<< W ~ ' +
	"N <<< \"$(C)\" ~ N <<E\nW $(N W) `N`\nE\n ~ N <<'E' > F\n$(N)\nE\n ~ N <<-E W\n\t$(N W)\n\tE\n"
).split(" ~ ");

const FILLINGS: Record<string, string[]> = {
	N: ["ls", "cat", "rm", "git", "grep", "x", "./c", "'rm'", '"g"', 'a"b"c', "日", "a.b", "a-b"],
	F: ["out", "a.txt", "'o p'", "/dev/null", "$x", "./d/e", "2"],
	V: ["v", "A", "_b1"],
	W: [
		..."x -la --all a.txt src/b.ts 'it''s' a\"b\"c *.md 1 007 a=b @ + : . -- é a#b $x \"$x\" ${y} ~/z '$x' ".split(
			" ",
		),
		..."\"\" '' '(' \")\" ';' '>' \"&&\" if done in esac".split(" "),
		...["'q r'", '"s t"'],
	],
};

/** Commands inside of others, up to four deep, most of them such as bash accepts. */
export function nestedLines(count: number): string[] {
	const { random, pick } = chance(20_261_130);
	const fill = (form: string, depth: number): string =>
		form.replace(/[CNWFV]/g, (slot) => {
			const filling = FILLINGS[slot];
			if (filling) return pick(filling);
			return fill(pick(depth > 0 && random() < 0.5 ? FORMS : SIMPLE), Math.max(0, depth - 1));
		});
	return Array.from({ length: count }, () => {
		const line = fill("C", 3);
		if (random() < 0.85) return line;
		// A slip of the pen: what was meant must not decide how it is read.
		const at = Math.floor(random() * line.length);
		return line.slice(0, at) + pick(PIECES) + line.slice(at + (random() < 0.5 ? 1 : 0));
	});
}

function chance(seed: number) {
	const random = mulberry32(seed);
	return { random, pick: (list: readonly string[]) => list[Math.floor(random() * list.length)]! };
}

function mulberry32(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}
