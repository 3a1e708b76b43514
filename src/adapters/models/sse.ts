// Reads the event-stream format (https://html.spec.whatwg.org/multipage/server-sent-events.html) out of bytes that
// arrive in any pieces. It knows nothing of what the payloads mean, and never drops one because its framing is unusual.

/** One event: the joined `data` lines, and the event's name where one was given. */
export interface SseEvent {
	data: string;
	event?: string;
}

export interface SseParser {
	/** Takes the next bytes and returns the events they complete. */
	push(bytes: Uint8Array): SseEvent[];
	/** Call once after the last byte; returns the event that no blank line closed, if there is one. */
	end(): SseEvent[];
}

/** A parser for one stream: each kind of line end, comments, `data:` with or without a space, characters split in two. */
export function createSseParser(): SseParser {
	const decoder = new TextDecoder();
	let rest = "";
	let data: string[] = [];
	let event = "";

	function takeLine(line: string, events: SseEvent[]): void {
		if (line === "") {
			closeEvent(events);
			return;
		}
		const colon = line.indexOf(":");
		if (colon === 0) return;
		const field = colon === -1 ? line : line.slice(0, colon);
		const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
		if (field === "data") data.push(value);
		else if (field === "event") event = value;
	}

	function closeEvent(events: SseEvent[]): void {
		if (data.length > 0) events.push({ data: data.join("\n"), ...(event && { event }) });
		data = [];
		event = "";
	}

	function takeText(text: string, isLast: boolean): SseEvent[] {
		const events: SseEvent[] = [];
		rest += text;
		let start = 0;
		for (const { index, 0: lineEnd } of rest.matchAll(/\r\n|\n|\r/g)) {
			// A CR at the very end may be half of a CRLF.
			if (lineEnd === "\r" && index === rest.length - 1 && !isLast) break;
			takeLine(rest.slice(start, index), events);
			start = index + lineEnd.length;
		}
		rest = rest.slice(start);
		return events;
	}

	return {
		push: (bytes) => takeText(decoder.decode(bytes, { stream: true }), false),
		end() {
			const events = takeText(decoder.decode(), true);
			if (rest !== "") takeLine(rest, events);
			rest = "";
			closeEvent(events);
			return events;
		},
	};
}
