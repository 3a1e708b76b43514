// The conversation line by line, for a plain terminal: prints what streams, asks with a line, reads lines. It draws
// nothing; whatever comes from a model, a file or a tool passes the filter before it is written.

import type { Client } from "../rpc/client.ts";
import type { Notification, OpenPrompt } from "../rpc/protocol.ts";
import type { SessionEvent } from "../session/events.ts";
import type { ApprovalPrompt } from "../session/live.ts";
import { sendableMessages } from "../session/next.ts";
import { obtain } from "./commandDesk.ts";
import { commandPlace } from "./commandPlace.ts";
import { parseSubmission, unknownCommandText } from "./input/slashCommands.ts";
import { createLineDesk, runLineCommand } from "./lineDesk.ts";
import { createLineQuestions } from "./lineQuestions.ts";
import type { Outside } from "./outside.ts";
import { WAS_REASONING } from "./view/stream.ts";
import { escapedText, visibleText } from "./visibleText.ts";

export interface LineModeOptions {
	/** Lines typed by the person; ends at the end of input. */
	lines: AsyncIterable<string>;
	/** Writes to the terminal, as given. */
	write(text: string): void;
	/** A first message, as if typed. */
	prompt?: string;
	/** Fires at Ctrl+C: cancels what runs; idle, ends the program at the second time. */
	onInterrupt(listener: () => void): void;
	/** As in `Outside`. */
	saveText: Outside["saveText"];
	/** Epoch milliseconds. */
	now(): number;
}

