// The inside of one line of Markdown: emphasis, code, links. `text` has passed the terminal's filter.

import { Lexer, type Token } from "marked";
import { CODE, DIM, type Span, type Style, type StyledLine } from "./style.ts";

/** Letters that can begin anything but plain text; a line without them needs no lexer. */
const SPECIAL = /[*_`[~<\\!]|https?:|www\./;
/** Longer lines are no prose, and a lexer that looks back could take long over them. */
const LONGEST_LINE = 20_000;

/** A line of Markdown text as spans, in `base` where nothing else is said. */
export function renderInline(text: string, base?: Style): StyledLine {
	if (text === "") return [];
	if (!SPECIAL.test(text) || text.length > LONGEST_LINE) return [{ text, style: base }];
	return Lexer.lexInline(text).flatMap((token) => spansOf(token, base));
}

function spansOf(token: Token, style: Style | undefined): Span[] {
	switch (token.type) {
		case "strong":
			return childrenOf(token, { ...style, bold: true });
		case "em":
			return childrenOf(token, { ...style, italic: true });
		case "del":
			return childrenOf(token, { ...style, strike: true });
		case "codespan":
			return [{ text: textOf(token), style: { ...style, ...CODE } }];
		case "link":
			return linkSpans(token, style);
		case "image":
			return [{ text: `[image: ${textOf(token)}]`, style: { ...style, ...DIM } }];
		case "escape":
			return [{ text: textOf(token), style }];
		case "br":
			return [{ text: " ", style }];
		default:
			return "tokens" in token && token.tokens ? childrenOf(token, style) : [{ text: token.raw, style }];
	}
}

/** The words of a link, and where it goes if they do not say so: the person must see it before they follow it. */
function linkSpans(token: Token, style: Style | undefined): Span[] {
	const words = childrenOf(token, { ...style, underline: true });
	const href = "href" in token && typeof token.href === "string" ? token.href : "";
	const said = textOf(token);
	return href === "" || href === said || href === `mailto:${said}` || href === `http://${said}`
		? words
		: [...words, { text: ` (${href})`, style: { ...style, ...DIM } }];
}

function childrenOf(token: Token, style: Style | undefined): Span[] {
	const children = "tokens" in token ? token.tokens : undefined;
	return children ? children.flatMap((child) => spansOf(child, style)) : [{ text: textOf(token), style }];
}

function textOf(token: Token): string {
	return "text" in token && typeof token.text === "string" ? token.text : token.raw;
}
