// Hands a task to a subagent, which works in a session of its own and brings back its last words.

import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";
import { findSubagent, SUBAGENTS } from "../subagents/registry.ts";
import { failed } from "../toolResults.ts";
import { lazySchema } from "./lazySchema.ts";

const schema = lazySchema(() =>
	z.strictObject({
		subagent: z.string().describe(SUBAGENTS.map((s) => `${s.name}: ${s.purpose}`).join("; ")),
		task: z.string().min(1).describe("the whole task; it sees little else"),
	}),
);

/** The tool `delegateToSubagent`. */
export const delegateToSubagent: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "delegateToSubagent",
	description: "Give a read-only task to a subagent and get its findings.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ subagent, task }) {
		if (!findSubagent(subagent)) {
			const known = SUBAGENTS.map((s) => s.name).join(", ");
			return {
				type: "INVALID_ARGUMENT",
				message: `There is no subagent ${subagent}. The subagents are: ${known}.`,
				retryable: true,
				fields: { subagent: `one of ${known}` },
			};
		}
		return {
			resources: [],
			summary: `${subagent}: ${task}`,
			async run(context) {
				if (!context.delegate)
					return failed({
						type: "DENIED",
						message:
							"Nothing can be delegated here: a subagent needs a session, and this call belongs to none.",
						retryable: false,
					});
				return context.delegate(subagent, task);
			},
		};
	},
};
