// Keeps the model's list of steps, whole at every call, where the person can see it.

import * as z from "zod";
import type { Tool } from "../../ports/tool.ts";
import { lazySchema } from "./lazySchema.ts";

const schema = lazySchema(() =>
	z.strictObject({
		items: z
			.array(
				z.strictObject({
					content: z.string().min(1),
					status: z.enum(["pending", "in_progress", "completed"]),
				}),
			)
			.max(100),
	}),
);

/** The tool `updatePlan`. */
export const updatePlan: Tool<z.infer<ReturnType<typeof schema>>> = {
	name: "updatePlan",
	description: "Keep the list of steps of longer work; always give it all.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "none",
	recovery: "none",
	async prepare({ items }) {
		const done = items.filter((item) => item.status === "completed").length;
		return {
			resources: [{ kind: "session", key: "plan", access: "write" }],
			summary: `plan with ${items.length} steps, ${done} done`,
			async run(context) {
				context.replacePlan(items);
				return { status: "result", text: `Plan updated: ${done} of ${items.length} steps completed.` };
			},
		};
	},
};
