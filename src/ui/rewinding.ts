// /undo, /rewind and /redo: which turn, what goes back, which files that were changed since; then the result in words.
// Nothing is touched before the person has seen what would be.

import type { PlannedPath, RewindPlan, RewindResult, RewindWhat } from "../session/rewindPlan.ts";
import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { countOf } from "./view/format.ts";

const SIGNS: Record<PlannedPath["change"], string> = { create: "+", restore: "~", remove: "-" };

const WHAT: Record<string, RewindWhat> = {
	"Files and conversation": "both",
	"Files only": "files",
	"Conversation only": "conversation",
};

/** Takes back the files of the last turn that left any changed; said again, those of the turn before. */
export async function undo(desk: CommandDesk): Promise<void> {
	const points = await obtain(desk, { do: "rewindPoints" });
	const last = points.find((point) => point.files > 0);
	if (!last) return print(desk, "No turn has changed files that could go back.", "dim");
	await rewindTo(desk, last.turnId, "files");
}

/** Asks how far back. */
export async function rewind(desk: CommandDesk): Promise<void> {
	const points = await obtain(desk, { do: "rewindPoints" });
	if (points.length === 0) return print(desk, "There is no turn to go back to.", "dim");
	const items = points.map(({ turnId, text, files }) => ({
		id: turnId,
		label: text,
		detail: countOf(files, "file"),
	}));
	const picked = await desk.questions.pick("Back to before", items);
	const point = points.find(({ turnId }) => turnId === picked?.id);
	if (!point) return;
	const options = point.inConversation ? Object.keys(WHAT) : ["Files only"];
	const what = await desk.questions.ask("What goes back?", { options });
	if (what !== undefined) await rewindTo(desk, point.turnId, WHAT[what] ?? "both");
}

/** Takes the last rewind back. */
export async function redo(desk: CommandDesk): Promise<void> {
	const plan = await obtain(desk, { do: "previewRedo" });
	const force = await confirm(desk, plan, "Bring it back");
	if (force) report(desk, await obtain(desk, { do: "redo", force }));
}

async function rewindTo(desk: CommandDesk, turnId: string, what: RewindWhat): Promise<void> {
	const plan = await obtain(desk, { do: "previewRewind", turnId, what });
	const force = await confirm(desk, plan, "Go back");
	if (!force) return;
	const result = await obtain(desk, { do: "rewind", turnId, what, force });
	report(desk, result);
	if (result.text !== "") desk.setDraft(result.text);
}

/** Shows the plan. Resolves with the paths that are touched although they changed meanwhile; undefined: leave it all. */
async function confirm(
	desk: CommandDesk,
	plan: RewindPlan,
	doIt: "Go back" | "Bring it back",
): Promise<string[] | undefined> {
	print(desk, planText(plan));
	const possible = plan.paths.filter(({ impossible }) => impossible === undefined);
	const conflicts = possible.filter(({ conflict }) => conflict !== undefined).map(({ path }) => path);
	const all = `${doIt}, also ${countOf(conflicts.length, "file")} that changed since`;
	const options = [doIt, ...(conflicts.length > 0 ? [all] : []), "Leave everything as it is"];
	const answer = await desk.questions.ask(`${doIt}?`, { options });
	if (answer === doIt) return [];
	if (answer === all) return conflicts;
	print(desk, "Nothing was changed.", "dim");
	return undefined;
}

/** What would change, and below it what is out of reach: only the first is counted. */
function planText({ paths, notes }: RewindPlan): string {
	const possible = paths.filter(({ impossible }) => impossible === undefined);
	const named = possible.map(
		({ path, change, conflict }) =>
			`${SIGNS[change]} ${path}${conflict === undefined ? "" : `  (${conflict})`}`,
	);
	const head =
		possible.length === 0 ? "No file would change." : `${countOf(possible.length, "file")} would change:`;
	const lost = paths.flatMap(({ path, impossible }) =>
		impossible === undefined ? [] : [`  ${path}: ${impossible}`],
	);
	const below = lost.length === 0 ? [] : ["Cannot be put back:", ...lost];
	return [head, ...named, ...below, ...notes].join("\n");
}

function report(desk: CommandDesk, { changed, left }: RewindResult): void {
	const lines = left.map(({ path, why }) => `${path} was left as it is: ${why}`);
	print(
		desk,
		[`Done: ${countOf(changed.length, "file")} put back.`, ...lines].join("\n"),
		left.length > 0 ? "warning" : "dim",
	);
}
