// The tool that reads one page of the public web. What may be reached is decided by the web port, never by this file.

import * as z from "zod";
import type { PreparedCall, Tool, ToolContext } from "../../ports/tool.ts";
import type { WebReply } from "../../ports/web.ts";
import type { ToolError, ToolOutcome } from "../../types.ts";
import { toolError } from "./filePath.ts";
import { htmlText } from "./htmlText.ts";
import { lazySchema } from "./lazySchema.ts";
import { failedAnswer, failedRequest } from "./webOutcome.ts";

const schema = lazySchema(() => z.strictObject({ url: z.string() }));

type Input = z.infer<ReturnType<typeof schema>>;

/** Of the page that comes with an HTTP error, so many UTF-16 units are told. */
const ERROR_PAGE_LIMIT = 2000;

/** `webFetch`: result is the page, HTML as readable text, other texts as they are. */
export const webFetch: Tool<Input> = {
	name: "webFetch",
	description:
		"Read a public web page or file by its http(s) URL. HTML comes as text with links; JSON and other text as it is.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	prepare,
};

async function prepare({ url }: Input, { web }: ToolContext): Promise<PreparedCall | ToolError> {
	const refusal = web.refusal(url);
	if (refusal !== undefined) return toolError("INVALID_ARGUMENT", refusal);
	return {
		resources: [{ kind: "network", key: new URL(url).host, access: "read" }],
		summary: `Fetch ${url}`,
		preview: url,
		facts: { url },
		async run({ web, signal }) {
			const result = await web.fetch(url, { signal });
			return result.ok ? tellPage(result, url) : failedRequest(result);
		},
	};
}

function tellPage(reply: WebReply, asked: string): ToolOutcome {
	const isHtml = reply.contentType === "text/html" || reply.contentType === "application/xhtml+xml";
	const text = isHtml ? htmlText(reply.text, reply.url) : reply.text;
	if (reply.status >= 400)
		return failedAnswer(`${reply.url} answered HTTP ${reply.status}.`, text.slice(0, ERROR_PAGE_LIMIT));
	if (text.trim() === "")
		return { status: "result", text: `${reply.url} holds no text (HTTP ${reply.status}).` };
	const isElsewhere = new URL(asked).href !== reply.url;
	return { status: "result", text: isElsewhere ? `[Redirected to ${reply.url}]\n${text}` : text };
}
