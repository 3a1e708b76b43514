// Tells text from other media and turns its bytes into a string. Pure; never guesses a charset that nobody named.

const TEXT_TYPE =
	/^(text\/.+|application\/(json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|x-ndjson|sql|graphql|.+\+(json|xml|yaml)))$/;

/** The media type of a `content-type` header, in lower case, without parameters. */
export function mediaType(contentType: string): string {
	return contentType.split(";", 1)[0]!.trim().toLowerCase();
}

/** Whether a media type is text. One that is not told may be. */
export function isTextType(type: string): boolean {
	return type === "" || TEXT_TYPE.test(type);
}

/** Decodes by byte order mark, header or HTML meta tag, else as UTF-8; undefined where the bytes are no text. */
export function decodeText(bytes: Uint8Array, contentType: string): string | undefined {
	const declared = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1];
	const start = new TextDecoder("latin1").decode(bytes.subarray(0, 1024));
	const inPage = mediaType(contentType).includes("html")
		? /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(start)?.[1]
		: undefined;
	const text = decoderFor(byteOrderMark(bytes) ?? declared ?? inPage ?? "utf-8").decode(bytes);
	return text.slice(0, 4096).includes("\0") ? undefined : text;
}

function byteOrderMark(bytes: Uint8Array): string | undefined {
	if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
	if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
	return undefined;
}

function decoderFor(charset: string): TextDecoder {
	try {
		return new TextDecoder(charset);
	} catch {
		return new TextDecoder();
	}
}
