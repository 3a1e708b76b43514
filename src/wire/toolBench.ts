// The tools without a session, for the free functions `executeTool` and `executeToolFromSet`.

import { createProcesses } from "../adapters/processes/nodeProcesses.ts";
import { createRipgrepSearch } from "../adapters/search/ripgrep.ts";
import { createPublicWeb } from "../adapters/web/fetchPublic.ts";
import { createWorkspace } from "../adapters/workspace/nodeWorkspace.ts";
import { createWorld } from "../adapters/world.ts";
import type { TurnContext } from "../agent/turn.ts";
import { evaluate } from "../policy/evaluate.ts";
import { createRedactor } from "../policy/redact.ts";
import { openOwnMemory } from "./memory.ts";
import { commandPlaces, locate } from "./place.ts";
import { createSandbox, NO_SANDBOX } from "./sandbox.ts";

/** What the free tool functions work with, outside of any session: this process's folder, environment and policy. */
export async function openToolBench(): Promise<
	Pick<TurnContext, "world" | "judge" | "toolContext" | "redact">
> {
	const { env } = process;
	const exaApiKey = env["EXA_API_KEY"];
	const secrets = [env["LLM_API_KEY"], env["OPENAI_API_KEY"], exaApiKey].filter((key) => key !== undefined);
	const place = await locate(process.cwd(), env, false);
	const workspace = await createWorkspace({ root: place.cwd });
	const sandbox = createSandbox({
		settings: NO_SANDBOX,
		container: env["SANDBOX_COMMANDS"] === "true",
		folders: place.folders,
		env,
		// Its calls are as after a person's yes.
		trusted: true,
		roots: [workspace.root],
		isOff: () => false,
	});
	const tools = {
		workspace,
		search: createRipgrepSearch(),
		processes: createProcesses({ env, secretValues: secrets, confine: sandbox.confine }),
		sandbox,
		web: createPublicWeb(),
		seen: () => undefined,
		onOutput: () => undefined,
		limits: { commandSeconds: 600 },
		config: {
			...(exaApiKey === undefined ? {} : { exaApiKey }),
			sandboxCommands: env["SANDBOX_COMMANDS"] === "true",
		},
		replacePlan: () => undefined,
		memory: await openOwnMemory(),
	};
	const places = commandPlaces(place, workspace);
	return {
		world: createWorld(),
		redact: createRedactor(secrets),
		toolContext: (_callId, signal) => ({ ...tools, signal }),
		judge: (question, grants) =>
			evaluate(question, { mode: "default", grants, interactive: false, trusted: false, places }),
	};
}
