// Asks a model server on this machine how large its context window really is: local servers are often started with less
// than the model could take, and some cut a prompt that is too long without a word. It reads only, and never rejects.

import { normalBaseUrl } from "./aiSdk.ts";
import { type HttpFetch, httpFetch } from "./httpFetch.ts";
import { asRecord, type JsonRecord, parseJson } from "./json.ts";

/** A window that a server told. `exact`: it is in force now; else the server may give the model less, never more. */
export interface LocalWindow {
	tokens: number;
	exact: boolean;
	/** The server's name. */
	server: "Ollama" | "llama.cpp" | "vLLM" | "LM Studio";
}

export interface LocalWindowOptions {
	baseUrl: string;
	model: string;
	signal: AbortSignal;
	apiKey?: string;
	fetch?: HttpFetch;
}

/** Whether an address names this machine. */
export function isLocalAddress(baseUrl: string): boolean {
	if (!URL.canParse(baseUrl)) return false;
	return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)$/.test(new URL(baseUrl).hostname);
}

/** The window of `model` at a server on this machine; undefined where the server is elsewhere or tells none. */
export async function readLocalWindow(options: LocalWindowOptions): Promise<LocalWindow | undefined> {
	const { baseUrl, model } = options;
	if (!isLocalAddress(baseUrl)) return undefined;
	const base = normalBaseUrl(baseUrl);
	const root = base.replace(/\/v\d+$/, "");
	const get = (url: string, body?: object) => ask(options, url, body);
	const entry = entryOf(await get(`${base}/models`), model);
	if (!entry) return undefined;
	// The list tells whose server it is, so that no other is asked for paths that it does not have.
	switch (entry["owned_by"]) {
		case "vllm":
			return windowOf("vLLM", true, entry["max_model_len"]);
		case "llamacpp": {
			const props = await get(`${root}/props`);
			const settings = asRecord(props?.["default_generation_settings"]);
			return windowOf("llama.cpp", true, settings?.["n_ctx"] ?? props?.["n_ctx"]);
		}
		case "organization_owner": {
			const told = await get(`${root}/api/v0/models/${encodeURIComponent(model)}`);
			return (
				windowOf("LM Studio", true, told?.["loaded_context_length"]) ??
				windowOf("LM Studio", false, told?.["max_context_length"])
			);
		}
		case "library":
			return ollamaWindow(get, root, model);
		default:
			return windowOf("vLLM", true, entry["max_model_len"]);
	}
}

type Get = (url: string, body?: object) => Promise<JsonRecord | undefined>;

/** What runs now (https://docs.ollama.com/api/ps), else what the model's own file says (/api/show). */
async function ollamaWindow(get: Get, root: string, model: string): Promise<LocalWindow | undefined> {
	const running = entriesOf(await get(`${root}/api/ps`), "models").find(
		(one) => sameTag(one["name"], model) || sameTag(one["model"], model),
	);
	const loaded = windowOf("Ollama", true, running?.["context_length"]);
	if (loaded) return loaded;
	const shown = await get(`${root}/api/show`, { model });
	const parameters = typeof shown?.["parameters"] === "string" ? shown["parameters"] : "";
	const own = windowOf("Ollama", true, Number(/^num_ctx\s+(\d+)/m.exec(parameters)?.[1]));
	if (own) return own;
	const facts = asRecord(shown?.["model_info"]) ?? {};
	const key = Object.keys(facts).find((name) => name.endsWith(".context_length"));
	return windowOf("Ollama", false, key && facts[key]);
}

/** Ollama lists `name:latest` for what was asked for as `name`. */
function sameTag(listed: unknown, model: string): boolean {
	return listed === model || listed === `${model}:latest`;
}

function windowOf(server: LocalWindow["server"], exact: boolean, told: unknown): LocalWindow | undefined {
	const tokens = Number(told);
	return Number.isInteger(tokens) && tokens > 0 ? { tokens, exact, server } : undefined;
}

/** The model's entry in a list of models; the only one where its name is another, as servers of one model have it. */
function entryOf(list: JsonRecord | undefined, model: string): JsonRecord | undefined {
	const entries = entriesOf(list, "data");
	const own = entries.find((one) => sameTag(one["id"], model));
	return own ?? (entries.length === 1 ? entries[0] : undefined);
}

function entriesOf(value: JsonRecord | undefined, key: string): JsonRecord[] {
	const list = value?.[key];
	return Array.isArray(list) ? list.map(asRecord).filter((one) => one !== undefined) : [];
}

async function ask(
	{ signal, apiKey, fetch = httpFetch }: LocalWindowOptions,
	url: string,
	body?: object,
): Promise<JsonRecord | undefined> {
	try {
		const response = await fetch(url, {
			method: body ? "POST" : "GET",
			headers: {
				accept: "application/json",
				...(body && { "content-type": "application/json" }),
				...(apiKey && { authorization: `Bearer ${apiKey}` }),
			},
			...(body && { body: JSON.stringify(body) }),
			redirect: "manual",
			signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
		});
		const text = await response.text();
		return response.ok ? asRecord(parseJson(text)) : undefined;
	} catch {
		// A server that does not answer tells no window; the request to the model will say what is wrong with it.
		return undefined;
	}
}
