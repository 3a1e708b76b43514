// Keeps the head and the tail of a text of any length in bounded memory. Never cuts a character in two, and always says
// how much it left out.

/** A text that is being gathered. */
export interface BoundedOutput {
	add(text: string): void;
	/** All of it, or head, one line `... [N bytes left out] ...` and tail. */
	text(): string;
}

/** Keeps the first `headBytes` and the last `tailBytes` of the UTF-8 of what is added. */
export function createBoundedOutput(headBytes: number, tailBytes: number): BoundedOutput {
	const head: Buffer[] = [];
	let headLength = 0;
	let tail: Buffer[] = [];
	let tailLength = 0;
	let total = 0;

	function add(text: string): void {
		let bytes = Buffer.from(text);
		total += bytes.length;
		if (headLength < headBytes) {
			const part = bytes.subarray(0, headBytes - headLength);
			head.push(part);
			headLength += part.length;
			bytes = bytes.subarray(part.length);
		}
		if (bytes.length === 0) return;
		tail.push(bytes);
		tailLength += bytes.length;
		// Joined only now and then: many small pieces would cost more than their text.
		if (tailLength > 2 * tailBytes || tail.length > 1024) {
			tail = [Buffer.concat(tail).subarray(-tailBytes)];
			tailLength = tail[0]!.length;
		}
	}

	function text(): string {
		if (total <= headBytes + tailBytes) return Buffer.concat([...head, ...tail]).toString("utf8");
		const first = cutEnd(Buffer.concat(head));
		const last = cutStart(Buffer.concat(tail).subarray(-tailBytes));
		const omitted = total - first.length - last.length;
		return `${first.toString("utf8")}\n... [${omitted} bytes left out] ...\n${last.toString("utf8")}`;
	}

	return { add, text };
}

const LINE_FEED = 0x0a;

/** Without the started last line, or at least without a started last character. */
function cutEnd(bytes: Buffer): Buffer {
	const lineEnd = bytes.lastIndexOf(LINE_FEED);
	if (lineEnd > bytes.length / 2) return bytes.subarray(0, lineEnd);
	let end = bytes.length;
	while (end > 0 && isContinuation(bytes[end - 1]!)) end -= 1;
	// The whole characters end here unless the last lead byte has all its followers; one character less is no loss.
	return bytes.subarray(0, end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : end);
}

/** Without the rest of a first line, or at least without the rest of a first character. */
function cutStart(bytes: Buffer): Buffer {
	const lineEnd = bytes.indexOf(LINE_FEED);
	if (lineEnd !== -1 && lineEnd < bytes.length / 2) return bytes.subarray(lineEnd + 1);
	let start = 0;
	while (start < bytes.length && isContinuation(bytes[start]!)) start += 1;
	return bytes.subarray(start);
}

function isContinuation(byte: number): boolean {
	return (byte & 0xc0) === 0x80;
}
