// Joins everything: keys and notifications go to the store, and what a key asks for goes to the session, to a command or
// to the machine. What a key means and how things look is decided in pure rooms, not here.

import type { Client } from "../rpc/client.ts";
import type { ClientRequest, Notification } from "../rpc/protocol.ts";
import { withFreeNames } from "../session/attachments.ts";
import type { Attachment } from "../session/events.ts";
import type { Clock } from "./clock.ts";
import { answersOf, type CommandDesk } from "./commandDesk.ts";
import { forkEarlier, runCommand } from "./commands.ts";
import { type Drawing, startDrawing } from "./drawing.tsx";
import { createFileFinder, type FileFinder } from "./fileFinder.ts";
import { type Edit, submitText } from "./input/editor.ts";
import type { Keyboard } from "./keyboard.ts";
import type { Outside } from "./outside.ts";
import { createOwnQuestions, type OwnQuestions } from "./ownQuestions.ts";
import { changeDraft, meetAmended, meetFiles, pressKey } from "./person.ts";
import type { PersonEffect, PersonFacts, PersonState } from "./personState.ts";
import { planWaits } from "./personView.ts";
import { actOnQueue } from "./queueKeys.ts";
import { createStore, type Store } from "./store.ts";
import { submitNamed } from "./submission.ts";
import type { TerminalDevice } from "./terminal/device.ts";
import type { TerminalHold } from "./terminal/hold.ts";
import type { Frame } from "./terminal/liveFrame.ts";
import { isEndTold, notificationBytes } from "./terminal/notification.ts";
import type { Writer } from "./terminal/writer.ts";
import { editorColumns } from "./view/editorWindow.ts";
import { openView } from "./view/reduce.ts";

/** What a conversation on the screen is made of. */
export interface ConversationParts {
	client: Client;
	device: TerminalDevice;
	writer: Writer;
	hold: TerminalHold;
	keyboard: Keyboard;
	clock: Clock;
	outside: Outside;
	/** What the first frame leaves, and how it stands on the screen. */
	person: PersonState;
	frame: Frame;
	/** Sentences about the start. */
	notices: readonly string[];
}

export interface Conversation {
	/** Resolves once the person leaves. */
	left: Promise<void>;
	/** Does what a key would do. */
	perform(effect: PersonEffect): void;
	/** Takes the screen away; the terminal is as it was. Safe to repeat. */
	end(): void;
}

/** The parts with what was made of them. */
interface Joined extends ConversationParts {
	store: Store;
	drawing: Drawing;
	questions: OwnQuestions;
	findFiles: FileFinder;
	/** What runs of the person's own commands. */
	shells: Set<string>;
	/** False where the terminal said that the person looks elsewhere. */
	focused: boolean;
	leave(): void;
}

/** Shows the session of `client` and listens to the person. */
export function openConversation(parts: ConversationParts): Conversation {
	const { client, device, writer, clock } = parts;
	const size = writer.size();
	// The palette of the first frame knew no skills.
	const person = { ...parts.person, skills: client.greeting.skills, completion: undefined };
	const store = createStore(
		openView(client.greeting, size, clock.now()),
		changeDraft(person, { type: "resize", width: editorColumns(size.columns) }, clock.now()),
		clock,
	);
	for (const text of parts.notices) store.change({ kind: "print", text, as: "dim" });
	const left = Promise.withResolvers<void>();
	const joined: Joined = {
		...parts,
		store,
		drawing: startDrawing(store, writer, device.colours, parts.frame),
		questions: createOwnQuestions(store, clock),
		findFiles: createFileFinder(client, clock.now),
		shells: new Set(),
		focused: true,
		leave: left.resolve,
	};
	const stopHearing = client.listen((notification) => hear(joined, notification));
	parts.keyboard.hand((key) => {
		const step = pressKey(store.person(), key, factsOf(joined));
		store.setPerson(step.state);
		for (const effect of step.effects) start(joined, effect);
	});
	device.onResize(() => takeSize(joined));
	device.onContinue(() => {
		if (parts.hold.retake()) joined.drawing.redraw();
	});
	void loadHistory(joined);
	let hasEnded = false;
	return {
		left: left.promise,
		perform: (effect) => start(joined, effect),
		end() {
			if (hasEnded) return;
			hasEnded = true;
			stopHearing();
			store.stop();
			joined.drawing.end();
			parts.hold.release();
		},
	};
}

