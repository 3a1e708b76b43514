// The heavy part of the start on a screen: the session with everything around it, then Ink over the first frame. It is
// loaded piece by piece, so that keys are taken in between.

import type { Clock } from "../ui/clock.ts";
import { type Conversation, openConversation } from "../ui/conversation.ts";
import type { FirstFrame } from "../ui/firstFrame.ts";
import { COPY_QUESTION } from "../ui/forking.ts";
import type { Keyboard } from "../ui/keyboard.ts";
import type { PersonEffect } from "../ui/personState.ts";
import type { TerminalDevice } from "../ui/terminal/device.ts";
import type { TerminalHold } from "../ui/terminal/hold.ts";
import type { Writer } from "../ui/terminal/writer.ts";
import { locate } from "../wire/place.ts";
import type { CommandLine, SessionChoice } from "./arguments.ts";
import { defined, type ParsedFlags } from "./flagValues.ts";
import { openOutside } from "./outside.ts";
import { startHosted } from "./start.ts";
import { startFolder } from "./startFolder.ts";
import { keepTrust, trustLines, trustQuestion } from "./trust.ts";

/** What the first frame was made of. */
export interface ScreenParts {
	device: TerminalDevice;
	writer: Writer;
	keyboard: Keyboard;
	hold: TerminalHold;
	clock: Clock;
}

/** A conversation that can be closed. */
export interface OpenScreen extends Pick<Conversation, "left" | "end"> {
	/** Ends what runs and writes everything. */
	close(): Promise<void>;
}

/** Opens the session and takes the screen over from `frame`. */
export async function openScreen(
	parsed: CommandLine<"interactive">,
	frame: FirstFrame,
	parts: ScreenParts,
): Promise<OpenScreen> {
	// `-r` without an id asks which: until then there is a new session, which is not kept while it is empty.
	const asksFor = sessionQuestion(parsed.session);
	const choice: SessionChoice = asksFor ? { kind: "new" } : parsed.session;
	const trust = await settleTrust(parsed.flags, frame);
	const copyLabels = { no: "No, leave it as it is", yes: "Yes, copy it and go on there" };
	const started = await startHosted(trust.flags, choice, (offer) =>
		frame.askYes([offer, COPY_QUESTION], copyLabels),
	);
	// What is drawn while the shell has the terminal would be lost.
	await frame.onScreen();
	const { person, effects, frame: first } = frame.handOver();
	const conversation = openConversation({
		...parts,
		client: started.client,
		outside: openOutside(startFolder(), process.env),
		person,
		frame: first,
		notices: [...trust.notices, ...started.notices],
	});
	if (asksFor) conversation.perform(asksFor);
	if (parsed.prompt !== undefined)
		conversation.perform({
			do: "send",
			request: { do: "submit", text: parsed.prompt, target: "next_turn" },
		});
	for (const effect of effects) conversation.perform(effect);
	return { left: conversation.left, end: conversation.end, close: started.close };
}

function sessionQuestion(session: SessionChoice): PersonEffect | undefined {
	if (session.kind !== "resume" || session.id !== undefined) return undefined;
	if (!session.fork) return { do: "command", name: "resume", argument: "" };
	return { do: "forkEarlier", ...defined("afterStep", session.at) };
}

/** Asks about a folder that nobody has said yes to, before anything of it is read. */
async function settleTrust(
	flags: ParsedFlags,
	frame: FirstFrame,
): Promise<{ flags: ParsedFlags; notices: string[] }> {
	const place = await locate(startFolder(), process.env, false);
	const question = trustQuestion(place, flags.trust);
	if (!question) return { flags, notices: [] };
	const labels = { no: "No, work here without that", yes: "Yes, I trust this folder" };
	const isTrusted = await frame.askYes([...trustLines(question), "Do you trust this folder?"], labels);
	if (!isTrusted) return { flags, notices: [] };
	const problem = keepTrust(place, question);
	return { flags: { ...flags, trust: true }, notices: problem === undefined ? [] : [problem] };
}
