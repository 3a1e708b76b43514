// Takes turns back and forth: what a rewind would do, doing it, and undoing that. Touches only paths that those turns
// changed, and none that is otherwise by now unless the person named it. Each rewind is a fact before it is an effect.

import type { Snapshots } from "../ports/snapshots.ts";
import type { Workspace } from "../ports/workspace.ts";
import type { FileChange, FileImage } from "../session/events.ts";
import { decodeChanges, encodeChanges, joinChanges, sameImage } from "../session/fileChanges.ts";
import type {
	LeftPath,
	PlannedPath,
	RewindPlan,
	RewindPoint,
	RewindResult,
	RewindWhat,
} from "../session/rewindPlan.ts";
import type { RewindEntry, TurnEntry } from "../session/state.ts";
import { changesSince, redoable, turnEntry } from "../session/timeline.ts";
import { AgiError } from "../types.ts";
import type { LiveSession } from "./liveSession.ts";
import type { TurnFiles } from "./turnFiles.ts";
import { finishRewind, settleRewind } from "./unfinishedRewind.ts";

/** The undo of one session. All reject with `AgiError` code `NO_UNDO`, and a sentence, where nothing can be done. */
export interface Undo {
	/** The newest first. */
	points(): Promise<RewindPoint[]>;
	preview(turnId: string, what: RewindWhat): Promise<RewindPlan>;
	rewind(turnId: string, what: RewindWhat, force: readonly string[]): Promise<RewindResult>;
	previewRedo(): Promise<RewindPlan>;
	redo(force: readonly string[]): Promise<RewindResult>;
	/** A rewind that is under way; no turn may begin before it has ended. Never rejects. */
	readonly underWay: Promise<void> | undefined;
	/** Records how far a rewind came that a dead process had begun, and says so; [] where there is none. */
	settle(): Promise<string[]>;
}

/** `open` is absent where nothing is kept: then only conversations go back. `workspace`: for what a kill left in it. */
export function createUndo(
	session: LiveSession,
	files: TurnFiles | undefined,
	open: (() => Promise<Snapshots>) | undefined,
	workspace?: Workspace,
): Undo {
	const turnOf = (turnId: string, what: RewindWhat): TurnEntry => {
		const turn = turnEntry(session.state, turnId);
		if (session.state.turn) throw noUndo("A turn is open. Interrupt it first, then go back.");
		if (!turn) throw noUndo(`There was no turn ${turnId} in this session.`);
		if (what !== "files" && !turn.inConversation)
			throw noUndo("That turn is no longer part of the conversation; only its files can go back.");
		if (what === "files" && !open)
			throw noUndo("This session keeps nothing on the disk, so files cannot go back.");
		return turn;
	};

	const lastRewind = (): RewindEntry => {
		const last = redoable(session.state);
		if (!last || session.state.turn)
			throw noUndo("There is nothing to redo: no rewind, or a turn began after the last one.");
		return last;
	};

	/** Puts paths back, after the fact of it; `record` writes that fact. */
	async function carryOut(
		plan: Step[],
		force: readonly string[],
		record: (changes: string) => void,
	): Promise<Omit<RewindResult, "text">> {
		const chosen = plan.filter(({ planned }) => isChosen(planned, force));
		const left = plan.flatMap(({ planned }) => (isChosen(planned, force) ? [] : [leftOf(planned)]));
		const snapshots = chosen.length > 0 ? await open?.() : undefined;
		if (!snapshots) {
			await session.save(() => record(""));
			return { changed: [], left };
		}
		const { images, kept } = snapshots.keep(chosen.map(({ to }) => to.path));
		await kept.catch((error: Error) => {
			throw noUndo(
				`Nothing was put back: a copy of what stands there now could not be stored (${error.message}). ` +
					"Free some disk space, then try again.",
			);
		});
		const now = new Map(images.map((image) => [image.path, image]));
		const changes = chosen.map(({ to }): FileChange => ({ before: now.get(to.path) ?? to, after: to }));
		await session.save(() => record(encodeChanges(changes)));
		const notRestored = await snapshots.restore(changes);
		left.push(...notRestored);
		const failed = new Set(notRestored.map(({ path }) => path));
		await finishRewind(session, changes, ({ after }) => !failed.has(after.path));
		return { changed: chosen.map(({ to }) => to.path).filter((path) => !failed.has(path)), left };
	}

	let underWay: Promise<void> | undefined;
	/** One at a time; a message that comes meanwhile waits for its end. */
	async function alone<T>(work: () => Promise<T>): Promise<T> {
		if (underWay) throw noUndo("Another rewind is under way. Wait for its end, then go back.");
		const working = work();
		underWay = working.then(
			() => undefined,
			() => undefined,
		);
		try {
			return await working;
		} finally {
			underWay = undefined;
		}
	}

	const planRewind = async (turnId: string, what: RewindWhat): Promise<Step[]> =>
		what === "conversation" || !open
			? []
			: planSteps(changesSince(session.state, turnId).changes, await open());

	const planRedo = async (last: RewindEntry): Promise<Step[]> =>
		open ? planSteps(decodeChanges(last.changes), await open()) : [];

	/** What the log says of files is what the disk holds, also after a rewind that failed half-way. */
	async function settleAll(): Promise<void> {
		await files?.settle();
		await settleRewind(session, open, workspace);
	}

	async function goBack(turnId: string, what: RewindWhat, force: readonly string[]): Promise<RewindResult> {
		await settleAll();
		const turn = turnOf(turnId, what);
		const plan = await planRewind(turnId, what);
		if (what === "files" && !plan.some(({ planned }) => isChosen(planned, force)))
			throw noUndo(nothingToDo(plan));
		const conversation = what !== "files";
		const done = await carryOut(plan, force, (changes) => {
			session.record({ do: "rewind", toTurnId: turnId, changes, conversation });
		});
		return { ...done, text: conversation ? turn.text : "" };
	}

	async function bringBack(force: readonly string[]): Promise<RewindResult> {
		await settleAll();
		const plan = await planRedo(lastRewind());
		const done = await carryOut(plan, force, (changes) => {
			session.record({ do: "redo", changes });
		});
		return { ...done, text: "" };
	}

	return {
		async points() {
			await files?.settle();
			return pointsOf(session);
		},
		async preview(turnId, what) {
			await files?.settle();
			turnOf(turnId, what);
			const { gaps } = changesSince(session.state, turnId);
			const paths = (await planRewind(turnId, what)).map(({ planned }) => planned);
			return { paths, notes: what === "conversation" ? [] : gaps.map(gapNote) };
		},
		rewind: (turnId, what, force) => alone(() => goBack(turnId, what, force)),
		async previewRedo() {
			await files?.settle();
			return { paths: (await planRedo(lastRewind())).map(({ planned }) => planned), notes: [] };
		},
		redo: (force) => alone(() => bringBack(force)),
		get underWay() {
			return underWay;
		},
		settle: () => alone(() => settleRewind(session, open, workspace)),
	};
}

