// What agi needs of the web: a public page by its address, and one request to a service that the settings name.
// Addresses come from models and pages and are data: `fetch` goes to public addresses only.

/** What a server answered; any HTTP status is an answer. */
export interface WebReply {
	ok: true;
	/** The address it came from in the end, after redirects. */
	url: string;
	status: number;
	/** Media type in lower case without parameters; empty where the server told none. */
	contentType: string;
	text: string;
}

/** Why there is no answer. `message` is a sentence that names the address. */
export interface WebFailure {
	ok: false;
	kind: "refused" | "too_large" | "not_text" | "timeout" | "cancelled" | "failed";
	message: string;
}

export type WebResult = WebReply | WebFailure;

/** None of these rejects or throws. */
export interface Web {
	/** Why an address is never fetched, as far as its text alone tells; undefined where it may be tried. Asks nobody. */
	refusal(url: string): string | undefined;
	/** GET of a text at a public address: at most 5 redirects, each checked like the first, 5 MB and 20 s. */
	fetch(url: string, options: { signal: AbortSignal }): Promise<WebResult>;
	/** POST of a JSON body to an address out of the settings, wherever it is; follows no redirect, same bounds. */
	post(
		url: string,
		body: unknown,
		options: { headers: Record<string, string>; signal: AbortSignal },
	): Promise<WebResult>;
}
