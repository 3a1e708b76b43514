// The text of a checkpoint: fixed sections, each a list of lines within its share of the room. Reads a summariser's answer
// and an older checkpoint into sections, joins them, and writes them. Pure.

/** The sections in their order; what goes in is told to the summariser and to the reader by the same words. */
export const SECTIONS = {
	goal: "Goal and corrections",
	facts: "Confirmed facts",
	decisions: "Decisions and why",
	files: "Files changed",
	verification: "Verification results",
	plan: "Plan",
	questions: "Open questions",
	permissions: "Permissions and limits",
	jobs: "Running jobs and subagents",
	exact: "Exact identifiers and error texts",
} as const;

export type SectionName = keyof typeof SECTIONS;

/** Lines of each section, the oldest first; a section without any is left out. */
export type Sections = Partial<Record<SectionName, string[]>>;

/** Share of a checkpoint's room that each section may take. */
const SHARES: Record<SectionName, number> = {
	goal: 0.24,
	facts: 0.16,
	decisions: 0.12,
	files: 0.08,
	verification: 0.06,
	plan: 0.06,
	questions: 0.05,
	permissions: 0.03,
	jobs: 0.03,
	exact: 0.17,
};

const NAMES = Object.keys(SECTIONS) as SectionName[];

/** What comes before the sections, so that the model neither starts over nor takes this for the user's words. */
const HEAD =
	"This stands for the conversation so far, which was too long to be sent whole. Go on from it; do not start over, and do not repeat work that is told as done. The user's words come first.";

/** The sections of a text that has headings; what stands before the first one, or has none, counts as facts. */
export function readSections(text: string): Sections {
	const sections: Sections = {};
	let name: SectionName = "facts";
	for (const raw of text.split("\n")) {
		const line = raw.trim();
		const heading = headingOf(line);
		if (heading) name = heading;
		else if (line !== "" && line !== HEAD && !isEmptyMark(line))
			sections[name] = [...(sections[name] ?? []), bare(line)];
	}
	return sections;
}

/**
 * An older checkpoint's sections and fresh ones, those that matter most first, as one set: equal lines once, of many lines
 * that differ in numbers only the first and the last, each section within its share of `room` letters. Half of a share is
 * for the older lines, if they need it.
 */
export function joinSections(older: Sections, fresh: readonly Sections[], room: number): Sections {
	const joined: Sections = {};
	for (const name of NAMES) {
		const share = Math.floor(room * SHARES[name]);
		const old = withoutSeries(older[name] ?? []);
		const known = new Set(old);
		const ranked = fresh.map((part) => withoutSeries(part[name] ?? []).filter((line) => !known.has(line)));
		const forNew = share - Math.min(lettersOf(old), share / 2);
		const added = newestOf(ranked, forNew);
		const lines = [...endsOf(old, share - lettersOf(added)), ...added];
		if (lines.length > 0) joined[name] = withoutSeries([...new Set(lines)]);
	}
	return joined;
}

/** The text of a checkpoint. */
export function writeSections(sections: Sections): string {
	const written = NAMES.map((name) => {
		const lines = sections[name] ?? [];
		return `## ${SECTIONS[name]}\n${lines.length > 0 ? lines.map((line) => `- ${line}`).join("\n") : "none"}`;
	});
	return [HEAD, ...written].join("\n\n");
}

function headingOf(line: string): SectionName | undefined {
	const title = /^(?:#+\s*|\*\*)(.+?)(?:\*\*)?:?$/.exec(line)?.[1]?.toLowerCase();
	return title === undefined ? undefined : NAMES.find((name) => SECTIONS[name].toLowerCase() === title);
}

function isEmptyMark(line: string): boolean {
	return /^(?:[-*]\s*)?\(?(?:none|nothing|n\/a|无)\)?\.?$/i.test(line);
}

function bare(line: string): string {
	return line.replace(/^(?:[-*•]|\d+[.)])\s+/, "");
}

/** Long runs of work leave many lines of one shape; they would push out what was said only once. */
function withoutSeries(lines: readonly string[]): string[] {
	const places = new Map<string, number[]>();
	for (const [at, line] of lines.entries()) {
		const shape = line.replace(/\d+/g, "#");
		places.set(shape, [...(places.get(shape) ?? []), at]);
	}
	const kept = new Set([...places.values()].flatMap((at) => [at[0], at.at(-1)]));
	return lines.filter((_, at) => kept.has(at));
}

/** What the list's mark and the line end add to a line. */
const LINE_FRAME = 3;

function lettersOf(lines: readonly string[]): number {
	return lines.reduce((sum, line) => sum + line.length + LINE_FRAME, 0);
}

/** The newest lines that fit, those of the first list before those of the next, in their order. */
function newestOf(lists: readonly (readonly string[])[], room: number): string[] {
	let left = room;
	const kept = lists.map((lines) => {
		const fitting: string[] = [];
		for (const line of lines.toReversed()) {
			if (line.length + LINE_FRAME > left) break;
			left -= line.length + LINE_FRAME;
			fitting.unshift(line);
		}
		return fitting;
	});
	return kept.flat();
}

/** The lines that fit, taken from both ends in turn: what began it all and what came last outlive the middle. */
function endsOf(lines: readonly string[], room: number): string[] {
	let left = room;
	const kept = new Set<number>();
	for (let n = 0; n < lines.length; n++) {
		const at = n % 2 === 0 ? n / 2 : lines.length - (n + 1) / 2;
		left -= lines[at]!.length + LINE_FRAME;
		if (left < 0) break;
		kept.add(at);
	}
	return lines.filter((_, at) => kept.has(at));
}
