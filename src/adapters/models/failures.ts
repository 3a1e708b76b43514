// Says what went wrong with a request: HTTP answers, errors inside a reply and broken connections become a
// ModelFailure with one sentence for the person and the way out. The key is in no sentence, whatever the server echoes.

import type { ModelFailure, ModelFailureKind } from "../../types.ts";
import type { Problem } from "./canonical.ts";
import { asRecord, parseJson } from "./json.ts";
import { readRetryAfter } from "./retryAfter.ts";
import {
	findServerError,
	isContextOverflow,
	isOutOfCredit,
	type ServerError,
	waitTold,
	windowTold,
} from "./serverErrors.ts";

/** Whom a request goes to. */
export interface Endpoint {
	baseUrl: string;
	model: string;
	apiKey?: string;
}

/** An HTTP answer other than a reply. `body` may be cut. */
export interface Answer {
	status: number;
	headers: Pick<Headers, "get">;
	body: string;
}

/** The failure that an HTTP answer with an error status means; `now` is epoch milliseconds. */
export function failureOfAnswer(answer: Answer, endpoint: Endpoint, now: number): ModelFailure {
	const { status, headers, body } = answer;
	if (status >= 300 && status < 400) return redirected(answer, endpoint);
	// Gateways answer with pages of their own, so a page tells of a wrong address only where the status does too.
	if (isHtml(body) && (status === 404 || status === 405)) return failureOfPage(body, endpoint, status);
	const found = findServerError(parseJson(body));
	const error = found ?? { message: isHtml(body) ? pageTitle(body) : body.trim() };
	const wait = readRetryAfter(headers, now);
	const told = { ...error, status, ...(wait !== undefined && { retryAfterMs: wait }) };
	const failure = failureOfError(told, endpoint);
	if (!isHtml(body) || failure.kind !== "auth") return failure;
	// No model server wrote this, so whether it is about the key is not known.
	const message = `The server at ${hostOf(endpoint)}, or a gateway before it, refused the request (${status}) with a web page. Check LLM_API_KEY and LLM_BASE_URL${quote(error.message, endpoint)}`;
	return { ...failure, message };
}

/** The failure that an error told by the server means, inside a reply or as an answer of its own. */
export function failureOfError(told: ServerError, endpoint: Endpoint): ModelFailure {
	const wait = told.retryAfterMs ?? waitTold(told.message);
	const error = wait === undefined ? told : { ...told, retryAfterMs: wait };
	const kind = kindOf(error);
	const window = kind === "context_overflow" ? windowTold(error) : undefined;
	return {
		kind,
		message: `${leadOf(kind, error, endpoint)}${quote(error.message, endpoint)}`,
		retryable: isRetryable(kind) && !isOutOfCredit(error),
		...(error.code !== undefined && { code: redact(error.code, endpoint) }),
		...(window !== undefined && { contextWindow: window }),
		...(error.status !== undefined && { status: error.status }),
		...(wait !== undefined && { retryAfterMs: wait }),
	};
}

/** The failure that an unfinished or empty reply means. */
export function failureOfProblem(problem: Problem, endpoint: Endpoint): ModelFailure {
	const host = hostOf(endpoint);
	switch (problem.type) {
		case "server_error":
			return failureOfError(problem.error, endpoint);
		case "cut_off":
			return retryableFailure(
				"network",
				problem.said === "something"
					? `The reply of ${host} was cut off before its end. Send the message again.`
					: `The server at ${host} closed the connection without a reply. Check the address (LLM_BASE_URL, or the profile), or try again.`,
			);
		case "nameless_call":
			return retryableFailure(
				"unknown",
				`The reply of ${host} held a tool call without a name. Try again or use another model.`,
			);
		case "empty":
			return retryableFailure(
				"unknown",
				`The model ${endpoint.model} at ${host} gave an empty reply. Try again or use another model.`,
			);
		default:
			return problem satisfies never;
	}
}

/** The failure that a malformed event means; `payload` is what came. */
export function failureOfMalformed(payload: string, endpoint: Endpoint): ModelFailure {
	const words = quote(payload, endpoint);
	return retryableFailure(
		"network",
		`The reply of ${hostOf(endpoint)} was damaged on the way: it is no valid JSON${words}`,
	);
}

/** The failure that a 200 means whose body `text` is neither a reply nor an error: words of a gateway, `null`. */
export function failureOfNoReply(text: string, endpoint: Endpoint): ModelFailure {
	return retryableFailure(
		"unknown",
		`The server at ${hostOf(endpoint)} answered with something that is no reply; try again, or check LLM_BASE_URL${quote(text, endpoint)}`,
	);
}

