import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type Endpoint,
	failureOfAnswer,
	failureOfError,
	failureOfThrown,
	redact,
} from "../../../src/adapters/models/failures.ts";

const KEY = "sk-test-CCC-123456";
const ENDPOINT: Endpoint = { baseUrl: "https://models.example/v1", model: "m-1", apiKey: KEY };

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return failureOfAnswer({ status, headers: new Headers(headers), body: text }, ENDPOINT, 0);
}

const page = (title: string) =>
	`<html>\r\n<head><title>${title}</title></head>\r\n<body><center><h1>${title}</h1></center></body>\r\n</html>`;
const said = (message: string, code?: string) => ({ error: { message, ...(code && { code }) } });

describe("failureOfAnswer", () => {
	it.each([
		[400, said("bad field"), "invalid_request", false],
		[401, said("bad key"), "auth", false],
		[402, said("Insufficient Balance"), "invalid_request", false],
		[403, said("no"), "auth", false],
		[404, said("model m-1 not found"), "invalid_request", false],
		[408, said("slow"), "timeout", true],
		[409, said("conflict"), "invalid_request", false],
		[413, "request entity too large", "context_overflow", false],
		[422, said("unknown field"), "invalid_request", false],
		[429, said("slow down"), "rate_limit", true],
		[429, said("You exceeded your current quota", "insufficient_quota"), "rate_limit", false],
		[429, said("Limit 8000 tokens per minute exceeded"), "rate_limit", true],
		[400, said("x", "context_length_exceeded"), "context_overflow", false],
		[500, said("oops"), "overloaded", true],
		[500, said("the request exceeds the available context size (8192 tokens)"), "context_overflow", false],
		[503, "<html><title>503 Service Unavailable</title></html>", "overloaded", true],
		[504, "", "timeout", true],
		[529, said("overloaded"), "overloaded", true],
		[401, page("401 Authorization Required"), "auth", false],
		[403, page("Just a moment..."), "auth", false],
		[408, page("408 Request Time-out"), "timeout", true],
		[413, page("413 Request Entity Too Large"), "context_overflow", false],
		[400, page("400 Bad Request"), "invalid_request", false],
		[400, said("Invalid value for property 'credit_limit'"), "invalid_request", false],
		[500, said("internal error in accreditation service"), "overloaded", true],
		[429, said("Upgrade at https://h/settings/billing", "rate_limit_exceeded"), "rate_limit", true],
	])("reads %i %j as %s, retryable %s", (status, body, kind, retryable) => {
		expect(answer(status, body)).toMatchObject({ kind, retryable, status });
	});

	it("names the host and the way out", () => {
		expect(answer(401, said("bad")).message).toBe(
			'The server at models.example refused the key (401). Check LLM_API_KEY, or run agi setup: "bad".',
		);
		expect(answer(404, said("no such model")).message).toContain("does not know the model m-1");
		expect(answer(404, said("no such model")).message).toContain("agi models");
		expect(
			failureOfAnswer(
				{ status: 401, headers: new Headers(), body: "" },
				{ baseUrl: "https://h/v1", model: "m" },
				0,
			).message,
		).toContain("wants a key");
	});

	it("ends its sentence, whether the server said something or an empty object", () => {
		const lead = "The server at models.example takes no more requests for the moment (429)";
		expect(answer(429, "{}").message).toBe(`${lead}.`);
		expect(answer(429, "slow down").message).toBe(`${lead}: "slow down".`);
	});

	it("tells the wait, the code and the window where the server told them", () => {
		expect(answer(429, said("x"), { "retry-after": "2" })).toMatchObject({ retryAfterMs: 2000 });
		expect(answer(400, said("maximum context length is 8192 tokens", "too_long"))).toMatchObject({
			code: "too_long",
			contextWindow: 8192,
		});
	});

	it.each([401, 403, 408, 413, 400, 429, 503])(
		"lets the status %i decide where a gateway sends a page, and quotes its title",
		(status) => {
			const { message } = answer(status, page("Go away"));
			expect(message).not.toContain("base URL");
			expect(message).toContain('"Go away"');
		},
	);

	it("does not say that a key was refused where a gateway sends a page", () => {
		expect(answer(403, page("Just a moment...")).message).toBe(
			'The server at models.example, or a gateway before it, refused the request (403) with a web page. Check LLM_API_KEY and LLM_BASE_URL: "Just a moment...".',
		);
	});

	it("speaks of no credit only where the account has none", () => {
		const credit = "has no credit left";
		expect(answer(402, said("x")).message).toContain(credit);
		expect(answer(429, said("x", "insufficient_quota")).message).toContain(credit);
		expect(answer(400, said("Invalid value for property 'credit_limit'")).message).not.toContain(credit);
		expect(answer(500, said("error in accreditation service")).message).not.toContain(credit);
		expect(answer(429, said("see /settings/billing", "rate_limit_exceeded")).message).not.toContain(credit);
	});

	it("reads a wait in the words where no header tells one", () => {
		const body = said("Rate limit reached. Please try again in 20s.", "rate_limit_exceeded");
		expect(answer(429, body)).toMatchObject({ retryAfterMs: 20_000, retryable: true });
		expect(answer(429, body, { "retry-after": "3" })).toMatchObject({ retryAfterMs: 3000 });
	});

	it("says of a web page that the base URL is probably wrong", () => {
		const page = "<!DOCTYPE html><html><head><title>Welcome to LM</title></head></html>";
		const endpoint = { baseUrl: "http://localhost:1234", model: "m" };
		const failure = failureOfAnswer({ status: 404, headers: new Headers(), body: page }, endpoint, 0);
		expect(failure).toMatchObject({ kind: "invalid_request", retryable: false });
		expect(failure.message).toContain("try http://localhost:1234/v1");
		expect(failure.message).toContain("Welcome to LM");
	});

	it("names the target of a redirect and does not follow it", () => {
		const failure = answer(308, "", { location: "https://other.example/v1/chat/completions" });
		expect(failure).toMatchObject({ kind: "invalid_request", retryable: false, status: 308 });
		expect(failure.message).toContain("https://other.example/v1/chat/completions");
	});

	it("holds neither the key nor control characters, whatever the server echoes", () => {
		const around = fc.string({ unit: "binary" });
		fc.assert(
			fc.property(around, around, fc.constantFrom(400, 401, 404, 429, 500), (before, behind, status) => {
				const { message } = answer(status, said(`${before} Authorization: Bearer ${KEY} ${KEY}${behind}`));
				expect(message).not.toContain(KEY);
				expect(message).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
			}),
		);
	});
});

