// What the first bytes of an image tell: its kind and its size. Pure; reads PNG, JPEG, GIF and WebP by their own headers.

/** Kind and size of an image; pixels. */
export interface ImageHead {
	mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
	width: number;
	height: number;
}

/** Kind and size of an image file; undefined where the bytes are no such image. */
export function readImageHead(bytes: Uint8Array): ImageHead | undefined {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (bytes.length < 16) return undefined;
	if (view.getUint32(0) === 0x89504e47 && bytes.length >= 24)
		return { mediaType: "image/png", width: view.getUint32(16), height: view.getUint32(20) };
	if (letters(bytes, 0, 4) === "GIF8")
		return { mediaType: "image/gif", width: view.getUint16(6, true), height: view.getUint16(8, true) };
	if (letters(bytes, 0, 4) === "RIFF" && letters(bytes, 8, 4) === "WEBP") return readWebp(bytes, view);
	if (view.getUint16(0) === 0xffd8) return readJpeg(view);
	return undefined;
}

/** RFC 9649: lossy (VP8), lossless (VP8L) and extended (VP8X) files keep their size at different places. */
function readWebp(bytes: Uint8Array, view: DataView): ImageHead | undefined {
	const mediaType = "image/webp";
	if (bytes.length < 30) return undefined;
	const kind = letters(bytes, 12, 4);
	if (kind === "VP8 ")
		return { mediaType, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
	if (kind === "VP8L") {
		const packed = view.getUint32(21, true);
		return { mediaType, width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
	}
	if (kind !== "VP8X") return undefined;
	const uint24 = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);
	return { mediaType, width: uint24(24) + 1, height: uint24(27) + 1 };
}

/** The size stands in the first frame header (ITU T.81, B.2.2); other segments are stepped over. */
function readJpeg(view: DataView): ImageHead | undefined {
	for (let at = 2; at + 9 < view.byteLength; ) {
		if (view.getUint8(at) !== 0xff) return undefined;
		const marker = view.getUint8(at + 1);
		const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
		if (isFrame)
			return { mediaType: "image/jpeg", width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
		// Markers may be padded; those of restarts and the like have no length.
		if (marker === 0xff) at += 1;
		else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
		else at += 2 + view.getUint16(at + 2);
	}
	return undefined;
}

function letters(bytes: Uint8Array, from: number, count: number): string {
	return String.fromCharCode(...bytes.subarray(from, from + count));
}
