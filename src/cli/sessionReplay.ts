// `agi sessions replay`: plays a session through today's runtime, or asks another model at each of its decisions. It
// reads one log; it writes nothing and runs no tool.

import { askAgain, decisionsText } from "../evals/askAgain.ts";
import { findEvalModel, type WatchedModel, watchModel } from "../evals/evalModel.ts";
import { replayDifference, replaySession } from "../evals/replay.ts";
import { usedText } from "../evals/reportText.ts";
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
		const watched = watchModel(model);
		const decisions = await askAgain(commits, watched.model, new AbortController().signal);
		around.out(json ? `${JSON.stringify(decisions)}\n` : visibleText(decisionsText(decisions)));
		const used = spentText(watched);
		// The list that a program reads stays a list.
		if (json) around.err(used);
		else around.out(`${used}\n`);
		return decisions.every((decision) => decision.same) ? 0 : 1;
	}
	const played = await replaySession(commits);
	if (json) around.out(`${JSON.stringify(played)}\n`);
	else if (played.same) around.out(`${played.now.length} facts, all as they were.\n`);
	else around.out(visibleText(replayDifference(played)));
	return played.same ? 0 : 1;
}

/** What asking again has used and cost; what no server told is not passed off as nothing. */
function spentText({ used, requests }: WatchedModel): string {
	const { sent, untold } = requests();
	if (sent === 0) return "Nothing was asked, nothing was used.";
	if (untold === sent) return "The server told no usage, so tokens and cost are not known.";
	const rest = untold === 0 ? "" : `, without ${untold} of ${sent} requests, whose usage no server told`;
	return `Used: ${usedText(used())}${rest}.`;
}
