// Turns an HTML page into text with the marks of Markdown, for a model to read. Pure and linear in the page's length,
// whatever the page holds; runs nothing and loads nothing of it.

/** Elements whose content is no text for a reader. */
const SKIPPED = new Set(["script", "style", "template", "svg", "iframe", "object", "canvas", "select"]);
/** Elements that stand on lines of their own, with a blank line around. */
const PARAGRAPHS = new Set(
	"p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote article section main header footer nav aside form figure".split(
		" ",
	),
);
/** Elements that begin a new line. */
const LINES = new Set(
	"br div li dt dd tr hr option address figcaption summary details title head body".split(" "),
);

const BULLET = "- ";

/** A page being written; `parts` are joined at the end. */
interface Page {
	parts: string[];
	/** Depth inside `pre`, where blanks count. */
	preformatted: number;
	link: { at: number; target: string } | undefined;
	cells: number;
	base: string;
}

/** The readable text of `html`; links are made absolute by `base`. */
export function htmlText(html: string, base: string): string {
	const page: Page = { parts: [], preformatted: 0, link: undefined, cells: 0, base };
	for (let at = 0; at < html.length; ) {
		const open = html.indexOf("<", at);
		addText(page, html.slice(at, open === -1 ? html.length : open));
		if (open === -1) break;
		at = readMarkup(page, html, open);
	}
	return page.parts
		.join("")
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.replace(/\n{3,}/g, "\n\n")
		.trim();
}

/** Reads what begins with `<` at `open`; gives the position after it. */
function readMarkup(page: Page, html: string, open: number): number {
	if (html.startsWith("<!--", open)) return after(html, "-->", open + 4);
	const second = html.charAt(open + 1);
	if (second === "!" || second === "?") return after(html, ">", open + 2);
	TAG_NAME.lastIndex = open;
	const tag = TAG_NAME.exec(html);
	if (tag === null) {
		addText(page, "<");
		return open + 1;
	}
	const end = endOfTag(html, TAG_NAME.lastIndex);
	const name = tag[2]!.toLowerCase();
	if (tag[1] === "/") {
		closeElement(page, name);
		return end;
	}
	const isWhole = name === "svg" && html.charAt(end - 2) === "/";
	if (SKIPPED.has(name) && !isWhole) return endOfElement(html, name, end);
	openElement(page, name, html.slice(TAG_NAME.lastIndex, end));
	return end;
}

const TAG_NAME = /<(\/?)([a-zA-Z][^\s/>]*)/y;
const QUOTE_OR_END = /=\s*(["'])|>/g;

/** The position after a tag's `>`, which may also stand inside quoted values (HTML standard, 13.2.5). */
function endOfTag(html: string, from: number): number {
	QUOTE_OR_END.lastIndex = from;
	for (let hit = QUOTE_OR_END.exec(html); hit !== null; hit = QUOTE_OR_END.exec(html)) {
		if (hit[1] === undefined) return QUOTE_OR_END.lastIndex;
		QUOTE_OR_END.lastIndex = after(html, hit[1], QUOTE_OR_END.lastIndex);
	}
	return html.length;
}

function endOfElement(html: string, name: string, from: number): number {
	const closing = new RegExp(`</${name}`, "gi");
	closing.lastIndex = from;
	return closing.exec(html) === null ? html.length : after(html, ">", closing.lastIndex);
}

/** The position after the next `text`, or the end. */
function after(html: string, text: string, from: number): number {
	const at = html.indexOf(text, from);
	return at === -1 ? html.length : at + text.length;
}

function openElement(page: Page, name: string, attributes: string): void {
	breakLine(page, name);
	if (/^h[1-6]$/.test(name)) page.parts.push(`${"#".repeat(Number(name[1]))} `);
	else if (name === "li") page.parts.push(BULLET);
	else if (name === "hr") page.parts.push("---\n");
	else if (name === "tr") page.cells = 0;
	else if (name === "td" || name === "th") page.parts.push(page.cells++ === 0 ? "" : " | ");
	else if (name === "code" && page.preformatted === 0) page.parts.push("`");
	else if (name === "a") openLink(page, attributes);
	else if (name === "img") addText(page, attribute(attributes, "alt").replace(/^(?=.)/, "image: "));
	else if (name === "pre") {
		page.preformatted += 1;
		page.parts.push("```\n");
	}
}

function closeElement(page: Page, name: string): void {
	if (name === "a") closeLink(page);
	else if (name === "code" && page.preformatted === 0) page.parts.push("`");
	else if (name === "pre" && page.preformatted > 0) {
		page.preformatted -= 1;
		page.parts.push("\n```");
	}
	if (name !== "br" && name !== "hr") breakLine(page, name);
}

function breakLine(page: Page, name: string): void {
	if (page.parts.at(-1) === BULLET) return;
	if (PARAGRAPHS.has(name)) page.parts.push("\n\n");
	else if (LINES.has(name)) page.parts.push("\n");
}

function openLink(page: Page, attributes: string): void {
	closeLink(page);
	const reference = attribute(attributes, "href").trim();
	if (reference === "" || reference.startsWith("#") || !URL.canParse(reference, page.base)) return;
	const target = new URL(reference, page.base);
	if (target.protocol !== "http:" && target.protocol !== "https:") return;
	page.link = { at: page.parts.length, target: target.href };
	page.parts.push("[");
}

function closeLink(page: Page): void {
	const { link } = page;
	if (link === undefined) return;
	page.link = undefined;
	const label = page.parts.splice(link.at).join("").slice(1).replace(/\s+/g, " ").trim();
	if (label !== "") page.parts.push(`[${label}](${link.target})`);
}

function attribute(attributes: string, name: string): string {
	const value = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
		attributes,
	);
	return decodeEntities(value?.[1] ?? value?.[2] ?? value?.[3] ?? "");
}

function addText(page: Page, raw: string): void {
	if (raw === "") return;
	const text = decodeEntities(raw);
	if (page.preformatted > 0) {
		page.parts.push(text);
		return;
	}
	const folded = text.replace(/\s+/g, " ");
	// After a line end or a blank, another blank is only the page's own indentation.
	const followsBlank = /(^|\s)$/.test(page.parts.at(-1)?.slice(-1) ?? "");
	page.parts.push(followsBlank ? folded.trimStart() : folded);
}

const NAMED: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	quot: '"',
	apos: "'",
	nbsp: " ",
	ensp: " ",
	emsp: " ",
	thinsp: " ",
	shy: "",
	copy: "©",
	reg: "®",
	trade: "™",
	hellip: "…",
	mdash: "—",
	ndash: "–",
	lsquo: "‘",
	rsquo: "’",
	ldquo: "“",
	rdquo: "”",
	laquo: "«",
	raquo: "»",
	bull: "•",
	middot: "·",
	times: "×",
	deg: "°",
	plusmn: "±",
	euro: "€",
	pound: "£",
	yen: "¥",
	sect: "§",
	larr: "←",
	rarr: "→",
};

function decodeEntities(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(
		/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));?/g,
		(whole, decimal, hex, name) => {
			if (name !== undefined) return NAMED[name] ?? whole;
			const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
			const isCharacter = code >= 0x20 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
			return isCharacter || code === 9 || code === 10 ? String.fromCodePoint(code) : "\ufffd";
		},
	);
}