function factsOf({ store, clock, shells, client }: Joined): PersonFacts {
	const view = store.view();
	return {
		now: clock.now(),
		working: view.busy || shells.size > 0,
		mode: view.mode,
		planWaits: planWaits(view),
		// Asked for only where it is needed: a greeting is made anew each time.
		get unfinished() {
			const { turn, continuation } = client.greeting.state;
			return turn !== undefined || continuation !== undefined;
		},
		queue: view.queue,
	};
}

/** What stood on the screen was laid out for the size before. */
function takeSize(joined: Joined): void {
	const size = joined.writer.size();
	joined.drawing.clear();
	change(joined, { type: "resize", width: editorColumns(size.columns) });
	joined.store.change({ kind: "resize", size });
}

function change({ store, clock }: Joined, edit: Edit): void {
	store.setPerson(changeDraft(store.person(), edit, clock.now()));
}

/** Other lines than this session's are in the history too, and what was typed before it was loaded stays the newest. */
async function loadHistory(joined: Joined): Promise<void> {
	const loaded = await joined.client.send({ do: "promptHistory" });
	if (!loaded.ok) return;
	const typed = joined.store.person().editor.history;
	change(joined, { type: "loadHistory", entries: [...typed, ...loaded.value] });
}

function hear(joined: Joined, notification: Notification): void {
	const { store, questions, shells } = joined;
	if (notification.kind === "prompts") {
		if (notification.open.length > 0) callPerson(joined);
		questions.meet(notification.open);
		return;
	}
	if (notification.kind === "shell") {
		if (notification.change.state === "started") shells.add(notification.id);
		else if (notification.change.state === "ended") shells.delete(notification.id);
	}
	if (notification.kind === "session") shells.clear();
	const { turnSince } = store.view();
	const turnMs = joined.clock.now() - turnSince;
	if (notification.kind === "turnEnded" && isEndTold(turnMs, joined.focused)) callPerson(joined);
	store.hear(notification);
	if (changesSkills(notification))
		store.setPerson({ ...store.person(), skills: joined.client.greeting.skills });
}

function changesSkills(notification: Notification): boolean {
	if (notification.kind === "session") return true;
	if (notification.kind !== "facts") return false;
	return notification.events.some((event) => event.type === "document/observed" && event.kind === "skills");
}

/** Only where the person looks elsewhere. */
function callPerson({ focused, writer, device }: Joined): void {
	if (!focused) writer.write(notificationBytes(device.notifies));
}

/** What goes wrong is told on the screen; nobody waits for an effect. */
function start(joined: Joined, effect: PersonEffect): void {
	perform(joined, effect).catch((error: unknown) => {
		const text = error instanceof Error ? error.message : String(error);
		joined.store.change({ kind: "print", text, as: "error" });
	});
}

