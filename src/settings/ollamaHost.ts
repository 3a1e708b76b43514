// `OLLAMA_HOST`, by which Ollama's own programs find their server, as the address of the profile `ollama`. Pure.

import { isBaseUrl, isLocalAddress } from "./baseUrl.ts";
import type { ProviderProfile } from "./chooseModel.ts";
import { environmentValue } from "./findKey.ts";

/** The variable and the profile whose address it is. */
export const OLLAMA_VARIABLE = "OLLAMA_HOST";
export const OLLAMA_PROFILE = "ollama";

/** What is wrong with a value for which `ollamaBaseUrl` is undefined, as the end of a sentence. */
export const OLLAMA_HOST_RULE =
	"must be a host, host:port or URL such as 127.0.0.1:11434, without user name, password, ? or #";

const OLLAMA_PORT = 11434;

/**
 * The base URL that a value means: `host`, `host:port`, `:port` or an http or https URL, whose port is 11434 where no scheme
 * is written. An address that a server listens on everywhere is, for a client, `localhost`. Undefined where it is none.
 */
export function ollamaBaseUrl(value: string): string | undefined {
	const [, scheme, place = "", path = ""] =
		/^(?:(https?):\/\/)?([^/]*)(\/.*)?$/i.exec(value.trim().replace(/^["']|["']$/g, "")) ?? [];
	const [, name = "", port] = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(bracketed(place)) ?? [undefined, place];
	const host = ["", "0.0.0.0", "[::]"].includes(name) ? "localhost" : name;
	const usualPort = scheme === undefined ? `:${OLLAMA_PORT}` : "";
	const root = `${scheme?.toLowerCase() ?? "http"}://${host}${port ?? usualPort}${path.replace(/\/+$/, "")}`;
	const baseUrl = root.endsWith("/v1") ? root : `${root}/v1`;
	return isBaseUrl(baseUrl) ? baseUrl : undefined;
}

/** The profiles with Ollama's at the address that the environment names; a value that is none is passed over. */
export function withOllamaHost<P extends ProviderProfile>(
	profiles: readonly P[],
	env: Readonly<Record<string, string | undefined>>,
): P[] {
	const value = environmentValue(env, OLLAMA_VARIABLE);
	const baseUrl = value === undefined ? undefined : ollamaBaseUrl(value);
	if (baseUrl === undefined) return [...profiles];
	const moved = { baseUrl, local: isLocalAddress(baseUrl) };
	return profiles.map((profile) => (profile.name === OLLAMA_PROFILE ? { ...profile, ...moved } : profile));
}

/** An IPv6 address may be written without brackets where no port follows. */
function bracketed(place: string): string {
	return /^[\da-f]*:[\da-f]*:[\da-f:.]*$/i.test(place) ? `[${place}]` : place;
}
