// Says what a request is made of, part by part, with sources and estimated tokens: what `/context` shows. Pure; it
// changes nothing of the request.

import type { ModelRequest } from "../../ports/model.ts";
import type { ContributionRef } from "../../session/events.ts";
import { checkpointOf } from "../../session/modelView.ts";
import { accountOf, type SessionState } from "../../session/state.ts";
import { estimateSize, type TokenSize, UNKNOWN_TOKENIZER } from "../../session/tokenAccount.ts";
import { sizeOfMessage, sizeOfText, sizeOfTools, sumOfSizes } from "./tokenEstimator.ts";

/** The parts of `request`, which the open Step of `state` sends; `digest` is SHA-256 in hex. */
export function contributionsOf(
	state: SessionState,
	request: ModelRequest,
	digest: (text: string) => string,
): ContributionRef[] {
	const account = state.step ? accountOf(state, state.step.model) : UNKNOWN_TOKENIZER;
	const tokens = (size: TokenSize) => estimateSize({ weights: account.weights }, size);
	const ofText = (text: string) => tokens(sizeOfText(text));
	const documents = state.documents.map(
		({ path, digest: hash, trusted, text }): ContributionRef => ({
			kind: "document",
			source: path,
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
	return [
		agiPart("instructions", "agi", digest(request.system), instructions),
		...documents,
		agiPart("tools", "agi", digest(JSON.stringify(request.tools)), tokens(sizeOfTools(request.tools))),
		...(summary === undefined
			? []
			: [agiPart("checkpoint", "summary of older parts", digest(summary), ofText(summary))]),
		{
			kind: "history",
			source: `${said.length} messages, ${claimed} of them new input`,
			trust: "workspace",
			hash: digest(JSON.stringify(said.at(-1) ?? "")),
			tokens: tokens(sumOfSizes(said.map(sizeOfMessage))),
		},
	];
}

function agiPart(kind: string, source: string, hash: string, tokens: number): ContributionRef {
	return { kind, source, trust: "agi", hash, tokens };
}
