// Styled text as plain values, and the one place that turns them into terminal colours. Text in a span has passed the
// terminal's filter and holds neither controls nor line ends.

/** The colours in use: the terminal's own sixteen, so that they fit its theme. */
export type Colour = "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "gray";

/** How a span looks. */
export interface Style {
	readonly colour?: Colour;
	readonly bold?: true;
	readonly dim?: true;
	readonly italic?: true;
	readonly underline?: true;
	readonly strike?: true;
	readonly inverse?: true;
}

/** A run of text in one style. */
export interface Span {
	readonly text: string;
	readonly style?: Style | undefined;
}

/** One line of the screen; [] is an empty one. */
export type StyledLine = readonly Span[];

/** How many colours the terminal has, as powers; 0 is none at all (NO_COLOR). */
export type ColourLevel = 0 | 1 | 2 | 3;

export const DIM: Style = { dim: true };
export const BOLD: Style = { bold: true };
export const ACCENT: Style = { colour: "cyan" };
export const CODE: Style = { colour: "cyan" };
export const GOOD: Style = { colour: "green" };
export const WARN: Style = { colour: "yellow" };
export const BAD: Style = { colour: "red" };

const COLOUR_CODES: Record<Colour, number> = {
	red: 31,
	green: 32,
	yellow: 33,
	blue: 34,
	magenta: 35,
	cyan: 36,
	gray: 90,
};

/** A line of one span. */
export function line(text: string, style?: Style): StyledLine {
	return text === "" ? [] : [{ text, style }];
}

/** The letters of a line without its styles. */
export function plainText(styled: StyledLine): string {
	return styled.map((span) => span.text).join("");
}

/** `styled` as the terminal takes it (ECMA-48 SGR), no style left open at its end; without colours the bare letters. */
export function paint(styled: StyledLine, level: ColourLevel): string {
	if (level === 0) return plainText(styled);
	let painted = "";
	let open = "";
	for (const { text, style } of styled) {
		const codes = style ? codesOf(style) : "";
		if (codes !== open) painted += open === "" ? `\x1b[${codes}m` : `\x1b[0${codes && `;${codes}`}m`;
		open = codes;
		painted += text;
	}
	return open === "" ? painted : `${painted}\x1b[0m`;
}

function codesOf(style: Style): string {
	const codes: number[] = [];
	if (style.bold) codes.push(1);
	if (style.dim) codes.push(2);
	if (style.italic) codes.push(3);
	if (style.underline) codes.push(4);
	if (style.inverse) codes.push(7);
	if (style.strike) codes.push(9);
	if (style.colour) codes.push(COLOUR_CODES[style.colour]);
	return codes.join(";");
}