/** Talks until the input ends or the person leaves. */
export async function runLineMode(client: Client, options: LineModeOptions): Promise<void> {
	const screen = createLineScreen(options.write);
	const questions = createLineQuestions(screen.question);
	const left = Promise.withResolvers<void>();
	let open: readonly OpenPrompt[] = [];
	let busy = false;
	/** Commands of agi and of the person that run beside the turn. */
	let beside = 0;
	let costUsd: number | null = 0;
	let wantsExit = false;
	const promptIfIdle = () => {
		if (!busy && beside === 0 && !questions.isOpen() && !open[0]) screen.prompt();
	};
	const askOpen = () => {
		if (open[0] && !questions.isOpen()) screen.ask(open[0]);
	};
	client.listen((notification) => {
		if (notification.kind === "prompts") {
			open = notification.open;
			busy ||= open.length > 0;
			askOpen();
		} else screen.show(notification);
		if (notification.kind === "turnEnded") costUsd = notification.costUsd;
		if (notification.kind === "facts") busy ||= notification.events.some(({ type }) => type === "turn/start");
		if (notification.kind === "session") [open, busy, costUsd] = [[], false, 0];
		if (notification.kind === "idle") {
			busy = false;
			promptIfIdle();
		}
	});
	const desk = createLineDesk(client, {
		print: screen.line,
		questions,
		saveText: options.saveText,
		now: options.now,
		costUsd: () => costUsd,
		leave: left.resolve,
	});
	/** Runs beside what is read; what goes wrong is told. */
	const start = async (work: () => Promise<unknown>) => {
		beside++;
		await work().catch((error: unknown) =>
			screen.line(error instanceof Error ? error.message : String(error)),
		);
		beside--;
		askOpen();
		promptIfIdle();
	};
	const submit = async (text: string) => {
		const target = busy ? "next_step" : "next_turn";
		const wasBusy = busy;
		busy = true;
		const slash = text.startsWith("//") ? { startsSkills: false as const } : {};
		const sent = await client.send({ do: "submit", text: text.replace(/^\/\//, "/"), target, ...slash });
		if (sent.ok) return;
		screen.line(sent.message);
		busy = busy && wasBusy;
		promptIfIdle();
	};
	const goOn = async () => {
		const { state } = client.greeting;
		const waits = state.turn || state.continuation || sendableMessages(state).length > 0;
		if (busy || !waits) return promptIfIdle();
		busy = true;
		await client.send({ do: "goOn" });
	};
	const take = async (line: string): Promise<unknown> => {
		const said = parseSubmission(line);
		const command = (name: string, argument: string) => start(() => runLineCommand(desk, name, argument));
		switch (said.kind) {
			case "empty":
				return goOn();
			case "message":
				return submit(line);
			case "command":
				if (said.name === "exit") return left.resolve();
				return void command(said.name, said.argument);
			case "unknownCommand":
				if (client.greeting.skills.some(({ name }) => name === said.typed)) return submit(line);
				screen.line(unknownCommandText(said));
				return promptIfIdle();
			case "shell":
				return void start(() => obtain(desk, { do: "shell", command: said.command }));
			case "word":
				if (said.word === "exit" || said.word === "quit") return left.resolve();
				if (said.word === "approve" && !busy && desk.planWaits()) return void command("approve", "");
				return submit(line);
			default:
				return said satisfies never;
		}
	};
	options.onInterrupt(() => {
		if (questions.leave()) return askOpen();
		if (busy || beside > 0) void client.send({ do: "interrupt" });
		else if (wantsExit) left.resolve();
		else {
			wantsExit = true;
			screen.line("(Ctrl+C again, or exit, leaves agi)");
			screen.prompt();
		}
	});
	if (options.prompt) await submit(options.prompt);
	else screen.prompt();
	const input = options.lines[Symbol.asyncIterator]();
	for (;;) {
		const read = await Promise.race([left.promise, input.next()]);
		if (!read || read.done) break;
		const text = read.value.trim();
		wantsExit = false;
		screen.typed();
		if (questions.isOpen()) {
			questions.answer(text);
			// It may have come meanwhile: nothing that was not shown may be answered.
			askOpen();
		} else if (open[0]) {
			const refusal = await answer(client, open[0], text);
			if (refusal !== undefined) screen.line(refusal);
		} else await take(text);
	}
	// A question that is open stays so, and the next start asks it again.
	if (!open[0] && (busy || beside > 0)) await client.send({ do: "interrupt" });
}

/**
 * A line as the answer to the open question; resolves with why it is none. Anything that is neither yes nor no is what
 * the person wants instead.
 */
async function answer(client: Client, open: OpenPrompt, text: string): Promise<string | undefined> {
	const { callId } = open.prompt;
	if (open.kind === "question") {
		const option = open.prompt.options[Number(text) - 1];
		const sent = await client.send({ do: "answerQuestion", callId, answer: option ?? text });
		return sent.ok ? undefined : sent.message;
	}
	const word = text.toLowerCase();
	if (word === "y" || word === "yes") await client.send({ do: "answerApproval", callId, answer: "yes" });
	else if (word === "a" && open.prompt.grantable)
		await client.send({ do: "answerApproval", callId, answer: "yes_session" });
	else if (word === "always" && open.prompt.grantable && open.prompt.offer)
		await client.send({ do: "answerApproval", callId, answer: "yes_always" });
	else if (word === "" || word === "n" || word === "no")
		await client.send({ do: "answerApproval", callId, answer: "no" });
	else await client.send({ do: "answerApproval", callId, answer: "no", words: text });
	return undefined;
}

interface LineScreen {
	show(notification: Notification): void;
	ask(open: OpenPrompt): void;
	/** A question of agi itself. */
	question(text: string): void;
	line(text: string): void;
	/** Says that a line is waited for; nothing where that stands there already. */
	prompt(): void;
	/** The person has ended a line. */
	typed(): void;
}

/** Writes whole lines; knows only whether the last one was finished. */
function createLineScreen(write: (text: string) => void): LineScreen {
	let inLine = false;
	let prompts = false;
	/** What was asked, where nothing stands below it. */
	let asked: OpenPrompt | undefined;
	const put = (text: string) => {
		const shown = visibleText(text);
		if (shown === "") return;
		write(shown);
		asked = undefined;
		prompts = false;
		inLine = !shown.endsWith("\n");
	};
	const line = (text: string) => {
		if (inLine) write("\n");
		inLine = false;
		put(`${text}\n`);
	};
	return {
		line,
		prompt() {
			if (prompts) return;
			if (inLine) write("\n");
			write("> ");
			inLine = false;
			prompts = true;
		},
		typed() {
			prompts = false;
		},
		show(notification) {
			if (notification.kind === "live") {
				const { delta } = notification;
				if (delta.type === "text") put(delta.text);
				else if (delta.type === "withdrawn")
					line(delta.why === "reasoning" ? WAS_REASONING : "(the text above was cut off and does not count)");
				else if (delta.type === "waiting" && delta.for === "retry") line(`  … ${delta.detail}`);
				else if (delta.type === "notice") line(delta.text);
				else if (delta.type === "subagent" && delta.event.type === "tool/call")
					line(`  · ${delta.agent}.${delta.event.name} ${JSON.stringify(delta.event.args)}`);
			} else if (notification.kind === "facts") {
				for (const event of notification.events) for (const text of factLines(event)) line(text);
			} else if (notification.kind === "turnEnded" && notification.end.status !== "completed")
				line(notification.end.answer);
			else if (notification.kind === "fault") line(notification.message);
			else if (notification.kind === "shell") {
				const { change } = notification;
				if (change.state === "output") put(change.text);
				else if (change.state === "ended") line(`(${change.result})`);
			} else if (notification.kind === "session")
				for (const text of [`── session ${notification.greeting.sessionId}`, ...notification.notices])
					line(text);
		},
		question(text) {
			line(`? ${text}`);
			write("? ");
		},
		ask(open) {
			if (asked === open) return;
			if (open.kind === "question") {
				line(`? ${open.prompt.question}`);
				for (const [i, option] of open.prompt.options.entries()) line(`  ${i + 1}. ${option}`);
			} else {
				const { prompt } = open;
				if (prompt.preview) line(escapedText(prompt.preview));
				line(`? ${prompt.agent} asks to run ${prompt.toolName} (${prompt.reason})`);
				const place = commandPlace(prompt);
				if (place !== undefined) line(`  ${place}`);
				line(`  ${approvalKeys(prompt)}`);
			}
			write("? ");
			asked = open;
		},
	};
}

function approvalKeys({ grantable, offer }: ApprovalPrompt): string {
	const session = grantable
		? `, a = yes, also next time in this session${offer ? ` for ${offer.label}` : ""}`
		: "";
	const always = grantable && offer ? ", always = the same for good" : "";
	return `y = yes${session}${always}, n = no, or say what to do instead`;
}

function factLines(event: SessionEvent): string[] {
	if (event.type === "tool/call") return [`● ${event.name} ${JSON.stringify(event.args).slice(0, 400)}`];
	if (event.type !== "tool/result") return [];
	const lines = event.text.split("\n");
	const shown = lines.slice(0, 6).map((text) => `  ${text.slice(0, 200)}`);
	return lines.length > 6 ? [...shown, `  … ${lines.length - 6} more lines`] : shown;
}
