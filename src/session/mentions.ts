// Finds what a message names to be attached: @path, @session:ID, an image by its path or as a data URL. Pure: whether
// anything stands at a path is for others to look up, and what names nothing stays plain text.

/** Something that a message may mean to bring along. */
export type Mention =
	/** `paths`: what may be meant, the likeliest first; a sign at its end may belong to the sentence. */
	| { kind: "path"; paths: string[] }
	| { kind: "session"; id: string }
	/** The path of an image as terminals paste it, without a sign before it. */
	| { kind: "imagePath"; path: string };

/** An image that stood in a message as a data URL. */
export interface InlineImage {
	/** As the message names it now, such as `image 1`. */
	name: string;
	mediaType: string;
	base64: string;
}

/** More are not looked for. */
const MAX_MENTIONS = 20;

/** A mail address is no mention: no word may stand before the sign. No path is longer. */
const AT_WORD = /(?<![\w.+\-@/\\`])@(?:"((?:[^"\\\n]|\\.){1,4096})"|([^\s"@`][^\s"`]{0,4095}))/g;
const CLOSING = /[.,;:!?)\]}>'…。，、；：！？）】」』]$/;

const IMAGE_END = String.raw`\.(?:png|jpe?g|gif|webp)`;
const PASTED_PATH = new RegExp(
	String.raw`(?<![\w@"'./~\\:-])(?:(["'])((?:file:\/\/|~?\/)[^"'\n]{1,4096}?${IMAGE_END})\1|((?:file:\/\/\/|~?\/)(?:\\.|[^\s"'\\]){1,4096}?${IMAGE_END})(?![\w./\\-]))`,
	"gi",
);
const DATA_URL = /data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})/g;

/** What a text names, in order, each once. */
export function findMentions(text: string): Mention[] {
	const found = new Map<string, Mention>();
	const add = (key: string, mention: Mention) => {
		if (found.size < MAX_MENTIONS && !found.has(key)) found.set(key, mention);
	};
	for (const [, quoted, word = ""] of text.matchAll(AT_WORD)) {
		const paths = quoted === undefined ? withoutClosing(word) : [quoted.replace(/\\(.)/g, "$1")];
		const session = quoted === undefined ? /^session:([\w-]+)/.exec(word) : null;
		if (session?.[1]) add(`session ${session[1]}`, { kind: "session", id: session[1] });
		else add(`path ${paths[0]}`, { kind: "path", paths });
	}
	for (const [, , quoted, plain = ""] of text.matchAll(PASTED_PATH)) {
		const path = (quoted ?? plain.replace(/\\(.)/g, "$1")).replace(/^file:\/\//, "");
		add(`image ${path}`, { kind: "imagePath", path });
	}
	return [...found.values()];
}

/** The text with a name in the place of each image that stands in it as a data URL; names that it holds are taken. */
export function takeOutImages(text: string): { text: string; images: InlineImage[] } {
	if (!text.includes(";base64,")) return { text, images: [] };
	const images: InlineImage[] = [];
	let number = 0;
	const shown = text.replace(DATA_URL, (_, mediaType: string, base64: string) => {
		do number++;
		while (text.includes(`[image ${number}]`));
		const name = `image ${number}`;
		images.push({ name, mediaType, base64 });
		return `[${name}]`;
	});
	return { text: shown, images };
}

/** The word, and the word without the signs that may end its sentence. */
function withoutClosing(word: string): string[] {
	const words = [word];
	for (let rest = word; CLOSING.test(rest) && words.length < 6; ) {
		rest = rest.slice(0, -1);
		if (rest !== "") words.push(rest);
	}
	return words;
}
