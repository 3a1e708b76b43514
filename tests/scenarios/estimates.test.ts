// Whole turns against servers that count by tokenizers of their own: how near agi's estimate of each request comes.

import { expect, it } from "vitest";
import { requestTokens } from "../../src/agent/context/draftCheckpoint.ts";
import type { ModelRequest } from "../../src/ports/model.ts";
import { TEXTS, TOKENIZERS, type Tokenizer } from "../support/tokenizers.ts";
import { createTurnBench } from "../support/turnBench.ts";

const STEPS = 12;

/** What a server counts: its template puts a few tokens around each message. */
function counted({ system, tools, messages }: ModelRequest, tokenizer: Tokenizer): number {
	const texts = messages.map((message) => {
		const calls = message.role === "assistant" ? message.calls : [];
		return [message.text, ...calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`)].join("\n");
	});
	return [system, JSON.stringify(tools), ...texts].reduce((sum, text) => sum + tokenizer(text) + 6, 0);
}

/** Relative errors of the estimates of one turn's requests, whose files and words are of that kind. */
async function errorsOf(textOf: (n: number) => string, tokenizer: Tokenizer): Promise<number[]> {
	const errors: number[] = [];
	const bench = await createTurnBench({
		files: Object.fromEntries([...Array(STEPS).keys()].map((n) => [`f${n}`, textOf(n)])),
		script: (request, index) => {
			const told = counted(request, tokenizer);
			const estimate = requestTokens(bench.contextFor(new AbortController().signal));
			errors.push(Math.abs(estimate - told) / told);
			const usage = { inputTokens: told, outputTokens: 20, cachedInputTokens: 0, reasoningTokens: 0 };
			if (index === STEPS - 1) return { text: "done", usage };
			return {
				text: textOf(index).slice(0, 200),
				calls: [{ name: "readFile", args: { path: `f${index}` } }],
				usage,
			};
		},
	});
	try {
		await bench.say(textOf(0));
	} finally {
		await bench.remove();
	}
	return errors;
}

const cases = Object.entries(TOKENIZERS).flatMap(([server, tokenizer]) =>
	Object.entries(TEXTS).map(([kind, textOf]) => ({ server, kind, tokenizer, textOf })),
);

it.each(cases)(
	"the estimate of each request from the second on is within 10 % of the server's count: $kind, $server",
	async ({ tokenizer, textOf }) => {
		const errors = await errorsOf(textOf, tokenizer);
		expect(errors).toHaveLength(STEPS);
		expect(Math.max(...errors.slice(1))).toBeLessThan(0.1);
	},
);
