// Asks a server which models it has (`GET /models`). It sends the key only to the base URL it was given.

import type { ModelFailure } from "../../types.ts";
import { normalBaseUrl } from "./aiSdk.ts";
import {
	type Endpoint,
	failureOfAnswer,
	failureOfPage,
	failureOfSilence,
	failureOfThrown,
} from "./failures.ts";
import { type HttpFetch, httpFetch } from "./httpFetch.ts";
import { asRecord, asWord, parseJson } from "./json.ts";

export type ModelList = { ok: true; models: string[] } | { ok: false; failure: ModelFailure };

/** The names a server lists, sorted; or why it lists none. Never rejects. Default time-out: 10,000 ms. */
export async function listModels(options: {
	baseUrl: string;
	apiKey?: string;
	timeoutMs?: number;
	fetch?: HttpFetch;
}): Promise<ModelList> {
	const endpoint: Endpoint = { ...options, baseUrl: normalBaseUrl(options.baseUrl), model: "models" };
	const { timeoutMs = 10_000 } = options;
	const send = options.fetch ?? httpFetch;
	try {
		const response = await send(`${endpoint.baseUrl}/models`, {
			headers: {
				accept: "application/json",
				...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
			},
			redirect: "manual",
			signal: AbortSignal.timeout(timeoutMs),
		});
		const body = await response.text();
		if (!response.ok) {
			const answer = { status: response.status, headers: response.headers, body };
			return { ok: false, failure: failureOfAnswer(answer, endpoint, Date.now()) };
		}
		const models = readNames(parseJson(body));
		return models
			? { ok: true, models }
			: { ok: false, failure: failureOfPage(body, endpoint, response.status) };
	} catch (error) {
		if (error instanceof Error && error.name === "TimeoutError") {
			return { ok: false, failure: failureOfSilence(Math.round(timeoutMs / 1000), false, endpoint) };
		}
		return { ok: false, failure: failureOfThrown(error, endpoint) };
	}
}

/** Names out of `{data: [{id}]}`, `{models: [{name}]}` or a bare list; undefined where it is neither. */
function readNames(value: unknown): string[] | undefined {
	const record = asRecord(value);
	const list = Array.isArray(value) ? value : (record?.["data"] ?? record?.["models"]);
	if (!Array.isArray(list)) return undefined;
	const names = list.map(
		(one) => asWord(one) ?? asWord(asRecord(one)?.["id"]) ?? asWord(asRecord(one)?.["name"]),
	);
	return names.filter((name) => name !== undefined).sort();
}
