// A small fetch over Node's own HTTP client, for requests to models: the runtime's own costs a fifth of the start-up and
// gives up after 300 s of silence. It keeps connections, goes through the environment's proxy, follows no redirect, and
// sets no time limit of its own.

import {
	Agent,
	type ClientRequest,
	request as httpRequest,
	type IncomingMessage,
	type RequestOptions,
} from "node:http";

/** What is sent; a RequestInit of the global fetch as far as it goes. */
export interface HttpRequest {
	/** Default: GET. */
	method?: string;
	headers: Record<string, string>;
	body?: string;
	redirect: "manual";
	signal: AbortSignal;
}

/** What came back; a Response of the global fetch as far as it goes. */
export interface HttpResponse {
	/** Whether the status is 200 to 299. */
	ok: boolean;
	status: number;
	headers: Pick<Headers, "get">;
	/** The decoded bytes, once; throws the network's error where the connection breaks. Leaving it early hangs up. */
	body: AsyncIterable<Uint8Array> | null;
	/** The rest of the body as UTF-8. */
	text(): Promise<string>;
}

/** Sends one request. Rejects with the network's error (it has a `code`) or, after an abort, with the signal's reason. */
export type HttpFetch = (url: string, request: HttpRequest) => Promise<HttpResponse>;

/**
 * A transport with connections of its own. Proxy variables count, except for this machine itself: HTTP_PROXY,
 * HTTPS_PROXY and NO_PROXY, in either case.
 */
export function createHttpFetch(env: NodeJS.ProcessEnv): HttpFetch {
	const openers = new Map<string, Opener>();
	return async (address, { method = "GET", headers, body, signal }) => {
		signal.throwIfAborted();
		const url = new URL(address);
		// A server on this machine is reached directly, as a proxy elsewhere could not.
		const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
		const kind = `${url.protocol} ${isLocal}`;
		const open = openers.get(kind) ?? (await createOpener(url.protocol, isLocal ? {} : env));
		openers.set(kind, open);
		const sent = { accept: "*/*", "accept-encoding": "identity", ...headers };
		const request = open(url, { method, headers: sent, signal });
		const response = await new Promise<IncomingMessage>((resolve, reject) => {
			request.once("response", resolve);
			// It stays on: what breaks after the response is told by the body, and unheard here it would end the process.
			request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
			request.end(body);
		});
		return toResponse(response, await decoded(response), signal);
	};
}

/** The transport of this process: requests of all models share its connections. */
export const httpFetch: HttpFetch = createHttpFetch(process.env);

type Opener = (url: URL, options: RequestOptions) => ClientRequest;

/** Opens requests on kept connections. TLS is loaded only for https: it takes longer than the rest of a request. */
async function createOpener(protocol: string, env: NodeJS.ProcessEnv): Promise<Opener> {
	if (protocol !== "https:") {
		const agent = new Agent({ keepAlive: true, proxyEnv: env });
		return (url, options) => httpRequest(url, { ...options, agent });
	}
	const https = await import("node:https");
	const agent = new https.Agent({ keepAlive: true, proxyEnv: env });
	return (url, options) => https.request(url, { ...options, agent });
}

function toResponse(
	head: IncomingMessage,
	bytes: AsyncIterable<Uint8Array>,
	signal: AbortSignal,
): HttpResponse {
	const status = head.statusCode ?? 0;
	const body = untilAborted(bytes, signal);
	return {
		ok: status >= 200 && status < 300,
		status,
		headers: { get: (name) => head.headersDistinct[name.toLowerCase()]?.join(", ") ?? null },
		body,
		async text() {
			const decoder = new TextDecoder();
			let text = "";
			for await (const part of body) text += decoder.decode(part, { stream: true });
			return text + decoder.decode();
		},
	};
}

/** An abort shows in a stream as a broken connection; here it keeps its reason. */
async function* untilAborted(
	bytes: AsyncIterable<Uint8Array>,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
	try {
		yield* bytes;
	} catch (error) {
		throw signal.aborted ? signal.reason : error;
	}
}

/** The body without its content coding. None was asked for, but some gateways compress all the same. */
async function decoded(response: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
	const coding = response.headers["content-encoding"]?.trim().toLowerCase();
	if (coding !== "gzip" && coding !== "x-gzip" && coding !== "deflate" && coding !== "br") return response;
	const [zlib, { pipeline }] = await Promise.all([import("node:zlib"), import("node:stream")]);
	const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
	const decoder =
		coding === "br"
			? zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH })
			: coding === "deflate"
				? zlib.createInflate({ flush: Z_SYNC_FLUSH })
				: zlib.createGunzip({ flush: Z_SYNC_FLUSH });
	// The decoder throws what ends the pipeline; nobody else has to hear it.
	return pipeline(response, decoder, () => undefined);
}
