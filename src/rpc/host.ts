// The program around one session at a time: it switches sessions and models and answers what no single session knows.
// A terminal keeps one client over all switches; facts stay with the sessions.

import type { Logins } from "../ports/logins.ts";
import type { PromptHistory } from "../ports/promptHistory.ts";
import type { ForkPoint } from "../session/fork.ts";
import { takeOutImages } from "../session/mentions.ts";
import { AgiError } from "../types.ts";
import type { Client } from "./client.ts";
import type {
	ClientRequest,
	FoundSession,
	HostRequest,
	Notification,
	RequestResult,
	SessionRequest,
	SessionSummary,
	ShownModel,
	ValueOf,
} from "./protocol.ts";

/** A session as the host runs it. */
export interface Hosted {
	client: Client;
	/** Ends what runs, writes and syncs everything, gives the log back. */
	close(): Promise<void>;
}

/** Which session is to be opened. */
export type SessionWish = { kind: "new" } | { kind: "resume"; id: string } | ForkWish;

/** A copy of a session; `afterStep`: only up to the end of that closed Step. */
export interface ForkWish {
	kind: "fork";
	id: string;
	afterStep?: string;
}

/** What the host works with; the composition root fills it. */
export interface HostParts {
	/** The session it begins with. */
	first: Hosted;
	/** Opens and starts a session; rejects with a sentence where that cannot be. */
	open(wish: SessionWish): Promise<{ hosted: Hosted; notices: string[] }>;
	/** The model for the current session and those opened later; rejects with a sentence where it cannot be asked. */
	switchModel(wish: { model: string; profile?: string; baseUrl?: string }): Promise<ShownModel>;
	/** The closed Steps of the current session, the newest first. */
	forkPoints(): Promise<ForkPoint[]>;
	listSessions(): Promise<SessionSummary[]>;
	/** Those whose title or texts hold the words of `query`. */
	findSessions(query: string): Promise<FoundSession[]>;
	listModels(): Promise<string[]>;
	listFiles(): Promise<string[]>;
	redact(text: string): string;
	history: PromptHistory;
	logins: Logins;
}

/** The client of a terminal. `close` ends the current session and everything around it. */
export interface Host {
	client: Client;
	close(): Promise<void>;
}

type Send = <R extends ClientRequest>(request: R) => Promise<RequestResult<ValueOf<R>>>;
type Values = RequestResult<ValueOf<ClientRequest>>;

/** A host that is in its first session. */
export function createHost(parts: HostParts): Host {
	const listeners = new Set<(notification: Notification) => void>();
	/** Told to whoever begins to listen while a question waits. */
	let open: Notification & { kind: "prompts" } = { kind: "prompts", open: [] };
	const notify = (notification: Notification) => {
		if (notification.kind === "prompts") open = notification;
		for (const listener of [...listeners]) listener(notification);
	};
	let current = parts.first;
	let stopListening = current.client.listen(notify);
	let switching = false;

	const switchTo = async (wish: SessionWish): Promise<RequestResult> => {
		switching = true;
		try {
			// Opened first: where that fails, the person stays where they are.
			const { hosted, notices } = await parts.open(wish);
			const old = current;
			await old
				.close()
				.catch((error) => notices.push(`The old session did not end well: ${messageOf(error)}`));
			stopListening();
			current = hosted;
			open = { kind: "prompts", open: [] };
			notify({ kind: "session", greeting: current.client.greeting, notices });
			// After the switch is told, so that a question which waits there is the new session's.
			stopListening = current.client.listen(notify);
			return { ok: true, value: undefined };
		} finally {
			switching = false;
		}
	};

	const send = async (request: ClientRequest): Promise<Values> => {
		try {
			if (switching) return refuse("Another session is being opened. Try again in a moment.");
			if (!isHostRequest(request)) return await sendToSession(parts, current.client, request);
			return await performHost(parts, current.client, switchTo, notify, request);
		} catch (error) {
			const copyOffer = error instanceof AgiError ? error.copyOffer : undefined;
			return { ...refuse(messageOf(error)), ...(copyOffer === undefined ? {} : { copyOffer }) };
		}
	};

	return {
		client: {
			get greeting() {
				return current.client.greeting;
			},
			// Each kind of request is answered with that kind's value; the compiler cannot see that through a type argument.
			send: send as Send,
			listen(listener) {
				listeners.add(listener);
				if (open.open.length > 0) listener(open);
				return () => listeners.delete(listener);
			},
		},
		async close() {
			await current.close();
			await parts.history.close();
		},
	};
}

