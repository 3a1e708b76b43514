// What every command works with: the session, the person, the machine. No command is here.

import type { Client } from "../rpc/client.ts";
import type { ClientRequest, ValueOf } from "../rpc/protocol.ts";
import type { Clock } from "./clock.ts";
import type { Outside } from "./outside.ts";
import type { OwnQuestions } from "./ownQuestions.ts";
import type { UiEvent } from "./view/reduce.ts";
import type { ViewState } from "./view/state.ts";

/** What commands work with. */
export interface CommandDesk {
	client: Client;
	questions: Pick<OwnQuestions, "ask" | "pick">;
	outside: Outside;
	clock: Pick<Clock, "now">;
	view(): ViewState;
	show(event: UiEvent): void;
	/** Bytes for the terminal; only for its clipboard. */
	writeRaw(sequence: string): void;
	/** What the model said, the newest first. */
	answers(): string[];
	/** Gives the keys to the queue of messages. */
	markQueue(): void;
	/** Puts a text into the prompt line. */
	setDraft(text: string): void;
	leave(): void;
}

/** The value of a request; a refusal is thrown. */
export async function obtain<R extends ClientRequest>(
	{ client }: CommandDesk,
	request: R,
): Promise<ValueOf<R>> {
	const result = await client.send(request);
	if (!result.ok) throw new Error(result.message);
	return result.value;
}

/** Prints a text for the person. */
export function print(
	{ show }: CommandDesk,
	text: string,
	as: NonNullable<(UiEvent & { kind: "print" })["as"]> = "plain",
): void {
	show({ kind: "print", text, as });
}

/** What the model said, the newest first. */
export function answersOf(client: Client): string[] {
	return client.greeting.state.history
		.flatMap((item) => (item.kind === "assistant" && item.text.trim() !== "" ? [item.text] : []))
		.reverse();
}