describe("failureOfError", () => {
	it.each([
		[{ message: "x", code: "overloaded" }, "overloaded", true],
		[{ message: "x", type: "server_error" }, "overloaded", true],
		[{ message: "x", code: "rate_limit_exceeded" }, "rate_limit", true],
		[{ message: "x", code: "insufficient_quota" }, "rate_limit", false],
		[{ message: "x", code: "invalid_api_key" }, "auth", false],
		[{ message: "x", type: "invalid_request_error" }, "invalid_request", false],
		[{ message: "x", code: "502", status: 502 }, "overloaded", true],
		[{ message: "something odd" }, "unknown", true],
	])("reads %j inside a reply as %s, retryable %s", (error, kind, retryable) => {
		expect(failureOfError(error, ENDPOINT)).toMatchObject({ kind, retryable });
	});
});

describe("failureOfThrown", () => {
	const fault = (code: string, message = "x") =>
		new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });

	it.each([
		["ECONNREFUSED", "network", true, "Nothing answers at models.example"],
		["ENOTFOUND", "network", true, "could not be found"],
		["ECONNRESET", "network", true, "was cut off"],
		["UND_ERR_CONNECT_TIMEOUT", "timeout", true, "in time"],
		["SELF_SIGNED_CERT_IN_CHAIN", "network", false, "NODE_EXTRA_CA_CERTS"],
		["CERT_HAS_EXPIRED", "network", false, "certificate of models.example"],
		["ERR_SSL_WRONG_VERSION_NUMBER", "invalid_request", false, "http://"],
	])("explains %s", (code, kind, retryable, words) => {
		const failure = failureOfThrown(fault(code), ENDPOINT);
		expect(failure).toMatchObject({ kind, retryable, code });
		expect(failure.message).toContain(words);
	});

	it("holds no key where the key itself broke the request", () => {
		const failure = failureOfThrown(
			new TypeError(`Headers.append: "Bearer ${KEY}\n" is an invalid header value.`),
			ENDPOINT,
		);
		expect(failure.kind).toBe("auth");
		expect(failure.message).not.toContain(KEY);
	});

	it("says of a base URL that is none", () => {
		const failure = failureOfThrown(new TypeError("Invalid URL"), { baseUrl: "localhost", model: "m" });
		expect(failure.message).toContain("localhost is not a URL");
	});
});

describe("redact", () => {
	it("leaves words alone that a placeholder key happens to be", () => {
		expect(redact("the x in x-ray", { ...ENDPOINT, apiKey: "x" })).toBe("the x in x-ray");
	});

	it("hides a name and password inside a URL", () => {
		const endpoint = { baseUrl: "http://me:hunter2@h/x", model: "m" };
		const page = { status: 404, headers: new Headers(), body: "<html>no</html>" };
		expect(failureOfAnswer(page, endpoint, 0).message).not.toContain("hunter2");
	});

	it("hides the key URL-encoded as well", () => {
		expect(redact("?key=a%2Fbcdefgh%3D", { ...ENDPOINT, apiKey: "a/bcdefgh=" })).toBe("?key=[key]");
	});
});
