// What can be said of a model server's address by looking at it. Pure: nothing is resolved or asked.

/** Whether `text` can be the base URL of a model server: http or https, a host, no user name or password. */
export function isBaseUrl(text: string): boolean {
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return false;
	const url = new URL(text);
	return url.username === "" && url.password === "" && url.search === "" && url.hash === "";
}

/** What is wrong with a base URL for which `isBaseUrl` is false, as the end of a sentence. */
export const BASE_URL_RULE =
	"must be a URL such as https://api.openai.com/v1, with http or https and without user name, password, ? or #";

/** The host name of a base URL; the text itself where it is no URL. */
export function hostOf(baseUrl: string): string {
	return URL.canParse(baseUrl) ? new URL(baseUrl).hostname : baseUrl;
}

/** Whether two base URLs have the same origin and path, whatever the slashes at the end. */
export function sameServer(one: string, other: string): boolean {
	if (!URL.canParse(one) || !URL.canParse(other)) return false;
	const normal = (url: URL): string => url.origin + url.pathname.replace(/\/+$/, "");
	return normal(new URL(one)) === normal(new URL(other));
}

/**
 * Whether a base URL leads to this machine or a private network: loopback, RFC 1918, link-local and unique local
 * addresses, `localhost`, `*.local`, `*.internal`, and names without a dot. Such a server needs no key.
 */
export function isLocalAddress(baseUrl: string): boolean {
	if (!URL.canParse(baseUrl)) return false;
	const host = new URL(baseUrl).hostname.replace(/\.$/, "");
	if (host.startsWith("[")) return /^\[(::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)\]$/.test(host);
	if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) {
		return /^(0\.0\.0\.0$|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(host);
	}
	return !host.includes(".") || /\.(localhost|local|internal)$/.test(host);
}
