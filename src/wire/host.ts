// Puts a host around a running session: the sessions of its project, the person's settings, the files of the workspace.

import { join } from "node:path";
import { PROFILES } from "../adapters/models/catalog.ts";
import { createMemoryHistory, createPromptHistory } from "../adapters/promptHistory.ts";
import { createRipgrepSearch } from "../adapters/search/ripgrep.ts";
import { createRedactor } from "../policy/redact.ts";
import type { Logins } from "../ports/logins.ts";
import { createHost, type ForkWish, type Host, type HostParts, type SessionWish } from "../rpc/host.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { copySentence, forkPoints, lossSentences, stepIdOf } from "../session/fork.ts";
import { chooseModel, type ModelChoice } from "../settings/chooseModel.ts";
import { loadSettings } from "../settings/settings.ts";
import { AgiError } from "../types.ts";
import { newSession, type RunningSession, startSession } from "../wire.ts";
import type { ModelSource } from "./activeModel.ts";
import { openLibrary } from "./library.ts";
import { openLogins } from "./logins.ts";
import type { Place } from "./place.ts";
import type { StartOptions } from "./startOptions.ts";

/** What a host needs beside its first session. */
export interface HostSetup {
	sessions: Sessions;
	options: StartOptions;
	/** Nothing is to be left on the disk. */
	ephemeral: boolean;
}

/** Paths that are told at most, and how long they count as fresh. */
const MOST_FILES = 100_000;
const FRESH_MS = 5_000;

const RUNNING_NOTICE = "The turn that was running there is cancelled.";

/** A host that begins in `running`. */
export function hostSession(running: RunningSession, { sessions, options, ephemeral }: HostSetup): Host {
	const { place, env } = options;
	const logins = openLogins(place.folders.config, env);
	let current = running;
	let model = options.model;

	const open = async (wish: SessionWish) => {
		const start = { ...options, model, mode: current.session.state.mode };
		const opened = await openSession(sessions, wish, current.session, start);
		try {
			current = await startSession(sessions, opened.session, start);
		} catch (error) {
			await opened.session.close();
			throw error;
		}
		return { hosted: current, notices: [...opened.notices, ...current.notices] };
	};
	const switchModel: HostParts["switchModel"] = async (wish) => {
		const choice = await chosenModel(options, model, wish);
		const shown = await current.switchModel(choice);
		model = choice;
		return shown;
	};
	return createHost({
		first: running,
		open,
		switchModel,
		async forkPoints() {
			const { session } = current;
			await session.flush({ wait: true });
			const { commits } = await sessions.read(session.state.sessionId, { onLostText: () => undefined });
			return forkPoints(commits, session.state.timeline).reverse();
		},
		listSessions: async () => (await openLibrary(place, sessions, { ephemeral }).list()).sessions,
		findSessions: (query) => openLibrary(place, sessions, { ephemeral }).find(query),
		listModels: () => listNames(logins, model),
		listFiles: createFileList(place.cwd),
		redact: createRedactor(options.secrets),
		history: ephemeral
			? createMemoryHistory()
			: createPromptHistory(join(place.folders.data, "projects", place.projectId, "history.jsonl")),
		logins,
	});
}

/** The sentence for a person whose session goes on in another folder; [] where it does not. */
export function movedNotice(session: LiveSession, place: Place): string[] {
	const { cwd } = session.state;
	return cwd === place.cwd ? [] : [`This session was started in ${cwd}; it goes on in ${place.cwd}.`];
}

/** A copy of a session, and the sentences that say what of it was copied and lost. Rejects as `Sessions.fork` does. */
export async function openCopy(
	sessions: Sessions,
	{ id, afterStep }: Omit<ForkWish, "kind">,
): Promise<{ session: LiveSession; notices: string[] }> {
	let lost: string[] = [];
	const session = await sessions.fork(id, {
		...(afterStep === undefined ? {} : { afterStep }),
		onLoss: (loss) => {
			lost = lossSentences(loss);
		},
	});
	const stepId = afterStep === undefined ? undefined : stepIdOf(afterStep);
	return { session, notices: [copySentence(session.state, id, stepId), ...lost] };
}

async function openSession(
	sessions: Sessions,
	wish: SessionWish,
	current: LiveSession,
	start: StartOptions,
): Promise<{ session: LiveSession; notices: string[] }> {
	switch (wish.kind) {
		case "new":
			return { session: await newSession(sessions, start), notices: [] };
		case "fork": {
			const wasRunning = wish.id === current.state.sessionId && current.state.turn !== undefined;
			await current.flush({ wait: true });
			const copy = await openCopy(sessions, wish);
			return wasRunning ? { ...copy, notices: [...copy.notices, RUNNING_NOTICE] } : copy;
		}
		case "resume": {
			const id = await sessions.find(wish.id);
			if (id === current.state.sessionId)
				throw new AgiError("SAME_SESSION", "You are in that session already.");
			const { session, notices } = await sessions.open(id);
			return { session, notices: [...notices, ...movedNotice(session, start.place)] };
		}
		default: {
			const unknown: never = wish;
			throw new AgiError("BUG", `no way to open ${JSON.stringify(unknown)}`);
		}
	}
}

/** The settings worked out anew, so that a key stored meanwhile counts; what is not wished for stays as it is. */
async function chosenModel(
	options: StartOptions,
	current: ModelSource,
	wish: { model: string; profile?: string; baseUrl?: string },
): Promise<ModelChoice> {
	const staysAtServer = wish.profile === undefined && wish.baseUrl === undefined && current.kind === "model";
	const server = staysAtServer ? { profile: current.profile, baseUrl: current.baseUrl } : {};
	const settings = await loadSettings({
		env: options.env,
		flags: { ...server, ...wish },
		configFolder: options.place.folders.config,
		agentFolder: options.place.agentFolder,
		trusted: options.trusted,
		interactive: true,
		profiles: PROFILES,
	});
	const choice = chooseModel(settings, { interactive: false, profiles: PROFILES });
	if (choice instanceof AgiError) throw choice;
	return choice;
}

async function listNames(logins: Logins, model: ModelSource): Promise<string[]> {
	if (model.kind === "offline") return ["offline"];
	if (model.kind === "given") return [model.model.name, "offline"];
	const listed = await logins.models(model);
	if (!listed.ok) throw new AgiError("MODELS_NOT_LISTED", listed.message);
	return [...listed.value, "offline"];
}

/** The workspace's files, listed at most once in a few seconds. */
function createFileList(cwd: string): () => Promise<string[]> {
	const search = createRipgrepSearch();
	let listing: { at: number; paths: Promise<string[]> } | undefined;
	const list = async (): Promise<string[]> => {
		const { signal } = new AbortController();
		const found = await search.files({ path: cwd, glob: "*", limit: MOST_FILES, signal });
		if (!found.ok) throw new AgiError("FILES_NOT_LISTED", found.error.message);
		return found.value.paths;
	};
	return () => {
		if (!listing || performance.now() - listing.at > FRESH_MS)
			listing = { at: performance.now(), paths: list() };
		return listing.paths;
	};
}
