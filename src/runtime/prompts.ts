// Questions that wait for a person: approvals and the model's own. Each is told to whoever listens and answered once;
// a cancel answers everything that is open. When agi ends, they stay open in the log: see `park`.

import { Parked } from "../agent/parked.ts";
import type { ApprovalAnswer, ApprovalPrompt, PersonPrompt } from "../session/live.ts";

/** A question that is open now. */
export type OpenPrompt =
	| { kind: "approval"; prompt: ApprovalPrompt }
	| { kind: "question"; prompt: PersonPrompt };

export interface Prompts {
	/** Asks about a call; resolves with `cancelled` when `signal` fires first. */
	approve(prompt: ApprovalPrompt, signal: AbortSignal): Promise<ApprovalAnswer>;
	/**
	 * Asks the model's question; resolves with undefined when nobody answers. `keep` makes an answer durable before it
	 * counts; where it rejects, the question stays open.
	 */
	ask(
		prompt: PersonPrompt,
		signal: AbortSignal,
		keep?: (answer: string) => Promise<void>,
	): Promise<string | undefined>;
	/** The open questions, oldest first. */
	open(): readonly OpenPrompt[];
	/** False where no such question is open. */
	answerApproval(callId: string, answer: ApprovalAnswer): boolean;
	answerQuestion(callId: string, answer: string | undefined): Promise<boolean>;
	/**
	 * For when agi ends: whoever waits for an answer is rejected with `Parked`, so that question and Turn stay open in the
	 * log, and so is whoever asks from then on. A subagent never outlives its turn: its question is cancelled.
	 */
	park(): void;
}

interface Waiting {
	prompt: OpenPrompt;
	settle(answer: unknown): void;
	park(): void;
	keep?(answer: string): Promise<void>;
	/** Its answer is on the way to the disk. */
	isTaken?: boolean;
}

/** An empty list of questions; `onChange` hears of every one that opens or closes. */
export function createPrompts(onChange: (open: readonly OpenPrompt[]) => void): Prompts {
	const waiting: Waiting[] = [];
	let isParked = false;

	const wait = <A>(
		prompt: OpenPrompt,
		signal: AbortSignal,
		whenCancelled: A,
		keep?: Waiting["keep"],
	): Promise<A> =>
		new Promise((resolve, reject) => {
			const close = (end: () => void) => {
				const at = waiting.findIndex((w) => w.prompt === prompt);
				if (at < 0) return;
				waiting.splice(at, 1);
				signal.removeEventListener("abort", cancel);
				onChange(waiting.map((w) => w.prompt));
				end();
			};
			const cancel = () => close(() => resolve(whenCancelled));
			const settle = (answer: unknown) => close(() => resolve(answer as A));
			const park = isSubagents(prompt) ? cancel : () => close(() => reject(new Parked()));
			waiting.push({ prompt, settle, park, ...(keep ? { keep } : {}) });
			onChange(waiting.map((w) => w.prompt));
			if (isParked) park();
			else if (signal.aborted) cancel();
			else signal.addEventListener("abort", cancel, { once: true });
		});

	const find = (kind: OpenPrompt["kind"], callId: string): Waiting | undefined =>
		waiting.find((w) => w.prompt.kind === kind && w.prompt.prompt.callId === callId && !w.isTaken);

	return {
		approve: (prompt, signal) =>
			wait<ApprovalAnswer>({ kind: "approval", prompt }, signal, { answer: "cancelled", by: "agi" }),
		ask: (prompt, signal, keep) =>
			wait<string | undefined>({ kind: "question", prompt }, signal, undefined, keep),
		open: () => waiting.map((w) => w.prompt),
		answerApproval(callId, given) {
			const found = find("approval", callId);
			found?.settle(given);
			return found !== undefined;
		},
		async answerQuestion(callId, given) {
			const found = find("question", callId);
			if (!found) return false;
			// A second answer must not overtake the one that is on its way to the disk.
			found.isTaken = true;
			try {
				if (given !== undefined) await found.keep?.(given);
			} catch (error) {
				found.isTaken = false;
				throw error;
			}
			found.settle(given);
			return true;
		},
		park() {
			isParked = true;
			for (const one of [...waiting]) one.park();
		},
	};
}

function isSubagents(open: OpenPrompt): boolean {
	return open.kind === "approval" && open.prompt.agent !== "agi";
}
