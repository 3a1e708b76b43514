// Fetches texts from the public internet and from nowhere else. Every address is checked after its name was looked up,
// once, and the connection goes to what was checked; so neither a redirect, an odd spelling nor a name that changes its
// address leads into this machine or its network. Never sends a credential to an address that a model chose.

import { isIP } from "node:net";
import type { Web, WebFailure, WebResult } from "../../ports/web.ts";
import { decodeText, isTextType, mediaType } from "./decodeText.ts";
import { type Address, BodyTooLarge, type ExchangeReply, exchange } from "./exchange.ts";
import { nonPublicKind } from "./publicAddress.ts";

const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 20_000;

/** What may differ from the system and the bounds of the port. */
export interface WebOptions {
	/** For tests: `host:port` pairs that may be fetched although they are not public. */
	allowedHosts?: readonly string[];
	/** All addresses of a name; the system's look-up where absent. */
	lookup?(host: string): Promise<Address[]>;
	/** Whether a redirect may lead to this address; to every public one where absent. */
	mayFollow?(url: string): boolean;
	/** For all of a call, redirects included; in milliseconds. */
	timeoutMs?: number;
}

/** A web with the bounds of the port. */
export function createPublicWeb(options: WebOptions = {}): Web {
	const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
	return {
		refusal: (url) => {
			const parsed = readAddress(url);
			return typeof parsed === "string" ? parsed : refuseByText(parsed, options);
		},
		fetch: (url, { signal }) =>
			bounded(url, signal, timeoutMs, (both) => followToText(url, { ...options, signal: both })),
		post: (url, body, { headers, signal }) =>
			bounded(url, signal, timeoutMs, async (both) => {
				const reply = await exchange(new URL(url), {
					method: "POST",
					headers: { "content-type": "application/json", accept: "application/json", ...headers },
					body: JSON.stringify(body),
					maxBytes: MAX_BYTES,
					signal: both,
					wantsBody: () => true,
				});
				return readText(url, reply);
			}),
	};
}

type FetchOptions = WebOptions & { signal: AbortSignal };

/** Runs one call under one time limit and turns whatever it throws into a failure. */
async function bounded(
	url: string,
	signal: AbortSignal,
	timeoutMs: number,
	call: (signal: AbortSignal) => Promise<WebResult>,
): Promise<WebResult> {
	const timeout = AbortSignal.timeout(timeoutMs);
	try {
		return await call(AbortSignal.any([signal, timeout]));
	} catch (error) {
		if (signal.aborted) return fail("cancelled", `Fetching ${url} was cancelled.`);
		if (timeout.aborted)
			return fail("timeout", `${url} did not answer in full within ${timeoutMs / 1000} s.`);
		if (error instanceof BodyTooLarge)
			return fail("too_large", `${url} is larger than ${MAX_BYTES / 1e6} MB.`);
		return fail("failed", `${url} could not be fetched: ${describe(error)}.`);
	}
}

async function followToText(start: string, options: FetchOptions): Promise<WebResult> {
	let next = start;
	for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
		const url = readAddress(next);
		if (typeof url === "string") return fail("refused", url);
		const checked = await checkAddresses(url, options);
		if (typeof checked === "string") return fail("refused", checked);
		const reply = await exchange(url, {
			method: "GET",
			headers: { "user-agent": "agi", accept: "text/html, application/json, text/*;q=0.9, */*;q=0.1" },
			addresses: checked,
			maxBytes: MAX_BYTES,
			signal: options.signal,
			wantsBody: (status, contentType) => !isRedirect(status) && isTextType(mediaType(contentType)),
		});
		if (!isRedirect(reply.status) || reply.location === undefined) return readText(url.href, reply);
		if (!URL.canParse(reply.location, url)) {
			return fail("failed", `${url.href} redirects to an address that cannot be read.`);
		}
		next = new URL(reply.location, url).href;
		if (options.mayFollow?.(next) === false)
			return fail(
				"refused",
				`${url.href} redirects to ${next}, and a rule speaks of that address. Fetch it by itself where it is needed.`,
			);
	}
	return fail("failed", `${start} redirects more than ${MAX_REDIRECTS} times; the last address was ${next}.`);
}