/** One path of a plan and the image that is to stand there. */
interface Step {
	planned: PlannedPath;
	to: FileImage;
}

/** What taking `changes` back means now; paths that are back already are left out. */
function planSteps(changes: readonly FileChange[], snapshots: Snapshots): Step[] {
	const present = snapshots.look(changes.map(({ after }) => after));
	return changes.flatMap(({ before, after, doubt }, i): Step[] => {
		const now = present[i] ?? after;
		if (sameImage(now, before)) return [];
		const conflict = sameImage(now, after) ? doubt : "it has changed since";
		const planned: PlannedPath = {
			path: before.path,
			change: before.kind === "none" ? "remove" : now.kind === "none" ? "create" : "restore",
			...(conflict === undefined ? {} : { conflict }),
			...(before.unkept === undefined ? {} : { impossible: before.unkept }),
		};
		return [{ planned, to: before }];
	});
}

function isChosen({ path, conflict, impossible }: PlannedPath, force: readonly string[]): boolean {
	return impossible === undefined && (conflict === undefined || force.includes(path));
}

function leftOf({ path, conflict, impossible }: PlannedPath): LeftPath {
	return { path, why: impossible ?? conflict ?? "" };
}

function pointsOf(session: LiveSession): RewindPoint[] {
	const { timeline } = session.state;
	const stretches = timeline.map((entry) => decodeChanges(entry.changes ?? ""));
	return timeline
		.flatMap((entry, i): RewindPoint[] => {
			if (entry.kind !== "turn") return [];
			const { turnId, text, inConversation } = entry;
			const files = joinChanges(stretches.slice(i)).filter(
				({ before }) => before.unkept === undefined,
			).length;
			return [{ turnId, text, files, inConversation }];
		})
		.reverse();
}

function gapNote(why: string): string {
	return `Changes by commands are not all known here: the folder was not kept as a whole, because ${why}.`;
}

function nothingToDo(plan: readonly Step[]): string {
	return plan.length === 0
		? "The files are as they were before that turn already."
		: `Nothing was touched: ${plan.map(({ planned }) => `${planned.path} (${leftOf(planned).why})`).join(", ")}.`;
}

function noUndo(message: string): AgiError {
	return new AgiError("NO_UNDO", message);
}
