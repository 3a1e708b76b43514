// `agi sessions replay`: plays a session through today's runtime, or asks another model at each of its decisions. It
// reads one log; it writes nothing and runs no tool.

import { askAgain, decisionsText } from "../evals/askAgain.ts";
import { findEvalModel } from "../evals/evalModel.ts";
import { replayDifference, replaySession } from "../evals/replay.ts";
import type { Sessions } from "../runtime/sessions.ts";
import type { ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import type { CommandLine } from "./arguments.ts";
import type { Surroundings } from "./surroundings.ts";

/** Exit code 0 where everything is as it was, 1 where something differs. */
export async function replay(
	sessions: Sessions,
	parsed: CommandLine<"sessions"> & { action: "replay" },
	around: Surroundings,
): Promise<ExitCode> {
	const sessionId = await sessions.find(parsed.id, { allProjects: true });
	const { commits } = await sessions.read(sessionId, { onLostText: (_, message) => around.err(message) });
	const { json, flags } = parsed;
	if (flags.model !== undefined) {
		const model = await (await findEvalModel(around.env, around.folder(), flags)).open();
		const decisions = await askAgain(commits, model, new AbortController().signal);
		around.out(json ? `${JSON.stringify(decisions)}\n` : visibleText(decisionsText(decisions)));
		return decisions.every((decision) => decision.same) ? 0 : 1;
	}
	const played = await replaySession(commits);
	if (json) around.out(`${JSON.stringify(played)}\n`);
	else if (played.same) around.out(`${played.now.length} facts, all as they were.\n`);
	else around.out(visibleText(replayDifference(played)));
	return played.same ? 0 : 1;
}