/** The failure that a web page in place of a reply means. */
export function failureOfPage(body: string, endpoint: Endpoint, status: number): ModelFailure {
	const isRooted = /\/v\d+$/.test(endpoint.baseUrl);
	const advice = isRooted ? "check it" : `try ${shownUrl(endpoint)}/v1`;
	const message = `The server at ${hostOf(endpoint)} answered with a web page${quote(pageTitle(body), endpoint, " ")}, so the base URL ${shownUrl(endpoint)} is probably wrong: ${advice} (LLM_BASE_URL).`;
	return { kind: "invalid_request", message, retryable: false, status };
}

/** The failure that silence of `seconds` means. */
export function failureOfSilence(seconds: number, hasBegun: boolean, endpoint: Endpoint): ModelFailure {
	const what = hasBegun ? "stopped in the middle of its reply and sent nothing more" : "sent nothing";
	return retryableFailure(
		"timeout",
		`The server at ${hostOf(endpoint)} ${what} for ${seconds} s. Try again, or check whether the server is busy.`,
	);
}

/** The failure that a thrown error means: no connection, a reset, a bad certificate, a fault while reading. */
export function failureOfThrown(thrown: unknown, endpoint: Endpoint): ModelFailure {
	const host = hostOf(endpoint);
	const { code, message } = causeOf(thrown);
	const known = networkFault(code, host);
	if (known) return { ...known, code, retryable: known.kind !== "invalid_request" };
	if (/invalid header|ByteString|invalid character in header/i.test(message)) {
		return {
			kind: "auth",
			message: "The key holds a character that no request can carry. Set LLM_API_KEY again.",
			retryable: false,
		};
	}
	if (/invalid url|failed to parse url/i.test(message)) {
		return {
			kind: "invalid_request",
			message: `The base URL ${shownUrl(endpoint)} is not a URL. Set LLM_BASE_URL to one like https://host/v1.`,
			retryable: false,
		};
	}
	if (/certificate|CERT|self.signed/.test(`${code} ${message}`)) {
		const text = `The certificate of ${host} is not trusted (${code || message}). Check the address, or name your company's root certificate in NODE_EXTRA_CA_CERTS.`;
		return { kind: "network", message: text, retryable: false, ...(code && { code }) };
	}
	const kind = code || /fetch failed|terminated|closed/i.test(message) ? "network" : "unknown";
	const text = `The request to ${host} failed${quote(message, endpoint)}`;
	return { kind, message: text, retryable: true, ...(code && { code }) };
}

/** The failure of a request that the person stopped. */
export const CANCELLED: ModelFailure = {
	kind: "cancelled",
	message: "The request was cancelled.",
	retryable: false,
};

