// The server's end of the protocol: carries out a client's requests on one session and tells it what happens.

import type { Plans } from "../ports/plans.ts";
import type { AttachOptions, AttachResult } from "../runtime/attachments.ts";
import type { Compactions } from "../runtime/compactions.ts";
import type { ContextView } from "../runtime/contextView.ts";
import { replaceInput } from "../runtime/editQueue.ts";
import { faultOf } from "../runtime/fault.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Memories } from "../runtime/memories.ts";
import { approvePlan } from "../runtime/planApproval.ts";
import type { Prompts } from "../runtime/prompts.ts";
import type { Scheduler } from "../runtime/scheduler.ts";
import type { Shells } from "../runtime/shells.ts";
import { submitMessage } from "../runtime/submitMessage.ts";
import type { Undo } from "../runtime/undo.ts";
import { inlineImages } from "../session/attachments.ts";
import type {
	ArtifactLine,
	ChangesReport,
	ClientRequest,
	CommandTest,
	CostReport,
	ListedRule,
	Notification,
	PermissionsReport,
	RequestResult,
	RuleStored,
	SessionGreeting,
	SkillsReport,
	ValueOf,
} from "./protocol.ts";

/** What the server works on. */
export interface Served {
	session: LiveSession;
	scheduler: Scheduler;
	prompts: Prompts;
	shells: Shells;
	plans: Plans;
	reports: Reports;
	rules: RuleKeeper;
	undo: Undo;
	compactions: Compactions;
	memories: Memories;
	context: ContextView;
	/** What is so now; made anew for each who asks. */
	greeting(): SessionGreeting;
	/** Reads what a message names, without known secrets. */
	attach(text: string, options?: AttachOptions): Promise<AttachResult>;
	/** Takes known secrets out of what a person typed. */
	redact(text: string): string;
	/** Today, ISO. */
	day(): string;
}

/** What can be told of the session from its log; everything recorded so far is part of it. */
export interface Reports {
	export(format: "markdown" | "json" | "html"): Promise<string>;
	diff(): Promise<ChangesReport>;
	cost(): Promise<CostReport>;
	artifacts(): Promise<ArtifactLine[]>;
	skills(): Promise<SkillsReport>;
	permissions(): Promise<PermissionsReport>;
	testCommand(command: string): Promise<CommandTest>;
}

/** Changes the person's own rules; each holds from the next call on. */
export interface RuleKeeper {
	add(effect: ListedRule["effect"], rule: string): Promise<RequestResult<RuleStored>>;
	remove(rule: string): Promise<RequestResult<RuleStored>>;
	/** Takes over what the project suggests. */
	takeOver(): Promise<RequestResult<{ path: string; rules: ListedRule[] }>>;
}

export interface Server {
	readonly greeting: SessionGreeting;
	/** Never rejects: whatever goes wrong is the result's message. */
	perform<R extends ClientRequest>(request: R): Promise<RequestResult<ValueOf<R>>>;
	/** Tells every listener; the composition root uses it for prompts and turn ends. */
	notify(notification: Notification): void;
	/** A question that is open already is told at once. */
	listen(listener: (notification: Notification) => void): () => void;
	/** Has the questions of an interrupted turn asked; everything else of it waits until somebody goes on. */
	resume(): void;
}

/** A server for one session. */
export function createServer(served: Served): Server {
	const listeners = new Set<(notification: Notification) => void>();
	const notify = (notification: Notification) => {
		for (const listener of [...listeners]) listener(notification);
	};
	served.session.subscribe((publication) => notify(publication));
	let last: Promise<unknown> = Promise.resolve();
	const inOrder: InOrder = (work) => {
		const done = last.then(work);
		last = done.catch(() => undefined);
		return done;
	};
	return {
		get greeting() {
			return served.greeting();
		},
		notify,
		resume: () => runWaiting(served, notify),
		listen(listener) {
			listeners.add(listener);
			const open = served.prompts.open();
			if (open.length > 0) listener({ kind: "prompts", open });
			return () => listeners.delete(listener);
		},
		async perform<R extends ClientRequest>(request: R) {
			try {
				// `perform` answers each kind of request with that kind's value; the compiler cannot see that through `R`.
				return (await perform(served, notify, inOrder, request)) as RequestResult<ValueOf<R>>;
			} catch (error) {
				const { code, message } = faultOf(error);
				return { ...refuse(message), fault: code };
			}
		},
	};
}

