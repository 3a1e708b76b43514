// Puts the tool calls of one reply together out of deltas in any server's habit: without index, without id, two calls
// under one index, arguments as an object or sent twice. Pure. It never glues two calls together and loses none.

import { asRecord, asWord, parseJson, wellFormedJson } from "./json.ts";

/** A call delta in the canonical form: the first carries id and name, the last the whole arguments. */
export interface CallDelta {
	index: number;
	id?: string;
	type?: "function";
	function: { name?: string; arguments: string };
}

export interface ToolCallAssembly {
	/** Takes one element of `delta.tool_calls`; returns the opening delta once the call's name is known. */
	add(delta: unknown): CallDelta | undefined;
	/** The closing deltas, in the order in which the calls began: empty arguments become `{}`. */
	close(): CallDelta[];
	/** How many calls began. */
	readonly count: number;
	/** True where a call never got a name. */
	readonly hasNameless: boolean;
	/** True where the arguments of each call are a whole JSON object. */
	readonly allWhole: boolean;
}

interface Call {
	position: number;
	id: string;
	serverId?: string;
	serverIndex?: number;
	name?: string;
	arguments: string;
}

interface Piece {
	index?: number;
	id?: string;
	name?: string;
	arguments: string;
}

/** An assembly for one reply. `makeId(position)` names calls that came without an id, or with one already taken. */
export function createToolCallAssembly(makeId: (position: number) => string): ToolCallAssembly {
	const calls: Call[] = [];

	function open(piece: Piece): Call {
		const isFree = piece.id !== undefined && !calls.some((call) => call.id === piece.id);
		const call: Call = {
			position: calls.length,
			id: isFree && piece.id ? piece.id : makeId(calls.length),
			arguments: "",
			...(piece.id !== undefined && { serverId: piece.id }),
			...(piece.index !== undefined && { serverIndex: piece.index }),
		};
		calls.push(call);
		return call;
	}

	return {
		add(delta) {
			const piece = readPiece(delta);
			if (!piece) return undefined;
			const call = findCall(calls, piece) ?? open(piece);
			if (piece.id !== undefined) call.serverId ??= piece.id;
			// Some servers close with the whole arguments once more.
			const isRepeat = piece.arguments === call.arguments && isObjectText(call.arguments);
			if (!isRepeat) call.arguments += piece.arguments;
			if (call.name !== undefined || piece.name === undefined) return undefined;
			call.name = piece.name;
			return {
				index: call.position,
				id: call.id,
				type: "function",
				function: { name: call.name, arguments: "" },
			};
		},
		close: () =>
			calls
				.filter((call) => call.name !== undefined)
				.map((call) => ({ index: call.position, function: { arguments: closedArguments(call.arguments) } })),
		get count() {
			return calls.length;
		},
		get hasNameless() {
			return calls.some((call) => call.name === undefined);
		},
		get allWhole() {
			return calls.every((call) => isObjectText(closedArguments(call.arguments)));
		},
	};
}

function readPiece(delta: unknown): Piece | undefined {
	const record = asRecord(delta);
	if (!record) return undefined;
	const body = asRecord(record["function"]) ?? record;
	const index =
		typeof record["index"] === "number"
			? record["index"]
			: Number.parseInt(asWord(record["index"]) ?? "", 10);
	const id = typeof record["id"] === "number" ? String(record["id"]) : asWord(record["id"]);
	const name = asWord(body["name"])?.trim();
	const given = body["arguments"];
	const isObject = typeof given === "object" && given !== null;
	return {
		...(Number.isInteger(index) && { index }),
		...(id !== undefined && { id }),
		...(name !== undefined && { name }),
		arguments: typeof given === "string" ? given : isObject ? JSON.stringify(given) : "",
	};
}

/** The call that a piece goes on with; undefined where it begins a new one. */
function findCall(calls: Call[], piece: Piece): Call | undefined {
	const call = candidate(calls, piece);
	if (!call) return undefined;
	if (piece.id !== undefined && call.serverId !== undefined && piece.id !== call.serverId) return undefined;
	if (piece.name === undefined || call.name === undefined) return call;
	if (piece.name !== call.name) return undefined;
	const bothWhole = isObjectText(call.arguments) && isObjectText(piece.arguments);
	return bothWhole && piece.arguments !== call.arguments ? undefined : call;
}

function candidate(calls: Call[], piece: Piece): Call | undefined {
	if (piece.index !== undefined) return calls.findLast((call) => call.serverIndex === piece.index);
	const last = calls.at(-1);
	if (piece.id === undefined) return last;
	const known = calls.findLast((call) => call.serverId === piece.id);
	return known ?? (last?.serverId === undefined && piece.name === undefined ? last : undefined);
}

function closedArguments(text: string): string {
	return text.trim() === "" || text.trim() === "null" ? "{}" : wellFormedJson(text);
}

function isObjectText(text: string): boolean {
	return text.trimStart().startsWith("{") && asRecord(parseJson(text)) !== undefined;
}
