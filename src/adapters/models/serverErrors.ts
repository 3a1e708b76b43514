// Finds the error in what a server sent, in the many shapes servers have for it, and tells a context overflow by its
// wording. Pure; it judges nothing else and makes no sentences (`failures.ts` does).

import { asRecord, asWord, type JsonRecord } from "./json.ts";

/** An error as the server told it. */
export interface ServerError {
	message: string;
	code?: string;
	type?: string;
	/** An HTTP status told inside the body. */
	status?: number;
	/** The context window it named, in tokens. */
	contextWindow?: number;
}

/** The error that a JSON value tells, be it a whole body or one chunk of a stream; undefined where it tells none. */
export function findServerError(value: unknown): ServerError | undefined {
	const body = asRecord(Array.isArray(value) ? value[0] : value);
	if (!body) return undefined;
	const error = body["error"] ?? body["errors"];
	if (typeof error === "string") return fromRecord({ ...body, message: body["message"] ?? error });
	if (Array.isArray(error)) return findServerError({ error: error[0] });
	const record = asRecord(error);
	if (record && Object.keys(record).length > 0) return fromRecord(record);
	if (error === true) return fromRecord(body);
	const hasChoices = Array.isArray(body["choices"]) && body["choices"].length > 0;
	if (hasChoices) return undefined;
	const isError = body["object"] === "error" || body["type"] === "error" || body["success"] === false;
	const isBare = asWord(body["message"]) !== undefined && (body["code"] ?? body["status"]) !== undefined;
	if (isError || isBare || body["detail"] || body["error_msg"]) return fromRecord(body);
	return undefined;
}

/** An error event whose payload is `value`, in whatever shape. */
export function errorOfEvent(value: unknown): ServerError {
	return findServerError(value) ?? fromRecord(asRecord(value) ?? { message: value });
}

function fromRecord(record: JsonRecord): ServerError {
	const metadata = asRecord(record["metadata"]);
	const words = [
		record["message"],
		record["detail"],
		record["error_msg"],
		record["msg"],
		record["error"],
	].find((candidate) => asWord(candidate) !== undefined);
	const message = typeof words === "string" ? words : JSON.stringify(record["detail"] ?? record);
	// Gateways put the text that matters beside a general one.
	const raw = asWord(metadata?.["raw"]);
	const code = [record["code"], record["error_code"]].find(
		(one) => typeof one === "string" || typeof one === "number",
	);
	const status = Number(record["status_code"] ?? record["status"] ?? code);
	const isStatus = Number.isInteger(status) && status >= 400 && status <= 599;
	const window = typeof record["n_ctx"] === "number" ? record["n_ctx"] : undefined;
	return {
		message: raw ? `${message} (${raw})` : message,
		...(code !== undefined && code !== "" && { code: String(code) }),
		...(typeof record["type"] === "string" && { type: record["type"] }),
		...(isStatus && { status }),
		...(window !== undefined && { contextWindow: window }),
	};
}

const OVERFLOW_WORDINGS: readonly RegExp[] = [
	/context_length_exceeded|context_window_exceeded|prompt_tokens_exceeded|exceed_context_size|model_context_window/,
	/maximum (context|prompt|input|sequence) (length|size|window)/,
	/context (length|window|size)[^.]{0,40}(exceed|too (long|large|small)|overflow)/,
	/(exceed|larger|longer|greater|more)[^.]{0,60}context (length|window|size)/,
	/(prompt|input|request|conversation|messages?) (is|are|was) too (long|large)/,
	/(prompt|input)[^.]{0,60}exceeds? the (model|maximum|limit|token)/,
	/reduce the length of (the |your )?(messages|prompt|input)/,
	/range of input length should be/,
	/context the overflows|loaded with context length/,
	/(提示|输入|上下文|prompt).{0,20}(过长|超长|超过|超出)/,
];

/** Whether an error says that the request does not fit the model's window, in one of the wordings servers have used. */
export function isContextOverflow(error: ServerError): boolean {
	const text = `${error.code ?? ""} ${error.type ?? ""} ${error.message}`.toLowerCase();
	// "Too many tokens per minute" is a rate, not a window.
	if (/per (minute|min|day|hour)|rate.?limit|\btpm\b/.test(text)) return false;
	return OVERFLOW_WORDINGS.some((wording) => wording.test(text));
}

const WINDOW_WORDINGS: readonly RegExp[] = [
	/maximum (?:context|prompt|input|sequence) (?:length|size|window)(?: is| of|:)? (\d+)/,
	/(\d+) maximum\b/,
	/context (?:size|window|length) ?\((\d+)/,
	/\[1, ?(\d+)\]/,
	/context (?:length|window|size) (?:is |of )?(?:only )?(\d+)/,
	/maximum (?:number of tokens|tokens)[^\d]{0,20}(\d+)/,
	/limit (?:is|of) (\d+)/,
];

/** The window in tokens that an overflow error names; undefined where it names none. */
export function windowTold(error: ServerError): number | undefined {
	if (error.contextWindow !== undefined) return error.contextWindow;
	const text = error.message.toLowerCase().replace(/(\d)[,_](?=\d{3}\b)/g, "$1");
	for (const wording of WINDOW_WORDINGS) {
		const tokens = Number(wording.exec(text)?.[1]);
		if (tokens >= 256) return tokens;
	}
	return undefined;
}
