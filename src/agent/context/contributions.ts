// Says what a request is made of, part by part, with sources and estimated tokens: what `/context` shows. Pure; it
// changes nothing of the request.

import type { ModelRequest } from "../../ports/model.ts";
import type { ContributionRef } from "../../session/events.ts";
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
	const claimed = state.step?.claimed.length ?? 0;
	return [
		{
			kind: "instructions",
			source: "agi",
			trust: "agi",
			hash: digest(request.system),
			tokens: tokens(sizeOfText(request.system)),
		},
		{
			kind: "tools",
			source: "agi",
			trust: "agi",
			hash: digest(JSON.stringify(request.tools)),
			tokens: tokens(sizeOfTools(request.tools)),
		},
		{
			kind: "history",
			source: `${request.messages.length} messages, ${claimed} of them new input`,
			trust: "workspace",
			hash: digest(JSON.stringify(request.messages.at(-1) ?? "")),
			tokens: tokens(sumOfSizes(request.messages.map(sizeOfMessage))),
		},
	];
}
