// What streams: deltas are gathered cheaply, a flush moves them on. Finished lines leave for the transcript, the rest is
// drawn as it stands. The transcript does not depend on how the text was cut into deltas, nor on when it was flushed.

import type { EventOf } from "../../session/events.ts";
import { visibleText } from "../visibleText.ts";
import { countOf, formatDuration } from "./format.ts";
import { finishMarkdown, MARKDOWN_START, renderMarkdownLine, renderPartialLine } from "./markdown.ts";
import { STREAM_START, type StreamView, type ViewState } from "./state.ts";
import { type StyledLine, WARN } from "./style.ts";
import { keepFolded, pushBlock, pushNote, textColumns } from "./transcript.ts";

/** Of a line that does not end, only this much is drawn while it grows, in UTF-16 units. */
const PARTIAL_LENGTH = 4000;
/** Of a running call's output, only this much is kept, in UTF-16 units. */
export const TAIL_LENGTH = 16_000;
const TAIL_LINES = 5;

/** Below text of the answer that turned out to be reasoning. */
export const WAS_REASONING = "(the text above was reasoning, not the answer)";

/** Adds a delta of the answer; nothing is drawn before the next flush. */
export function gatherText(view: ViewState, text: string): ViewState {
	return withStream(view, {
		rawGathered: view.stream.rawGathered + text,
		hasText: true,
		lastAt: view.now,
	});
}

/** Adds a delta of the reasoning. */
export function gatherReasoning(view: ViewState, text: string): ViewState {
	const { stream } = view;
	return withStream(view, {
		rawReasoning: stream.rawReasoning + text,
		hasReasoned: true,
		reasoningSince: stream.reasoningSince ?? view.now,
		lastAt: view.now,
	});
}

/** Moves what was gathered: complete lines to the transcript, the rest to the live area. */
export function flush(view: ViewState): ViewState {
	const told = view.stream.rawGathered === "" ? countReasoning(view) : foldReasoning(view);
	const { rawGathered, rawRest } = told.stream;
	const moved = rawGathered === "" ? told : moveLines(told, rawRest + rawGathered);
	return moveTails(moved);
}

/** Ends the text that streamed: its last line is complete now. */
export function finishText(view: ViewState): ViewState {
	const flushed = foldReasoning(flush(view));
	const { rawRest } = flushed.stream;
	const whole = rawRest === "" ? flushed : moveLines(flushed, `${rawRest}\n`);
	const rows = finishMarkdown(whole.stream.markdown, textColumns(whole));
	const done = pushBlock(whole, "answer", rows);
	return withStream(done, { markdown: MARKDOWN_START, partial: [], rawRest: "" });
}

/** A new Attempt: nothing of it has come yet. An answer that the output limit cut goes on in its own line. */
export function startAttempt(view: ViewState): ViewState {
	const { markdown, rawRest, rawGathered, partial } = view.stream;
	return { ...view, stream: { ...STREAM_START, markdown, rawRest, rawGathered, partial } };
}

/** Ends an Attempt: shows what did not stream, and closes the text unless the next Attempt continues it. */
export function endAttempt(view: ViewState, event: EventOf<"attempt/end">): ViewState {
	const { stream } = view;
	let next = view;
	if (!stream.hasReasoned && event.reasoning !== "") next = gatherReasoning(next, event.reasoning);
	if (!stream.hasText && event.text !== "") next = gatherText(next, event.text);
	const goesOn = event.outcome === "rejected" && event.finish === "length";
	next = goesOn ? flush(next) : finishText(next);
	const { callNamed: _, lastAt: __, ...rest } = next.stream;
	next = { ...next, stream: rest };
	const counts = event.outcome === "accepted" || event.outcome === "rejected";
	return counts ? next : withdraw(next);
}

/** Takes back the text of an Attempt that does not count: it was shown, so a line below says so. */
export function withdraw(view: ViewState): ViewState {
	if (!view.stream.hasText || view.stream.isWithdrawn) return view;
	const text = "(the text above was cut off and does not count)";
	return withStream(pushNote(finishText(view), text, WARN), { isWithdrawn: true });
}

/** Takes back text that turned out to be reasoning; what follows in the same Attempt is the answer. */
export function withdrawReasoning(view: ViewState): ViewState {
	if (!view.stream.hasText) return view;
	return withStream(pushNote(finishText(view), WAS_REASONING, { dim: true, italic: true }), {
		hasText: false,
	});
}

/** Complete lines of `source` to the transcript; what follows them is drawn as it stands. */
function moveLines(view: ViewState, source: string): ViewState {
	const width = textColumns(view);
	const end = source.lastIndexOf("\n") + 1;
	const lines: StyledLine[] = [];
	let { markdown } = view.stream;
	if (end > 0) {
		const complete = visibleText(source.slice(0, end)).toWellFormed().split("\n").slice(0, -1);
		for (const text of complete) {
			const rendered = renderMarkdownLine(markdown, text, width);
			lines.push(...rendered.lines);
			markdown = rendered.state;
		}
	}
	const rest = source.slice(end);
	const shown = visibleText(rest.slice(-PARTIAL_LENGTH).replace(/\r$/, "")).toWellFormed();
	const partial = renderPartialLine(markdown, shown, width);
	const pushed = pushBlock(view, "answer", lines);
	return withStream(pushed, { markdown, partial, rawRest: rest, rawGathered: "" });
}

/** Tells of reasoning that came before what follows, on one line. */
function foldReasoning(view: ViewState): ViewState {
	const { rawReasoning, reasoningSince } = view.stream;
	if (rawReasoning.trim() === "") return view;
	const text = visibleText(rawReasoning).toWellFormed().trim();
	const count = countOf(text.split("\n").length, "line");
	const took = reasoningSince === undefined ? 0 : view.now - reasoningSince;
	const time = took >= 1000 ? ` for ${formatDuration(took)}` : "";
	const kept = keepFolded(view, { title: "reasoning", text, kind: "reasoning" });
	const told = pushNote(kept, `∴ thought${time}, ${count} (Ctrl+O)`, { dim: true, italic: true });
	const { reasoningSince: _, ...rest } = told.stream;
	return { ...told, stream: { ...rest, rawReasoning: "", reasoningLines: 0 } };
}

function countReasoning(view: ViewState): ViewState {
	const { rawReasoning, reasoningLines } = view.stream;
	if (rawReasoning === "") return view;
	const lines = rawReasoning.trim().split("\n").length;
	return lines === reasoningLines ? view : withStream(view, { reasoningLines: lines });
}

/** The last lines of each running call's output. */
function moveTails(view: ViewState): ViewState {
	if (!view.calls.some((call) => call.rawTail !== "")) return view;
	const calls = view.calls.map((call) => {
		if (call.rawTail === "") return call;
		const tail = visibleText(call.rawTail).trimEnd().split("\n").slice(-TAIL_LINES);
		return { ...call, tail };
	});
	return { ...view, calls };
}

function withStream(view: ViewState, changes: Partial<StreamView>): ViewState {
	return { ...view, stream: { ...view.stream, ...changes } };
}