/** A record, so that the compiler misses a new kind of request here. */
const HOST_REQUESTS: Record<HostRequest["do"], true> = {
	newSession: true,
	resumeSession: true,
	forkSession: true,
	forkPoints: true,
	listSessions: true,
	switchModel: true,
	listModels: true,
	listFiles: true,
	promptHistory: true,
	listProfiles: true,
	probeLocalServers: true,
	saveLogin: true,
	testModel: true,
};

function isHostRequest(request: ClientRequest): request is HostRequest {
	return Object.hasOwn(HOST_REQUESTS, request.do);
}

/** What was typed is remembered once the session took it. */
async function sendToSession(parts: HostParts, client: Client, request: SessionRequest): Promise<Values> {
	if (request.do === "shell" && request.command.trim() !== "")
		parts.history.append(parts.redact(`!${request.command}`));
	const result = await client.send(request);
	if (result.ok && request.do === "submit")
		parts.history.append(parts.redact(takeOutImages(request.text).text));
	return result;
}

async function performHost(
	parts: HostParts,
	client: Client,
	switchTo: (wish: SessionWish) => Promise<RequestResult>,
	notify: (notification: Notification) => void,
	request: HostRequest,
): Promise<Values> {
	const { sessionId } = client.greeting;
	switch (request.do) {
		case "newSession":
			return switchTo({ kind: "new" });
		case "resumeSession":
			if (request.id === sessionId) return refuse("You are in that session already.");
			return switchTo({ kind: "resume", id: request.id });
		case "forkSession": {
			const { do: _, ...wish } = request;
			return switchTo({ kind: "fork", id: sessionId, ...wish });
		}
		case "forkPoints":
			return value(await parts.forkPoints());
		case "listSessions":
			return value(await listSessions(parts, request.query?.trim() ?? ""));
		case "switchModel": {
			const { do: _, ...wish } = request;
			const model = await parts.switchModel(wish);
			notify({ kind: "model", model });
			return value(model);
		}
		case "listModels": {
			const { do: _, profile, ...server } = request;
			if (profile === undefined) return value(await parts.listModels());
			const listed = await parts.logins.models({ profile, ...server });
			return listed.ok ? value(listed.value) : refuse(listed.message);
		}
		case "listFiles":
			return value(await parts.listFiles());
		case "promptHistory":
			return value(await parts.history.read());
		case "listProfiles":
			return value(parts.logins.profiles());
		case "probeLocalServers":
			return value(await parts.logins.findLocal());
		case "saveLogin": {
			const { do: _, ...login } = request;
			const saved = await parts.logins.save(login);
			return saved.ok ? value({ notices: saved.value }) : refuse(saved.message);
		}
		case "testModel": {
			const { do: _, ...login } = request;
			const tested = await parts.logins.test(login);
			return tested.ok ? value({ milliseconds: tested.value }) : refuse(tested.message);
		}
		default: {
			const unknown: never = request;
			return refuse(`Unknown request ${JSON.stringify(unknown)}`);
		}
	}
}

async function listSessions(parts: HostParts, query: string): Promise<FoundSession[]> {
	if (query !== "") return parts.findSessions(query);
	return (await parts.listSessions()).filter(({ turns }) => turns > 0);
}

function value<V>(given: V): { ok: true; value: V } {
	return { ok: true, value: given };
}

function refuse(message: string): { ok: false; message: string } {
	return { ok: false, message };
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
