// Finds the error in what a server sent, in the many shapes servers have for it, and tells a context overflow, an empty
// account and a wait by their codes and wordings. Pure; it judges nothing else and makes no sentences (`failures.ts` does).

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
	/** How long it asks to wait, in milliseconds. */
	retryAfterMs?: number;
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
	// Some servers have a word as their status, beside a number as their code.
	const status = [record["status_code"], record["status"], code].map(Number).find(isErrorStatus);
	const type = asWord(record["type"]) ?? asWord(record["status"]);
	const isWord = type !== undefined && !/^\d+$/.test(type);
	const window = typeof record["n_ctx"] === "number" ? record["n_ctx"] : undefined;
	return {
		message: raw ? `${message} (${raw})` : message,
		...(code !== undefined && code !== "" && { code: String(code) }),
		...(isWord && { type }),
		...(status !== undefined && { status }),
		...(window !== undefined && { contextWindow: window }),
	};
}

function isErrorStatus(status: number): boolean {
	return Number.isInteger(status) && status >= 400 && status <= 599;
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

/** Codes and types that mean an empty account, whatever the status and the words. */
const NO_CREDIT_CODES =
	/insufficient_(user_|token_)?(quota|balance|credits?|funds)|billing_(not_active|hard_limit)|exceeded_current_quota|(credits?|balance)_(exhausted|depleted|too_low)|(no|out_of|low)_(credits?|balance)|payment_required|arrearage|account_?overdue|^1113\b/;

/** Codes and types that mean too many requests; what the words say about billing is an offer then. */
const RATE_CODES =
	/rate.?limit|too_many|throttl|resource_?exhausted|\b(requests|tokens)\b|per_(minute|day)|\b[rt]p[md]\b/;

/** The money of the account itself, not a page where more can be bought or a field that is called so. */
const NO_CREDIT_WORDINGS: readonly RegExp[] = [
	/insufficient (account |user |token )?(balance|credits?|funds|quota)\b/,
	/\b(balance|credits?|funds) (is |are |has been |have been )?(not enough|too low|insufficient|exhausted|depleted|used up)/,
	/\b(out of|no|no more|not enough|used all|exhausted your|used up your) (remaining |available )?(credits|funds|credit (left|balance))\b/,
	/requires? (more|additional) credits\b/,
	/exceeded your current (token )?quota[^.]*\b(billing|balance)\b/,
	/billing (account )?is not active|account is not active[^.]*billing|payment required/,
	/余额不足|欠费/,
];

/**
 * Whether an error says that nothing is left to pay with, so that waiting does not help. Codes decide first; words count
 * only where no code tells a rate, no wait is asked, and the status may mean it.
 */
export function isOutOfCredit(error: ServerError): boolean {
	if (error.status === 402) return true;
	const codes = `${error.code ?? ""} ${error.type ?? ""}`.trim().toLowerCase();
	if (NO_CREDIT_CODES.test(codes)) return true;
	if (RATE_CODES.test(codes) || error.retryAfterMs !== undefined) return false;
	if (![undefined, 400, 403, 429].includes(error.status)) return false;
	const words = error.message.toLowerCase();
	return NO_CREDIT_WORDINGS.some((wording) => wording.test(words));
}

const UNIT = /ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?/.source;
const AMOUNT = `(\\d+(?:\\.\\d+)?)\\s?(${UNIT})(?![a-z])`;
const BETWEEN = /[\s,]{0,4}(?:and\s)?/.source;
/** Ends at no amount, so that one of an unknown unit leaves no half of the wait. */
const WAIT = new RegExp(
	`\\b(?:try again|retry)(?: again)? (?:in|after) ((?:${AMOUNT}${BETWEEN})+)(?!${BETWEEN}\\d)`,
);

/** Milliseconds that the words of an error ask to wait, as in `try again in 1m30.5s`; undefined where they ask none. */
export function waitTold(message: string): number | undefined {
	const amounts = WAIT.exec(message.toLowerCase())?.[1];
	if (amounts === undefined) return undefined;
	let wait = 0;
	for (const [, amount, unit] of amounts.matchAll(new RegExp(AMOUNT, "g")))
		wait += Number(amount) * millisecondsOf(unit ?? "");
	return Math.ceil(wait);
}

function millisecondsOf(unit: string): number {
	if (unit === "ms" || unit.startsWith("milli")) return 1;
	if (unit.startsWith("s")) return 1000;
	return unit.startsWith("m") ? 60_000 : 3_600_000;
}