type Notify = (notification: Notification) => void;

/** Begins each piece of work once the one before is done: a message that reads files must not be overtaken. */
type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

const DONE: RequestResult = { ok: true, value: undefined };

function refuse(message: string): { ok: false; message: string } {
	return { ok: false, message };
}

async function perform(
	served: Served,
	notify: Notify,
	inOrder: InOrder,
	request: ClientRequest,
): Promise<RequestResult<ValueOf<ClientRequest>>> {
	const { session, prompts, reports } = served;
	switch (request.do) {
		case "submit":
			return inOrder(() => submit(served, notify, request));
		case "goOn":
			runWaiting(served, notify, { goOn: true });
			return DONE;
		case "interrupt":
			return served.shells.interrupt() || served.compactions.interrupt() || served.scheduler.interrupt()
				? DONE
				: refuse("Nothing runs.");
		case "answerApproval": {
			const { answer, words, hunks, amended } = request;
			const known = prompts.answerApproval(request.callId, {
				answer,
				by: "person",
				...(words === undefined ? {} : { words: served.redact(words) }),
				...(hunks ? { hunks } : {}),
				...(amended === undefined ? {} : { amended }),
			});
			return known ? DONE : refuse("That question is no longer open.");
		}
		case "answerQuestion":
			return answerQuestion(served, request.callId, request.answer);
		case "changeMode":
			await session.save(() => session.record({ do: "changeMode", mode: request.mode, by: "person" }));
			return DONE;
		case "cancelInput":
			await session.save(() => session.record({ do: "cancelInput", messageIds: request.messageIds }));
			return DONE;
		case "moveInput":
			return moveWaiting(session, request.messageId, request.by);
		case "replaceInput":
			return inOrder(() => replace(served, request.messageId, request.text));
		case "shell":
			if (request.command.trim() === "") return refuse("There is no command after the !.");
			return { ok: true, value: { text: await served.shells.run(request.command) } };
		case "approvePlan":
			return approve(served, notify, request.text);
		case "renameSession":
			if (request.title.trim() === "") return refuse("A title needs at least one letter.");
			await session.save(() => session.record({ do: "renameSession", title: served.redact(request.title) }));
			return DONE;
		case "exportSession":
			return { ok: true, value: await reports.export(request.format) };
		case "diff":
			return { ok: true, value: await reports.diff() };
		case "contextItems":
			return { ok: true, value: served.context.items() };
		case "openItem":
			return served.context.open(request.ref);
		case "changeItem":
			return served.context.change(request.itemId, request.change);
		case "memory":
			return { ok: true, value: served.memories.list() };
		case "forgetMemory":
			return served.memories.remove(request.scope, request.words);
		case "editMemory":
			return served.memories.edit(request.scope, request);
		case "cost":
			return { ok: true, value: await reports.cost() };
		case "skills":
			return { ok: true, value: await reports.skills() };
		case "artifacts":
			return { ok: true, value: await reports.artifacts() };
		case "permissions":
			return { ok: true, value: await reports.permissions() };
		case "testCommand":
			if (request.command.trim() === "") return refuse("There is no command to test.");
			return { ok: true, value: await reports.testCommand(request.command) };
		case "addRule":
			return served.rules.add(request.effect, request.rule);
		case "removeRule":
			return served.rules.remove(request.rule);
		case "importRules":
			return served.rules.takeOver();
		case "compact":
		case "acceptCompaction":
		case "undoCompaction":
			return served.scheduler.busy
				? refuse("A turn is running. Wait for its end or interrupt it first.")
				: compact(served.compactions, request);
		case "rewindPoints":
			return { ok: true, value: await served.undo.points() };
		case "previewRewind":
		case "rewind":
		case "previewRedo":
		case "redo":
			return served.scheduler.busy
				? refuse("A turn is running. Interrupt it first, then go back.")
				: { ok: true, value: await goBack(served.undo, request) };
		default:
			return refuse(`This client is tied to one session, so ${request.do} cannot be done here.`);
	}
}

type Compact = Extract<ClientRequest, { do: "compact" | "acceptCompaction" | "undoCompaction" }>;

