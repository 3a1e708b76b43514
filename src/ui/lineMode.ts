// The conversation line by line, for a plain terminal: prints what streams, asks with a line, reads lines. It draws
// nothing; whatever comes from a model, a file or a tool passes the filter before it is written.

import type { Client } from "../rpc/client.ts";
import type { Notification, OpenPrompt } from "../rpc/protocol.ts";
import type { SessionEvent } from "../session/events.ts";
import type { ApprovalPrompt } from "../session/live.ts";
import { commandPlace } from "./commandPlace.ts";
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
}

/** Talks until the input ends or the person leaves. */
export async function runLineMode(client: Client, options: LineModeOptions): Promise<void> {
	const screen = createLineScreen(options.write);
	let open: readonly OpenPrompt[] = [];
	let busy = false;
	let wantsExit = false;
	client.listen((notification) => {
		if (notification.kind === "prompts") {
			open = notification.open;
			busy ||= open.length > 0;
			if (open[0]) screen.ask(open[0]);
		} else screen.show(notification);
		if (notification.kind === "idle") {
			busy = false;
			screen.prompt();
		}
	});
	const state = () => client.greeting.state;
	const submit = async (text: string) => {
		const wasBusy = busy;
		busy = true;
		const sent = await client.send({ do: "submit", text, target: wasBusy ? "next_step" : "next_turn" });
		if (sent.ok) return;
		screen.line(sent.message);
		busy = busy && wasBusy;
		if (!busy) screen.prompt();
	};
	const input = options.lines[Symbol.asyncIterator]();
	const left = new Promise<void>((leave) => {
		options.onInterrupt(() => {
			if (busy) void client.send({ do: "interrupt" });
			else if (wantsExit) leave();
			else {
				wantsExit = true;
				screen.line("(Ctrl+C again, or exit, leaves agi)");
				screen.prompt();
			}
		});
	});
	if (options.prompt) await submit(options.prompt);
	else screen.prompt();
	for (;;) {
		const read = await Promise.race([input.next(), left]);
		if (!read || read.done) break;
		const text = read.value.trim();
		wantsExit = false;
		if (open[0]) {
			const refusal = await answer(client, open[0], text);
			if (refusal !== undefined) screen.line(refusal);
		} else if (text === "exit" || text === "quit" || text === "/exit") break;
		else if (text !== "") await submit(text);
		else if (!busy && (state().turn || state().continuation)) {
			busy = true;
			await client.send({ do: "goOn" });
		} else screen.prompt();
	}
	if (busy) await client.send({ do: "interrupt" });
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
	line(text: string): void;
	prompt(): void;
}

/** Writes whole lines; knows only whether the last one was finished. */
function createLineScreen(write: (text: string) => void): LineScreen {
	let inLine = false;
	const put = (text: string) => {
		const shown = visibleText(text);
		if (shown === "") return;
		write(shown);
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
			if (inLine) write("\n");
			write("> ");
			inLine = false;
		},
		show(notification) {
			if (notification.kind === "live") {
				const { delta } = notification;
				if (delta.type === "text") put(delta.text);
				else if (delta.type === "withdrawn") line("(the text above was cut off and does not count)");
				else if (delta.type === "waiting" && delta.for === "retry") line(`  … ${delta.detail}`);
				else if (delta.type === "notice") line(delta.text);
				else if (delta.type === "subagent" && delta.event.type === "tool/call")
					line(`  · ${delta.agent}.${delta.event.name} ${JSON.stringify(delta.event.args)}`);
			} else if (notification.kind === "facts") {
				for (const event of notification.events) for (const text of factLines(event)) line(text);
			} else if (notification.kind === "turnEnded" && notification.end.status !== "completed")
				line(notification.end.answer);
			else if (notification.kind === "fault") line(notification.message);
		},
		ask(open) {
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
