// The tool that searches the web through Exa (https://exa.ai/docs/reference/search). The key goes into its one header
// and is kept out of every text.

import * as z from "zod";
import type { PreparedCall, Tool, ToolContext } from "../../ports/tool.ts";
import type { ToolError, ToolOutcome } from "../../types.ts";
import { toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";
import { failedAnswer, failedRequest } from "./webOutcome.ts";

const schema = lazySchema(() => z.strictObject({ query: z.string() }));

type Input = z.infer<ReturnType<typeof schema>>;

const DEFAULT_BASE_URL = "https://api.exa.ai";
const RESULTS = 8;
/** Of each page, in characters. */
const EXCERPT_LENGTH = 800;

/** What is read of Exa's answer; everything else in it is let be. */
const answerSchema = lazySchema(() =>
	z.object({
		results: z.array(
			z.object({
				title: z.string().nullish(),
				url: z.string(),
				publishedDate: z.string().nullish(),
				text: z.string().nullish(),
			}),
		),
	}),
);

/** `webSearch`: result is a list of pages, each with title, address, date and an excerpt. */
export const webSearch: Tool<Input> = {
	name: "webSearch",
	description: "Search the web; gives titles, URLs and excerpts. Read a whole page with webFetch.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	prepare,
};

async function prepare({ query }: Input, context: ToolContext): Promise<PreparedCall | ToolError> {
	const { exaApiKey, exaBaseUrl = DEFAULT_BASE_URL } = context.config;
	if (exaApiKey === undefined || exaApiKey === "") {
		const message =
			"Web search needs a key for Exa: ask the person to set the environment variable EXA_API_KEY (keys: https://dashboard.exa.ai/api-keys) and to start agi again.";
		return toolError("FAILED", message);
	}
	if (query.trim() === "") {
		return toolError("INVALID_ARGUMENT", "The query is empty; say what to look for.", { query: "is empty" });
	}
	const url = `${exaBaseUrl.replace(/\/+$/, "")}/search`;
	return {
		resources: [{ kind: "network", key: URL.canParse(url) ? new URL(url).host : url, access: "read" }],
		summary: `Search the web for ${query}`,
		run: ({ web, signal }) => search(query, url, exaApiKey, { web, signal }),
	};
}

async function search(
	query: string,
	url: string,
	key: string,
	{ web, signal }: Pick<ToolContext, "web" | "signal">,
): Promise<ToolOutcome> {
	const body = {
		query,
		type: "auto",
		numResults: RESULTS,
		contents: { text: { maxCharacters: EXCERPT_LENGTH } },
	};
	const reply = await web.post(url, body, { headers: { "x-api-key": key }, signal });
	if (!reply.ok) return failedRequest(reply);
	if (reply.status === 401 || reply.status === 403) {
		return failedAnswer(`Exa refused the key (HTTP ${reply.status}); the person must check EXA_API_KEY.`);
	}
	if (reply.status === 429)
		return failedAnswer("Exa's limit of requests is reached (HTTP 429); search again later.");
	if (reply.status !== 200) {
		return failedAnswer(
			`Exa answered HTTP ${reply.status}.`,
			reply.text.slice(0, 500).replaceAll(key, "[redacted]"),
		);
	}
	const results = readAnswer(reply.text);
	if (results === undefined)
		return failedAnswer("Exa's answer could not be read: it is not the JSON that was expected.");
	if (results.length === 0) return { status: "result", text: `No pages were found for: ${query}` };
	return { status: "result", text: results.map(tellResult).join("\n\n") };
}

type Result = z.infer<ReturnType<typeof answerSchema>>["results"][number];

function readAnswer(text: string): Result[] | undefined {
	try {
		return answerSchema().safeParse(JSON.parse(text)).data?.results;
	} catch {
		return undefined;
	}
}

function tellResult(result: Result, index: number): string {
	const date = result.publishedDate == null ? "" : ` (${result.publishedDate.slice(0, 10)})`;
	const excerpt = (result.text ?? "").replace(/\s+/g, " ").trim().slice(0, EXCERPT_LENGTH);
	const lines = [`${index + 1}. ${result.title || "Untitled"}${date}`, `   ${result.url}`];
	if (excerpt !== "") lines.push(`   ${excerpt}`);
	return lines.join("\n");
}
