// Says what a request is made of, part by part, with sources and estimated tokens: what `/context` shows. Pure; it
// changes nothing of the request.

import type { ModelRequest } from "../../ports/model.ts";
import type { ContributionRef, ModelConfig, ObservedDocument } from "../../session/events.ts";
import { checkpointOf, viewEntries } from "../../session/modelView.ts";
import { accountOf, type SessionState } from "../../session/state.ts";
import { estimateSize, type TokenSize, UNKNOWN_TOKENIZER } from "../../session/tokenAccount.ts";
import { sizeOfImage, sizeOfMessage, sizeOfText, sizeOfTools, sumOfSizes } from "./tokenEstimator.ts";

/**
 * The parts of `request`, which the open Step of `state` sends, or would send to `model` where none is open; `digest` is
 * SHA-256 in hex.
 */
export function contributionsOf(
	state: SessionState,
	request: ModelRequest,
	digest: (text: string) => string,
	model: ModelConfig | undefined = state.step?.model,
): ContributionRef[] {
	const account = model ? accountOf(state, model) : UNKNOWN_TOKENIZER;
	const tokens = (size: TokenSize) => estimateSize({ weights: account.weights }, size);
	const ofText = (text: string) => tokens(sizeOfText(text));
	const inOrder = state.documents.toSorted((a, b) => placeOf(a.kind) - placeOf(b.kind));
	const documents = inOrder.map(
		({ path, digest: hash, trusted, text, kind = "document" }): ContributionRef => ({
			kind,
			source: path,
			// The project's own files are told relative to the workspace.
			scope: path.startsWith("/") ? "user" : "project",
			trust: trusted ? "person" : "workspace",
			hash,
			tokens: ofText(text ?? ""),
		}),
	);
	const inDocuments = documents.reduce((sum, part) => sum + part.tokens, 0);
	const instructions = Math.max(0, ofText(request.system) - inDocuments);
	const { summary } = checkpointOf(state.history) ?? {};
	const said = summary === undefined ? request.messages : request.messages.slice(1);
	const claimed = state.step?.claimed.length ?? 0;
	const brought = broughtParts(state, tokens, digest);
	const inBrought = brought.reduce((sum, part) => sum + part.tokens, 0);
	return [
		agiPart("instructions", "agi", digest(request.system), instructions),
		...documents,
		agiPart("tools", "agi", digest(JSON.stringify(request.tools)), tokens(sizeOfTools(request.tools))),
		...(summary === undefined
			? []
			: [
					{
						...agiPart("checkpoint", "summary of older parts", digest(summary), ofText(summary)),
						scope: "session" as const,
					},
				]),
		...brought,
		{
			kind: "history",
			scope: "session",
			source: `${said.length} messages, ${claimed} of them new input`,
			trust: "workspace",
			hash: digest(JSON.stringify(said.at(-1) ?? "")),
			tokens: Math.max(0, tokens(sumOfSizes(said.map(sizeOfMessage))) - inBrought),
		},
	];
}

/** Where a kind of document stands in the instructions: behind the files of the project come skills, then memory. */
function placeOf(kind: ObservedDocument["kind"]): number {
	return kind === undefined ? 0 : kind === "skills" ? 1 : 2;
}

/** Skills that were loaded and what came with messages: parts of the conversation with sources of their own. */
function broughtParts(
	state: SessionState,
	tokens: (size: TokenSize) => number,
	digest: (text: string) => string,
): ContributionRef[] {
	const part = (
		kind: string,
		source: string,
		trust: ContributionRef["trust"],
		text: string,
	): ContributionRef => ({
		kind,
		scope: "session",
		source,
		trust,
		hash: digest(text),
		tokens: tokens(sizeOfText(text)),
	});
	const loaded = new Map(state.skills.map((skill) => [skill.itemId, skill]));
	const seen = viewEntries(state.history, state.masked).map(({ item }) => item);
	const claimed = state.inbox.filter(({ stepId }) => stepId !== undefined && stepId === state.step?.stepId);
	const attached = [...seen.flatMap((item) => (item.kind === "user" ? [item] : [])), ...claimed];
	return [
		...seen.flatMap((item): ContributionRef[] => {
			const skill = item.kind === "tool" ? loaded.get(item.callId) : undefined;
			if (item.kind !== "tool" || !skill || state.masked.has(item.callId)) return [];
			return [part("skill", skill.name, skill.trusted ? "person" : "workspace", item.text)];
		}),
		...attached
			.flatMap(({ attachments = [] }) => attachments)
			.map(({ kind, source, text, image }): ContributionRef => {
				if (kind === "skill") return part("skill", source, "person", text);
				const attachment = part("attachment", `${kind} ${source}`, "workspace", text);
				return image ? { ...attachment, tokens: tokens(sizeOfImage(image)) } : attachment;
			}),
	];
}

function agiPart(kind: string, source: string, hash: string, tokens: number): ContributionRef {
	return { kind, source, trust: "agi", hash, tokens };
}
