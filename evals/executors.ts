// The executors, under the names of the book: a case in, a result out. They run the product; the model is the one that
// the environment names, or the embedded one where it names none.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EvalModel, findEvalModel } from "../src/evals/evalModel.ts";
import { runMultiTurn } from "../src/evals/multiTurn.ts";
import { runSingleTurn } from "../src/evals/singleTurn.ts";
import type { EvalData, MultiTurnEvalData, MultiTurnResult, SingleTurnResult } from "../src/evals/types.ts";
import type { AnyTool } from "../src/ports/tool.ts";

/** One decision of the model; no tool is run. `availableTools` replaces agi's own. */
export async function singleTurnExecutor(
	data: EvalData,
	availableTools?: Readonly<Record<string, AnyTool>>,
	model?: EvalModel,
): Promise<SingleTurnResult> {
	const asked = model ?? (await findEvalModel(process.env, process.cwd()));
	const { output } = await runSingleTurn(data, {
		model: asked,
		...(availableTools ? { tools: availableTools } : {}),
	});
	return output;
}

/** A whole turn of at most 20 steps with pretended tools. */
export async function multiTurnWithMocks(
	data: MultiTurnEvalData,
	model?: EvalModel,
): Promise<MultiTurnResult> {
	const asked = model ?? (await findEvalModel(process.env, process.cwd()));
	const scratch = await mkdtemp(join(tmpdir(), "agi-evals-"));
	try {
		return (await runMultiTurn(data, { model: asked, scratch })).output;
	} finally {
		await rm(scratch, { recursive: true, force: true });
	}
}
