// The tool that runs a piece of code. It only says what will be run and tells how it ended: whether it may run is the
// policy's matter, where the code is put and what runs it the processes port's.

import * as z from "zod";
import { CODE_LANGUAGES } from "../../ports/processes.ts";
import type { PreparedCall, Tool, ToolContext } from "../../ports/tool.ts";
import type { ToolError } from "../../types.ts";
import { commandOutcome, commandResources, timeLimit } from "./commandOutcome.ts";
import { chooseConfinement, explainDenial } from "./confinement.ts";
import { toolError } from "./filePath.ts";
import { lazySchema } from "./lazySchema.ts";

const schema = lazySchema(() =>
	z.strictObject({
		code: z.string(),
		language: z.enum(CODE_LANGUAGES).optional().describe("default javascript"),
	}),
);

type Input = z.infer<ReturnType<typeof schema>>;

/** `executeCode`: result is what the code printed; an exit code other than 0 is an error. */
export const executeCode: Tool<Input> = {
	name: "executeCode",
	description:
		"Run a short program with node or python3 in the workspace folder; gives what it prints. Nothing is kept between calls.",
	get schema() {
		return schema();
	},
	version: 1,
	effects: "possible",
	recovery: "manual",
	prepare,
};

async function prepare(input: Input, context: ToolContext): Promise<PreparedCall | ToolError> {
	const { code, language = "javascript" } = input;
	if (code.trim() === "") {
		return toolError("INVALID_ARGUMENT", "The code is empty; give the program to run.", { code: "is empty" });
	}
	const confinement = await chooseConfinement(context, {});
	if ("type" in confinement) return confinement;
	const limit = timeLimit(confinement.seconds, context);
	return {
		resources: commandResources(context),
		summary: `Run ${code.trim().split("\n").length} lines of ${language}`,
		preview: code,
		sandbox: confinement.shown,
		cwd: context.workspace.root,
		facts: { code: { language, text: code }, ...(confinement.isConfined && { sandboxed: true }) },
		async run({ processes, workspace, signal, onOutput, idempotencyKey }) {
			const end = await processes.run({
				command: { code, language },
				cwd: workspace.root,
				timeoutMs: limit.seconds * 1000,
				signal,
				onOutput,
				...(idempotencyKey !== undefined && { owner: idempotencyKey }),
				...(confinement.sandbox && { sandbox: confinement.sandbox }),
			});
			return commandOutcome(end, "Code", limit, explainDenial(end, confinement, "executeCode"));
		},
	};
}
