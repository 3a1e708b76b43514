// Watches what a turn makes of files: keeps what stands there before its first effect, and compares once it has ended.
// A turn that only reads is never looked at.

import type { UndoKeeper } from "../agent/turn.ts";
import type { SessionWriter } from "../ports/session.ts";
import type { Snapshots } from "../ports/snapshots.ts";
import type { FileChange, FileImage } from "../session/events.ts";
import { compareImages, encodeChanges } from "../session/fileChanges.ts";
import type { TurnEntry } from "../session/state.ts";
import { firstImages, turnEntry, unsettledTurns } from "../session/timeline.ts";
import type { LiveSession } from "./liveSession.ts";

export interface TurnFiles extends UndoKeeper {
	/** Records what ended turns made of files, where that is not recorded yet. Rejects only where the log fails. */
	settle(): Promise<void>;
}

/** Paths that a notice names. */
const NAMED = 3;

const AFTER_RESTART = "agi ended in that turn, so others may have changed it since";
const OTHER_RULES = "git's ignore rules changed in the same turn, so it may be older than the turn";

/** `open` gives the snapshots of the session's workspace; it is called with the first effect. */
export function createTurnFiles(session: LiveSession, open: () => Promise<Snapshots>): TurnFiles {
	/** Turns whose effects began in this process: nobody else had time to change their files unseen. */
	const own = new Set<string>();
	let told: string | undefined;
	let last: Promise<unknown> = Promise.resolve();

	/** One after the other: subagents run side by side. */
	function inTurn<T>(act: () => Promise<T>): Promise<T> {
		const mine = last.then(act);
		last = mine.catch(() => undefined);
		return mine;
	}

	async function keepTree(snapshots: Snapshots, turn: TurnEntry): Promise<boolean> {
		if (turn.treeAfter !== undefined || turn.treeRefused !== undefined) return false;
		const taken = await snapshots.takeTree(treeName(session, turn)).catch(refusalOf);
		if (taken.ok) session.record({ do: "keepImages", images: [], tree: { kept: true } });
		else {
			session.record({ do: "keepImages", images: [], tree: { kept: false, why: taken.why } });
			if (told !== taken.why) session.tell({ type: "notice", text: refusalNotice(taken.why) });
			told = taken.why;
		}
		return true;
	}

	async function keep(
		calls: readonly { before?: readonly { path: string }[] }[],
		writer: SessionWriter,
	): Promise<{ kept: Promise<void> }> {
		const turnId = session.state.turn?.turnId;
		const turn = turnId === undefined ? undefined : turnEntry(session.state, turnId);
		if (!turn) return { kept: Promise.resolve() };
		const snapshots = await open();
		await settleAll(snapshots);
		own.add(turn.turnId);
		const paths = calls.flatMap(({ before }) => before ?? []).map(({ path }) => path);
		const { images, kept } = snapshots.keep(paths);
		// Somebody awaits it a little later; until then a failure must not count as unhandled.
		kept.catch(() => undefined);
		const fresh = images.filter(({ path }) => !turn.images.some((image) => image.path === path));
		if (fresh.length > 0) session.record({ do: "keepImages", images: fresh });
		const mayChangeAnything = calls.some(({ before }) => before === undefined);
		const grown = mayChangeAnything && (await keepTree(snapshots, turn));
		// The commit of a subagent's call is in another log than these facts.
		const isOther = writer !== session && (fresh.length > 0 || grown);
		return {
			kept: isOther ? Promise.all([kept, session.flush({ wait: true })]).then(() => undefined) : kept,
		};
	}

	async function settleAll(snapshots: Snapshots): Promise<void> {
		for (const turn of unsettledTurns(session.state)) {
			const { changes, ...unknown } = await changesOf(snapshots, turn, treeName(session, turn));
			const doubted = own.has(turn.turnId) ? changes : changes.map((c) => ({ ...c, doubt: AFTER_RESTART }));
			const { turnId } = turn;
			session.record({ do: "recordChanges", turnId, changes: encodeChanges(doubted), ...unknown });
			await session.flush({ wait: true });
			snapshots.closeTree(treeName(session, turn));
			const lost = changes.filter(({ before }) => before.unkept !== undefined);
			if (lost.length > 0) session.tell({ type: "notice", text: unkeptNotice(lost) });
		}
	}

	return {
		keep: (calls, writer) => inTurn(() => keep(calls, writer)),
		settle: () =>
			inTurn(async () => {
				if (unsettledTurns(session.state).length > 0) await settleAll(await open());
			}),
	};
}

/** A name for the tree of a turn, unique among the sessions of a project. */
function treeName(session: LiveSession, turn: TurnEntry): string {
	return `${session.state.sessionId}-${turn.turnId}`;
}

function refusalOf(error: unknown): { ok: false; why: string } {
	return { ok: false, why: error instanceof Error ? error.message : String(error) };
}

function refusalNotice(why: string): string {
	return `Undo will cover only what file tools change, not what commands do: the folder is not kept as a whole, because ${why}.`;
}

/** One line after a turn that changed what undo keeps no copy of. */
function unkeptNotice(changes: readonly FileChange[]): string {
	const named = changes.slice(0, NAMED).map(({ before }) => `${before.path} (${before.unkept})`);
	const more = changes.length > NAMED ? ` and ${changes.length - NAMED} more` : "";
	return `Undo cannot put back what this turn did to ${named.join(", ")}${more}.`;
}

/** What a turn made of files, by comparing with what is there now; `why` where commands' changes cannot be told. */
async function changesOf(
	snapshots: Snapshots,
	turn: TurnEntry,
	name: string,
): Promise<{ changes: FileChange[]; why?: string }> {
	const tree = turn.treeAfter === undefined ? undefined : await snapshots.openTree(name);
	const first = firstImages(turn, tree);
	const after = tree && (await snapshots.takeTree().catch(refusalOf));
	const now = new Map<string, FileImage>(after?.ok ? after.images : []);
	// A path that the tree no longer has may only be ignored by now; one that a tool named is seen as it was then.
	const named = new Set(turn.images.map(({ path }) => path));
	const again = [...first.values()].filter(({ path }) => named.has(path) || (after?.ok && !now.has(path)));
	for (const image of snapshots.look(again)) now.set(image.path, image);
	const seen = after?.ok ? first : new Map(again.map((image) => [image.path, image]));
	const found = compareImages(seen, now);
	const changes = found.some(({ after: { path } }) => isRules(path)) ? found.map(doubtNew) : found;
	if (turn.treeAfter === undefined || after?.ok) return { changes };
	return { changes, why: after?.why ?? "the copy from before the turn is gone" };
}

function isRules(path: string): boolean {
	return path === ".gitignore" || path.endsWith("/.gitignore");
}

/** What other rules let appear would otherwise be taken for new and removed. */
function doubtNew(change: FileChange): FileChange {
	return change.before.kind === "none" && !isRules(change.after.path)
		? { ...change, doubt: OTHER_RULES }
		: change;
}