/** The parsed address, or the sentence that says why it is none that is fetched. */
function readAddress(text: string): URL | string {
	if (!URL.canParse(text))
		return `${text} is not a web address; give a whole one, such as https://example.com/.`;
	const url = new URL(text);
	if (url.protocol !== "http:" && url.protocol !== "https:") {
		return `Refused to fetch ${text}: only http and https addresses are fetched.`;
	}
	if (url.username !== "" || url.password !== "") {
		url.username = "";
		url.password = "";
		return `Refused to fetch ${url.href} with a user name or password in the address; leave them out.`;
	}
	return url;
}

function refuseByText(url: URL, options: WebOptions): string | undefined {
	if (isAllowed(url, options)) return undefined;
	const host = hostOf(url);
	if (isIP(host) !== 0) return refuseByAddress(url, host);
	return /(^|\.)localhost\.?$/.test(host) ? refuseByAddress(url, "127.0.0.1") : undefined;
}

/** The addresses to connect to, all of them public; else the sentence of the refusal. */
async function checkAddresses(url: URL, options: FetchOptions): Promise<Address[] | string> {
	const byText = refuseByText(url, options);
	if (byText !== undefined) return byText;
	const host = hostOf(url);
	const family = isIP(host);
	const addresses = family === 0 ? await lookUp(host, options) : [{ address: host, family }];
	if (isAllowed(url, options)) return addresses;
	// One bad address among good ones refuses them all: which one the connection takes is not ours to say.
	for (const { address } of addresses) {
		const refusal = refuseByAddress(url, address);
		if (refusal !== undefined) return refusal;
	}
	return addresses;
}

function refuseByAddress(url: URL, address: string): string | undefined {
	const kind = nonPublicKind(address);
	if (kind === undefined) return undefined;
	const host = hostOf(url);
	const leads = host === address ? host : `${host} (${address})`;
	return `Refused to fetch ${url.href}: ${leads} is ${kind} address, and only public ones are fetched.`;
}

async function lookUp(host: string, options: FetchOptions): Promise<Address[]> {
	const { signal } = options;
	signal.throwIfAborted();
	const lookup = options.lookup ?? systemLookup;
	const aborted = Promise.withResolvers<never>();
	const abort = () => aborted.reject(signal.reason);
	signal.addEventListener("abort", abort, { once: true });
	try {
		const addresses = await Promise.race([lookup(host), aborted.promise]);
		if (addresses.length === 0) throw new Error(`${host} has no address`);
		return addresses;
	} finally {
		signal.removeEventListener("abort", abort);
	}
}

async function systemLookup(host: string): Promise<Address[]> {
	const dns = await import("node:dns/promises");
	return dns.lookup(host, { all: true });
}

function readText(url: string, reply: ExchangeReply): WebResult {
	const contentType = mediaType(reply.contentType);
	const text = isTextType(contentType) ? decodeText(reply.body, reply.contentType) : undefined;
	if (text === undefined) {
		return fail("not_text", `${url} is ${contentType || "binary"} and not text; only texts are fetched.`);
	}
	return { ok: true, url, status: reply.status, contentType, text };
}

function isRedirect(status: number): boolean {
	return [301, 302, 303, 307, 308].includes(status);
}

function isAllowed(url: URL, options: WebOptions): boolean {
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	return options.allowedHosts?.includes(`${hostOf(url)}:${port}`) ?? false;
}

/** The host without the brackets of an IPv6 address. */
function hostOf(url: URL): string {
	return url.hostname.replace(/^\[|\]$/g, "");
}

function fail(kind: WebFailure["kind"], message: string): WebFailure {
	return { ok: false, kind, message };
}

/** The cause of a network error in short; Node's own text may be empty (AggregateError). */
function describe(error: unknown): string {
	const { code, message } = error as NodeJS.ErrnoException;
	if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the name could not be looked up";
	if (code === "ECONNREFUSED") return "nothing listens there (connection refused)";
	return message || code || "the connection failed";
}
