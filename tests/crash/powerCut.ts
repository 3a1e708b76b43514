// What a power cut may leave of recorded file calls: only what a sync covered is certain. Every later call may be on the
// disk or not, in any order; a write may be there in part, or as zeros of its length. Pure, but for putting a state down.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DiskOp } from "./recordedCalls.ts";

/** A state of the disk, and what agi had told and done until then. */
export interface Wreck {
	/** The call after which the power went, and what became of the ones that no sync covered; for a failing test. */
	name: string;
	folders: string[];
	/** By path; empty files included. */
	files: Map<string, Buffer>;
	told: string[];
	effects: string[];
}

/** What becomes of a call that no sync covers; `torn` and `zeros` only of a write. */
type Fate = "kept" | "lost" | "torn" | "zeros";

/** So many uncertain calls have each of their combinations tried; of more, each one alone. */
const MOST_FOR_ALL = 4;

/** Every state that differs from the ones before it. */
export function* wrecksOf(ops: readonly DiskOp[]): Generator<Wreck> {
	const start = ops.findIndex(({ op }) => op === "base") + 1;
	const seen = new Set<string>();
	for (let end = start; end <= ops.length; end++) {
		const past = ops.slice(0, end);
		const uncertain = uncertainIn(past, start);
		for (const fates of fatesOf(uncertain, past)) {
			const wreck = leave(past, fates, `call ${end}`);
			const look = JSON.stringify([wreck.folders, [...wreck.files], wreck.told.length, wreck.effects]);
			if (seen.has(look)) continue;
			seen.add(look);
			yield wreck;
		}
	}
}

/** Puts a state into an empty folder. */
export function layDown(wreck: Wreck, folder: string): void {
	for (const path of wreck.folders) mkdirSync(join(folder, path), { recursive: true });
	for (const [path, bytes] of wreck.files) writeFileSync(join(folder, path), bytes);
	writeFileSync(join(folder, "journal"), wreck.effects.map((line) => `${line}\n`).join(""));
}

/** The places in `past` of calls after `start` that no sync had covered at its end. */
function uncertainIn(past: readonly DiskOp[], start: number): number[] {
	const begun = new Map<number, { at: number; of: number | string }>();
	/** Until where each file and folder is on the disk. */
	const safe = new Map<number | string, number>();
	past.forEach((op, at) => {
		if (op.op === "syncBegins") begun.set(op.sync, { at, of: op.of });
		const sync = op.op === "syncEnds" ? begun.get(op.sync) : undefined;
		if (sync) safe.set(sync.of, Math.max(sync.at, safe.get(sync.of) ?? 0));
	});
	return past.flatMap((op, at) => {
		const holders = holdersOf(op);
		const isSafe = at < start || holders.every((holder) => at < (safe.get(holder) ?? 0));
		return holders.length === 0 || isSafe ? [] : [at];
	});
}

/** Whose sync makes a call last: a file's for its content, a folder's for its names. */
function holdersOf(op: DiskOp): (number | string)[] {
	switch (op.op) {
		case "folder":
		case "file":
		case "remove":
			return [folderOf(op.path)];
		case "rename":
			return [...new Set([folderOf(op.from), folderOf(op.to)])];
		case "write":
		case "truncate":
			return [op.file];
		default:
			return [];
	}
}

function folderOf(path: string): string {
	const folder = dirname(path);
	return folder === "." ? "" : folder;
}

function* fatesOf(uncertain: readonly number[], past: readonly DiskOp[]): Generator<Map<number, Fate>> {
	const all = (fate: Fate) => new Map(uncertain.map((at) => [at, fate]));
	yield all("lost");
	if (uncertain.length <= MOST_FOR_ALL)
		for (let mask = 1; mask < 2 ** uncertain.length; mask++)
			yield new Map(uncertain.map((at, i) => [at, (mask >> i) & 1 ? "kept" : "lost"]));
	else {
		yield all("kept");
		for (const at of uncertain) {
			yield all("kept").set(at, "lost");
			yield all("lost").set(at, "kept");
		}
	}
	for (const at of uncertain.filter((one) => past[one]?.op === "write"))
		for (const others of ["kept", "lost"] as const)
			for (const fate of ["torn", "zeros"] as const) yield all(others).set(at, fate);
}

/** The disk after `past`, where each uncertain call had its fate. */
function leave(past: readonly DiskOp[], fates: ReadonlyMap<number, Fate>, name: string): Wreck {
	const names = new Map<string, number | "folder">();
	const contents = new Map<number, Buffer>();
	const wreck: Wreck = { name, folders: [], files: new Map(), told: [], effects: [] };
	past.forEach((op, at) => {
		const fate = fates.get(at) ?? "kept";
		if (fate !== "kept") wreck.name += `, ${at} (${op.op}) ${fate}`;
		if (op.op === "told") wreck.told.push(...op.events);
		if (op.op === "effect") wreck.effects.push(op.line);
		if (fate !== "lost") apply(op, fate, names, contents);
	});
	const isReached = (path: string): boolean =>
		folderOf(path) === "" || (names.get(folderOf(path)) === "folder" && isReached(folderOf(path)));
	for (const [path, what] of [...names].filter(([path]) => isReached(path)))
		if (what === "folder") wreck.folders.push(path);
		else wreck.files.set(path, contents.get(what) ?? Buffer.alloc(0));
	return wreck;
}

function apply(
	op: DiskOp,
	fate: Fate,
	names: Map<string, number | "folder">,
	contents: Map<number, Buffer>,
): void {
	switch (op.op) {
		case "folder":
			names.set(op.path, "folder");
			break;
		case "file":
			names.set(op.path, op.file);
			break;
		case "remove":
			names.delete(op.path);
			break;
		case "rename":
			names.delete(op.from);
			names.set(op.to, op.file);
			break;
		case "write": {
			const bytes = Buffer.from(op.bytes, "base64");
			const part = fate === "torn" ? bytes.subarray(0, bytes.length >> 1) : bytes;
			const old = contents.get(op.file) ?? Buffer.alloc(0);
			const grown = Buffer.alloc(Math.max(old.length, op.at + part.length));
			old.copy(grown);
			if (fate !== "zeros") part.copy(grown, op.at);
			contents.set(op.file, grown);
			break;
		}
		case "truncate": {
			const old = contents.get(op.file) ?? Buffer.alloc(0);
			const cut = Buffer.alloc(op.size);
			old.copy(cut);
			contents.set(op.file, cut);
			break;
		}
	}
}
