// What each slash command does: asks the session, asks the person, prints. Texts are put together in `commandTexts.ts`.

import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { artifactsText, costText, sessionItems, statusText } from "./commandTexts.ts";
import { compact } from "./compacting.ts";
import { showContext } from "./contextCommand.ts";
import { COPY_QUESTION, fork } from "./forking.ts";
import { INIT_TASK } from "./initTask.ts";
import { logIn } from "./logIn.ts";
import { memory } from "./memoryCommand.ts";
import { permissions } from "./permissionsCommand.ts";
import { helpText } from "./personView.ts";
import { redo, rewind, undo } from "./rewinding.ts";
import { skillsText } from "./skillsText.ts";

/** Carries a command out. What is refused is thrown as a sentence. */
export async function runCommand(desk: CommandDesk, name: string, argument: string): Promise<void> {
	const command = COMMANDS[name];
	if (!command) throw new Error(`There is no command /${name}.`);
	await command(desk, argument.trim());
}

const COMMANDS: Record<string, (desk: CommandDesk, argument: string) => Promise<unknown> | undefined> = {
	help: async (desk) => print(desk, helpText()),
	plan,
	approve,
	model,
	login: logIn,
	cost: async (desk) => print(desk, costText(await obtain(desk, { do: "cost" }))),
	context: showContext,
	init,
	artifacts: async (desk) =>
		print(desk, artifactsText(await obtain(desk, { do: "artifacts" }), desk.clock.now())),
	skills: async (desk) => print(desk, skillsText(await obtain(desk, { do: "skills" }))),
	permissions,
	memory,
	compact,
	queue: async (desk) => desk.markQueue(),
	clear: (desk) => obtain(desk, { do: "newSession" }),
	resume,
	fork,
	rename,
	diff,
	undo,
	rewind,
	redo,
	export: exportSession,
	copy,
	status: async (desk) => print(desk, statusText(desk.client.greeting, desk.view())),
	exit: async (desk) => desk.leave(),
};

async function plan(desk: CommandDesk, task: string): Promise<void> {
	if (desk.view().mode !== "plan") await obtain(desk, { do: "changeMode", mode: "plan" });
	if (task === "") return;
	desk.show({ kind: "sent" });
	await obtain(desk, { do: "submit", text: task, target: "next_turn" });
}

async function init(desk: CommandDesk, wish: string): Promise<void> {
	const text = wish === "" ? INIT_TASK : `${INIT_TASK}\n\nThe user adds: ${wish}`;
	desk.show({ kind: "sent" });
	await obtain(desk, { do: "submit", text, target: "next_turn" });
}

async function approve(desk: CommandDesk, text: string): Promise<void> {
	const approved = await obtain(desk, { do: "approvePlan", ...(text === "" ? {} : { text }) });
	if (approved.path !== null) print(desk, `Plan stored in ${approved.path}`, "dim");
	if (approved.notice !== null) print(desk, approved.notice, "warning");
}

async function model(desk: CommandDesk, name: string): Promise<void> {
	const wanted = name === "" ? await pickModel(desk) : name;
	if (wanted === undefined) return;
	const chosen = await obtain(desk, { do: "switchModel", model: wanted });
	const window = chosen.offline ? "" : `, window ${chosen.contextWindow} tokens`;
	print(desk, `Model: ${chosen.model} (${chosen.profile}${window})`, "dim");
}

async function pickModel(desk: CommandDesk): Promise<string | undefined> {
	const names = await obtain(desk, { do: "listModels" });
	const picked = await desk.questions.pick(
		"Model",
		names.map((id) => ({ id, label: id })),
	);
	return picked?.id;
}

const COPY = "Yes, copy it and go on there";
const STAY = "No, stay here";

async function resume(desk: CommandDesk, query: string): Promise<void> {
	const id = await pickSession(desk, query);
	if (id === undefined) return;
	const opened = await desk.client.send({ do: "resumeSession", id });
	if (opened.ok) return;
	if (opened.copyOffer === undefined) throw new Error(opened.message);
	const options = [COPY, STAY];
	const answer = await desk.questions.ask(`${opened.copyOffer} ${COPY_QUESTION}`, { options });
	if (answer === COPY) await obtain(desk, { do: "forkSession", id });
}

/** Asks which earlier session, and goes on in a copy of it, up to the end of `afterStep` where that is named. */
export async function forkEarlier(desk: CommandDesk, afterStep: string | undefined): Promise<void> {
	const id = await pickSession(desk, "");
	if (id === undefined) return;
	await obtain(desk, { do: "forkSession", id, ...(afterStep === undefined ? {} : { afterStep }) });
}

async function pickSession(desk: CommandDesk, query: string): Promise<string | undefined> {
	const { sessionId } = desk.client.greeting;
	const sessions = await obtain(desk, { do: "listSessions" });
	const others = sessions.filter(({ id }) => id !== sessionId);
	if (others.length === 0) {
		print(desk, "There is no earlier session of this project.", "dim");
		return undefined;
	}
	const picked = await desk.questions.pick("Session", sessionItems(others, desk.clock.now()), {
		query,
		search: async (words) => {
			const found = await obtain(desk, { do: "listSessions", query: words });
			return sessionItems(
				found.filter(({ id }) => id !== sessionId),
				desk.clock.now(),
			);
		},
	});
	return picked?.id;
}

async function rename(desk: CommandDesk, title: string): Promise<void> {
	const wanted = title === "" ? await desk.questions.ask("New title of this session:") : title;
	if (wanted === undefined) return;
	await obtain(desk, { do: "renameSession", title: wanted });
	print(desk, `This session is called ${wanted.trim()} now.`, "dim");
}

async function diff(desk: CommandDesk): Promise<void> {
	const changes = await obtain(desk, { do: "diff" });
	if (changes.diff.trim() === "") print(desk, "This session has changed no file.", "dim");
	else print(desk, fenced("diff", changes.diff), "markdown");
	for (const note of changes.notes) print(desk, note, "dim");
}

/** A text as a Markdown code block, whatever fences stand in it. */
function fenced(language: string, text: string): string {
	const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
	const fence = "`".repeat(longest + 1);
	return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}

async function exportSession(desk: CommandDesk, file: string): Promise<void> {
	const ending = /\.(json|html?)$/i.exec(file)?.[1]?.toLowerCase();
	const format = ending === undefined ? "markdown" : ending === "json" ? "json" : "html";
	const text = await obtain(desk, { do: "exportSession", format });
	const path = await desk.outside.saveText(file || `agi-${desk.client.greeting.sessionId}.md`, text);
	print(desk, `Written: ${path}`, "dim");
}

async function copy(desk: CommandDesk, which: string): Promise<void> {
	const number = which === "" ? 1 : Number(which);
	const answers = desk.answers();
	const text = answers[number - 1];
	if (text === undefined)
		return print(
			desk,
			answers.length === 0
				? "There is no answer yet."
				: `Say a number from 1 (the last) to ${answers.length}.`,
			"warning",
		);
	// The terminal's own clipboard also works over SSH; a program for it works where the terminal does not.
	desk.writeRaw(clipboardSequence(text));
	await desk.outside.copyText(text);
	desk.show({ kind: "notice", text: "Copied as Markdown." });
}

/** OSC 52 of xterm: sets the clipboard to a base64 text. */
function clipboardSequence(text: string): string {
	const bytes = new TextEncoder().encode(text);
	let letters = "";
	for (const byte of bytes) letters += String.fromCharCode(byte);
	return `\x1b]52;c;${btoa(letters)}\x07`;
}