async function compact(compactions: Compactions, request: Compact): Promise<RequestResult<ValueOf<Compact>>> {
	switch (request.do) {
		case "compact":
			return compactions.preview(request.focus);
		case "acceptCompaction":
			return compactions.accept(request.text);
		case "undoCompaction":
			return compactions.undo();
		default:
			return request satisfies never;
	}
}

type GoBack = Extract<ClientRequest, { do: "previewRewind" | "rewind" | "previewRedo" | "redo" }>;

function goBack(undo: Undo, request: GoBack): Promise<ValueOf<GoBack>> {
	switch (request.do) {
		case "previewRewind":
			return undo.preview(request.turnId, request.what);
		case "rewind":
			return undo.rewind(request.turnId, request.what, request.force ?? []);
		case "previewRedo":
			return undo.previewRedo();
		case "redo":
			return undo.redo(request.force ?? []);
		default:
			return request satisfies never;
	}
}

/** Where only the options are answers, anything else is refused and the question stays open. */
async function answerQuestion(
	{ prompts }: Served,
	callId: string,
	answer: string | undefined,
): Promise<RequestResult> {
	const open = prompts.open().find(({ kind, prompt }) => kind === "question" && prompt.callId === callId);
	if (open?.kind === "question" && open.prompt.freeText === false && answer !== undefined)
		if (!open.prompt.options.includes(answer))
			return refuse(`Choose one of: ${open.prompt.options.join(" · ")}`);
	return (await prompts.answerQuestion(callId, answer)) ? DONE : refuse("That question is no longer open.");
}

async function submit(
	served: Served,
	notify: Notify,
	{ text, target, ...options }: Extract<ClientRequest, { do: "submit" }>,
): Promise<RequestResult> {
	const { session } = served;
	if (text.trim() === "") return refuse("The message is empty.");
	const attached = await served.attach(text, options);
	if (!attached.ok) return attached;
	await session.save(() => submitMessage(session, attached.value, target));
	runWaiting(served, notify);
	return DONE;
}

const GONE = "That message no longer waits: the model has it already.";

async function moveWaiting(session: LiveSession, messageId: string, by: -1 | 1): Promise<RequestResult> {
	const isMoved = await session.save(() => {
		const isWaiting = session.state.inbox.some((one) => one.messageId === messageId && !one.stepId);
		if (isWaiting) session.record({ do: "moveInput", messageId, by });
		return isWaiting;
	});
	return isMoved ? DONE : refuse(GONE);
}

async function replace(
	served: Served,
	messageId: string,
	text: string,
): Promise<RequestResult<{ messageId: string }>> {
	if (text.trim() === "") return refuse("The message is empty. To take it back, cancel it.");
	const old = served.session.state.inbox.find((one) => one.messageId === messageId);
	const attached = await served.attach(text, { images: inlineImages(text, old?.attachments) });
	if (!attached.ok) return attached;
	const replaced = await replaceInput(served.session, messageId, attached.value);
	return replaced === undefined ? refuse(GONE) : { ok: true, value: { messageId: replaced } };
}

async function approve(
	served: Served,
	notify: Notify,
	text: string | undefined,
): Promise<RequestResult<{ path: string | null; notice: string | null }>> {
	const approval = { day: served.day(), ...(text === undefined ? {} : { text: served.redact(text) }) };
	const approved = await approvePlan(served.session, served.plans, approval);
	if (!approved.ok) return approved;
	runWaiting(served, notify);
	return { ok: true, value: { path: approved.path, notice: approved.notice } };
}

/** Starts the waiting turns; a log that cannot be written is told, not thrown. */
function runWaiting(served: Served, notify: Notify, options: { goOn?: boolean } = {}): void {
	const { scheduler, undo } = served;
	// Files and conversation are on their way back: what came meanwhile waits for where they will be.
	if (undo.underWay) return void undo.underWay.then(() => runWaiting(served, notify, options));
	const wasBusy = scheduler.busy;
	const ran = scheduler.runWaiting(options);
	// Whoever started the run tells its end.
	if (wasBusy) return void ran.catch(() => undefined);
	const tellIdle = () => {
		if (!scheduler.busy) notify({ kind: "idle" });
	};
	ran.then(tellIdle, (error: unknown) => {
		notify({ kind: "fault", ...faultOf(error) });
		tellIdle();
	});
}
