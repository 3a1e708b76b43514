// Asks the person one question and brings back the answer. A secret answer never reaches the model, the log or the screen.

import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";
import type { ToolOutcome } from "../../types.ts";
import { toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";

const schema = lazySchema(() =>
	z.strictObject({
		question: z.string().min(1),
		options: z.array(z.string().min(1)).max(9).optional(),
		freeText: z.boolean().optional().describe("false: only the options are answers"),
		secret: z.boolean().optional().describe("hide the answer; only whether it was given is told"),
	}),
);

const INSTEAD = "Decide yourself, or say in your answer what you need.";

/** The tool `askUser`. */
export const askUser: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "askUser",
	description: "Ask the user one question that only they can answer, with options where there are some.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ question, options = [], freeText = true, secret = false }) {
		if (!freeText && options.length === 0)
			return toolError("INVALID_ARGUMENT", "Without free text the question needs options.", {
				options: "missing",
			});
		return {
			resources: [{ kind: "session", key: "person", access: "write" }],
			summary: question,
			async run(context) {
				if (!context.ask) return denied(`Nobody can be asked in this run. ${INSTEAD}`);
				const answer = await context.ask(question, options, { secret, freeText });
				if (answer === undefined && context.signal.aborted) return cancelled();
				if (answer === undefined) return denied(`The user gave no answer. ${INSTEAD}`);
				return {
					status: "result",
					text: secret ? "The user gave a secret answer." : `The user answered: ${answer}`,
				};
			},
		};
	},
};

function denied(message: string): ToolOutcome {
	return { status: "error", text: message, error: { type: "DENIED", message, retryable: false } };
}

function cancelled(): ToolOutcome {
	const message = "The question was not answered: the turn was cancelled.";
	return { status: "cancelled", text: message, error: { type: "CANCELLED", message, retryable: true } };
}