async function perform(joined: Joined, effect: PersonEffect): Promise<void> {
	const { store, questions, drawing, outside } = joined;
	switch (effect.do) {
		case "send":
			return send(joined, effect.request, effect.draft);
		case "sendNamed":
			return sendNamed(joined, effect.text);
		case "show":
			return store.change(effect.event);
		case "command":
			return runCommand(deskOf(joined), effect.name, effect.argument);
		case "rewind":
			return runCommand(deskOf(joined), "rewind", "");
		case "forkEarlier":
			return forkEarlier(deskOf(joined), effect.afterStep);
		case "picked":
			return questions.picked(effect.item);
		case "searchList":
			return questions.search(effect.query);
		case "findFiles": {
			const paths = await joined.findFiles(effect.query);
			if (paths) store.setPerson(meetFiles(store.person(), effect.query, paths));
			return;
		}
		case "recall": {
			const { messageId, rawText, images = [] } = effect.message;
			const taken = await joined.client.send({ do: "cancelInput", messageIds: [messageId] });
			if (!taken.ok) return store.change({ kind: "notice", text: taken.message });
			return takeBack(joined, rawText, images);
		}
		case "editDraft": {
			const text = await away(joined, () => outside.editText(submitText(store.person().editor)));
			return change(joined, { type: "setText", text: text.trimEnd() });
		}
		case "amend": {
			const text = await away(joined, () => outside.editText(effect.text, effect.path));
			return store.setPerson(meetAmended(store.person(), effect.callId, text, joined.clock.now()));
		}
		case "editPlan":
			return approveEdited(joined);
		case "focus":
			joined.focused = effect.focused;
			return;
		case "redraw":
			return drawing.redraw();
		case "suspend":
			return away(joined, () => new Promise<void>((resumed) => joined.device.stop(resumed)));
		case "exit":
			return joined.leave();
		default: {
			const unknown: never = effect;
			void unknown;
		}
	}
}

async function send(joined: Joined, request: ClientRequest, draft: string | undefined): Promise<void> {
	const { store, questions, client } = joined;
	if (request.do === "answerQuestion" && questions.answer(request.callId, request.answer)) return;
	const result = await client.send(request);
	// That nothing runs any more is what the person wanted.
	if (result.ok || request.do === "interrupt") return;
	store.change(
		request.do === "submit"
			? { kind: "refused", message: result.message }
			: { kind: "print", text: result.message, as: "error" },
	);
	if (draft === undefined) return;
	takeBack(joined, draft, request.do === "submit" ? request.images : []);
}

/** A message that comes back into the prompt line, with the images that only it brings. */
function takeBack(joined: Joined, text: string, images: readonly Attachment[] = []): void {
	const { carried } = joined.store.person();
	const back = withFreeNames(text, images, carried);
	change(joined, { type: "setText", text: besideDraft(joined, back.text) });
	joined.store.setPerson({ ...joined.store.person(), carried: [...carried, ...back.images] });
}

async function sendNamed(joined: Joined, text: string): Promise<void> {
	const { effects, refusal } = submitNamed(text, joined.client.greeting.skills, factsOf(joined));
	for (const effect of effects) await perform(joined, effect);
	if (refusal === undefined) return;
	joined.store.change({ kind: "notice", text: refusal });
	takeBack(joined, text);
}

/** A text that comes back, before what was typed meanwhile. */
function besideDraft({ store }: Joined, text: string): string {
	const draft = submitText(store.person().editor);
	return draft.trim() === "" ? text : `${text}\n${draft}`;
}

/** Lets something else have the terminal, and takes it back whatever happens. */
async function away<T>({ store, drawing, hold }: Joined, work: () => Promise<T>): Promise<T> {
	store.pause();
	drawing.clear();
	hold.release();
	try {
		return await work();
	} finally {
		hold.take();
		store.resume();
	}
}

async function approveEdited(joined: Joined): Promise<void> {
	const [plan = ""] = answersOf(joined.client);
	const text = await away(joined, () => joined.outside.editText(plan));
	await runCommand(deskOf(joined), "approve", text);
}

function deskOf(joined: Joined): CommandDesk {
	const { client, store, questions, outside, writer, clock } = joined;
	return {
		client,
		questions,
		outside,
		clock,
		view: store.view,
		show: store.change,
		writeRaw: writer.write,
		answers: () => answersOf(client),
		markQueue() {
			const step = actOnQueue(store.person(), { do: "markQueue" }, store.view().queue);
			store.setPerson(step.state);
			for (const effect of step.effects) start(joined, effect);
		},
		setDraft: (text: string) => change(joined, { type: "setText", text }),
		leave: joined.leave,
	};
}