/** Text without the key, `Bearer` values and what looks like a key, whatever wrote it. */
export function redact(text: string, endpoint: Endpoint): string {
	const key = endpoint.apiKey ?? "";
	// A placeholder such as "ollama" is no secret, and its letters stand in ordinary words.
	const bare =
		key.length < 8
			? text
			: [key, encodeURIComponent(key)].reduce((rest, one) => rest.replaceAll(one, "[key]"), text);
	return bare
		.replace(/\/\/[^/@\s]+@/g, "//[key]@")
		.replace(/\bBearer\s+[^\s"',}]+/gi, "Bearer [key]")
		.replace(/\bsk-[\w*.-]{6,}/g, "[key]");
}

function kindOf(error: ServerError): ModelFailureKind {
	const { status } = error;
	const words = `${error.code ?? ""} ${error.type ?? ""}`.toLowerCase();
	if (status === 413 || (status !== 429 && isContextOverflow(error))) return "context_overflow";
	if (status === 401 || status === 403) return "auth";
	if (status === 429) return "rate_limit";
	if (status === 408 || status === 504 || status === 524) return "timeout";
	if (status !== undefined && status >= 500) return "overloaded";
	if (status !== undefined && status >= 400) return "invalid_request";
	// Inside a 200 only words tell.
	if (/rate.?limit|too_many|quota|throttl|resource_?exhausted/.test(words)) return "rate_limit";
	if (/auth|api_?key|permission|forbidden/.test(words)) return "auth";
	if (/timeout/.test(words)) return "timeout";
	if (/overload|unavailable|server_error|internal|capacity|insufficient_system|busy/.test(words))
		return "overloaded";
	if (/network|abort/.test(words)) return "network";
	if (/invalid|not_found|bad_request|unsupported/.test(words)) return "invalid_request";
	return "unknown";
}

function isRetryable(kind: ModelFailureKind): boolean {
	return (
		kind === "rate_limit" ||
		kind === "overloaded" ||
		kind === "network" ||
		kind === "timeout" ||
		kind === "unknown"
	);
}

function leadOf(kind: ModelFailureKind, error: ServerError, endpoint: Endpoint): string {
	const host = hostOf(endpoint);
	const status = error.status === undefined ? "" : ` (${error.status})`;
	if (isOutOfCredit(error))
		return `The account at ${host} has no credit left${status}; add some or use another model`;
	switch (kind) {
		case "auth":
			return endpoint.apiKey
				? `The server at ${host} refused the key${status}. Check LLM_API_KEY, or run agi setup`
				: `The server at ${host} wants a key${status}. Set LLM_API_KEY, or run agi setup`;
		case "rate_limit":
			return `The server at ${host} takes no more requests for the moment${status}`;
		case "overloaded":
			return `The server at ${host} has a fault or is overloaded${status}; try again later`;
		case "timeout":
			return `The server at ${host} did not answer in time${status}; try again`;
		case "context_overflow":
			return `The conversation does not fit the window of ${endpoint.model}${status}`;
		case "invalid_request":
			return error.status === 404
				? `The server at ${host} does not know the model ${endpoint.model} or the path of ${shownUrl(endpoint)} (404). See agi models for the names it knows`
				: `The server at ${host} refused the request${status}`;
		default:
			return `The server at ${host} broke off its reply with an error${status}`;
	}
}

function redirected(answer: Answer, endpoint: Endpoint): ModelFailure {
	const target = redact(answer.headers.get("location") ?? "another address", endpoint);
	const message = `The server at ${hostOf(endpoint)} redirects to ${target} (${answer.status}). Set LLM_BASE_URL to the new address; the key is not sent to where a server points.`;
	return { kind: "invalid_request", message, retryable: false, status: answer.status };
}

function networkFault(code: string, host: string): { kind: ModelFailureKind; message: string } | undefined {
	switch (code) {
		case "ECONNREFUSED":
			return {
				kind: "network",
				message: `Nothing answers at ${host}: the connection was refused. Start the server or check LLM_BASE_URL.`,
			};
		case "ENOTFOUND":
		case "EAI_AGAIN":
			return {
				kind: "network",
				message: `The name of ${host} could not be found. Check the address (LLM_BASE_URL, or the profile) and the network.`,
			};
		case "ECONNRESET":
		case "EPIPE":
		case "UND_ERR_SOCKET":
			return { kind: "network", message: `The connection to ${host} was cut off. Try again.` };
		case "ETIMEDOUT":
		case "UND_ERR_CONNECT_TIMEOUT":
		case "UND_ERR_HEADERS_TIMEOUT":
		case "UND_ERR_BODY_TIMEOUT":
			return {
				kind: "timeout",
				message: `The server at ${host} did not answer in time. Try again or check the network.`,
			};
		case "EHOSTUNREACH":
		case "ENETUNREACH":
			return { kind: "network", message: `${host} cannot be reached from this network. Check the network.` };
		case "ERR_SSL_WRONG_VERSION_NUMBER":
		case "EPROTO":
			return {
				kind: "invalid_request",
				message: `${host} does not speak https. Try http:// in LLM_BASE_URL.`,
			};
		default:
			return undefined;
	}
}

/** The innermost cause: fetch wraps what the socket said. */
function causeOf(thrown: unknown): { code: string; message: string } {
	let record = asRecord(thrown);
	let code = "";
	let message = String(thrown);
	for (let depth = 0; record && depth < 5; depth++) {
		if (typeof record["code"] === "string") code = record["code"];
		if (typeof record["message"] === "string" && record["message"] !== "") message = record["message"];
		const errors = record["errors"];
		record = asRecord(record["cause"] ?? (Array.isArray(errors) ? errors[0] : undefined));
	}
	return { code, message };
}

function retryableFailure(kind: ModelFailureKind, message: string): ModelFailure {
	return { kind, message, retryable: true };
}

function hostOf(endpoint: Endpoint): string {
	return URL.canParse(endpoint.baseUrl) ? new URL(endpoint.baseUrl).host : endpoint.baseUrl;
}

/** The base URL without what may stand in it as a user's name and password. */
function shownUrl(endpoint: Endpoint): string {
	return redact(endpoint.baseUrl, endpoint);
}

function isHtml(body: string): boolean {
	return /^\s*<(!doctype|html|head|body|\?xml)/i.test(body);
}

function pageTitle(body: string): string {
	return /<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? body.replace(/<[^>]*>/g, " ");
}

/**
 * The server's words as `: "…".` (with another lead: without the full stop), on one line, cut, without the key. Nothing but
 * the full stop where it said nothing.
 */
function quote(text: string, endpoint: Endpoint, lead = ": "): string {
	const line = redact(text, endpoint)
		.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, " ")
		.trim();
	const end = lead === ": " ? "." : "";
	if (/^[\s{}[\]"]*$/.test(line)) return end;
	return `${lead}"${line.length > 300 ? `${line.slice(0, 300)}…` : line}"${end}`;
}
