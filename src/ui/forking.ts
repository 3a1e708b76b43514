// /fork: up to where the session is copied. Which closed steps there are, the session's log tells.

import type { ForkPoint } from "../session/fork.ts";
import { type CommandDesk, obtain } from "./commandDesk.ts";
import type { PickerItem } from "./input/picker.ts";
import { callTitle } from "./view/calls.ts";
import { shortLine } from "./view/oneLine.ts";

/** What is asked behind the sentence that offers a copy of a session which cannot be opened. */
export const COPY_QUESTION = "Go on in a copy of what can be read?";

const HERE = "here";
/** Letters of a turn's words; of one thing that a step did; of what it said. */
const TURN_LENGTH = 40;
const CALL_LENGTH = 60;
const SAID_LENGTH = 200;

/** Goes on in a copy: up to `step` where one is named, else up to where the person says. */
export async function fork(desk: CommandDesk, step: string): Promise<void> {
	if (step !== "") return obtain(desk, { do: "forkSession", afterStep: step });
	const points = await obtain(desk, { do: "forkPoints" });
	if (points.length === 0) return obtain(desk, { do: "forkSession" });
	const picked = await desk.questions.pick("Copy", forkItems(points, desk.view().busy));
	if (!picked) return;
	await obtain(desk, { do: "forkSession", ...(picked.id === HERE ? {} : { afterStep: picked.id }) });
}

/** The list of /fork: all of the conversation first, then its closed steps, the newest first. */
export function forkItems(points: readonly ForkPoint[], busy: boolean): PickerItem[] {
	const here = { id: HERE, label: "Here: the whole conversation" };
	return [busy ? { ...here, detail: "the turn that runs is cancelled" } : here, ...points.map(itemOf)];
}

function itemOf(point: ForkPoint): PickerItem {
	const { stepId, text, inConversation } = point;
	const turn = shortLine(text, TURN_LENGTH);
	const told = [...(inConversation ? [] : ["taken back"]), didOf(point)];
	return { id: stepId, label: turn === "" ? stepId : `${stepId} · ${turn}`, detail: told.join(" · ") };
}

/** What the step did, and whether its turn ended with it. */
function didOf({ calls, said, outcome, endsTurn }: ForkPoint): string {
	const called = calls.map(({ name, args }) => shortLine(`${name} ${callTitle(args)}`, CALL_LENGTH));
	const did = called.length > 0 ? called.join(", ") : shortLine(said, SAID_LENGTH);
	const isWhole = outcome === "answer" || outcome === "tools";
	const end = [...(endsTurn ? ["end of the turn"] : []), ...(isWhole ? [] : [outcome])].join(", ");
	return [end, did].filter((part) => part !== "").join(": ");
}
