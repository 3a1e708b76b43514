// How a failed web request reads as the outcome of a tool call. Shared by the tools that use the web.

import type { WebFailure } from "../../ports/web.ts";
import type { ToolErrorType, ToolOutcome } from "../../types.ts";
import { failed } from "../toolResults.ts";
import { toolError } from "./filePath.ts";

const TYPES: Readonly<Record<WebFailure["kind"], ToolErrorType>> = {
	refused: "DENIED",
	too_large: "TOO_LARGE",
	not_text: "FAILED",
	timeout: "TIMEOUT",
	cancelled: "CANCELLED",
	failed: "FAILED",
};

/** The outcome of a request that got no answer. */
export function failedRequest({ kind, message }: WebFailure): ToolOutcome {
	const outcome = failed({ type: TYPES[kind], message, retryable: kind === "timeout" || kind === "failed" });
	return kind === "cancelled" ? { ...outcome, status: "cancelled" } : outcome;
}

/** The outcome of a request whose answer is an error; `page` is what came with it. */
export function failedAnswer(message: string, page = ""): ToolOutcome {
	return failed(toolError("FAILED", page === "" ? message : `${message}\n${page}`));
}
