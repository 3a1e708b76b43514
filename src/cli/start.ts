// From flags to a running session: where, with which settings, which model, which log. Shared by the headless and the
// interactive start.

import { homedir } from "node:os";
import { PROFILES } from "../adapters/models/catalog.ts";
import type { Host } from "../rpc/host.ts";
import type { LiveSession } from "../runtime/liveSession.ts";
import type { Sessions } from "../runtime/sessions.ts";
import { chooseModel, type ModelChoice } from "../settings/chooseModel.ts";
import { type LoadedSettings, loadSettings } from "../settings/settings.ts";
import { AgiError, type Mode } from "../types.ts";
import { type HostSetup, hostSession, movedNotice, openCopy } from "../wire/host.ts";
import { locate, openSessions, type Place } from "../wire/place.ts";
import type { StartOptions } from "../wire/startOptions.ts";
import { newSession, type RunningSession, startSession } from "../wire.ts";
import type { SessionChoice } from "./arguments.ts";
import { defined, type ParsedFlags } from "./flagValues.ts";
import { sayAtEnd } from "./say.ts";
import { startFolder } from "./startFolder.ts";

/** A session that runs, and what the person should be told about its start. */
export interface Started extends RunningSession {
	notices: string[];
	offline: boolean;
}

const BYPASS_NOTICE =
	"Mode bypassPermissions: nothing is asked and commands run without a sandbox; only the hard denials stand.";

/** Settings and model of a start. */
export async function prepare(
	flags: ParsedFlags,
	interactive: boolean,
): Promise<{
	place: Place;
	trusted: boolean;
	settings: LoadedSettings;
	model: ModelChoice;
	notices: string[];
}> {
	const place = await locate(startFolder(), process.env, !flags.ephemeral);
	// Without somebody at the screen only the command line can say it.
	const trusted = flags.trust || (interactive && (await import("./trust.ts")).isTrusted(place, false));
	const settings = await loadSettings({
		env: process.env,
		flags,
		configFolder: place.folders.config,
		agentFolder: place.agentFolder,
		trusted,
		interactive,
		profiles: PROFILES,
	});
	const model = chooseModel(settings, { interactive, profiles: PROFILES });
	if (model instanceof AgiError) throw model;
	const notices = [...(place.idFault === undefined ? [] : [place.idFault]), ...settings.notices];
	if (model.kind === "offline" && model.notice) notices.push(model.notice);
	if (settings.permissionMode === "bypassPermissions") notices.push(BYPASS_NOTICE);
	return { place, trusted, settings, model, notices };
}

/** Starts or goes on with a session. */
export async function start(
	flags: ParsedFlags,
	choice: SessionChoice,
	interactive: boolean,
): Promise<Started> {
	const { running, notices, offline } = await startRunning(flags, choice, interactive);
	return { ...running, notices, offline };
}

/**
 * A session for a terminal, with everything around it that a person may switch. `wantsCopy` is asked where the chosen one
 * cannot be opened, but copied; a no rejects with what the opening rejected with.
 */
export async function startHosted(
	flags: ParsedFlags,
	choice: SessionChoice,
	wantsCopy: (offer: string) => Promise<boolean>,
): Promise<Host & Pick<Started, "notices" | "offline">> {
	const started = startRunning(flags, choice, true).catch(async (error: unknown) => {
		const { copyOffer, sessionId: id } = error instanceof AgiError ? error : {};
		if (copyOffer === undefined || id === undefined || !(await wantsCopy(copyOffer))) throw error;
		return startRunning(flags, { kind: "resume", id, fork: true }, true);
	});
	const { running, setup, notices, offline } = await started;
	return { ...hostSession(running, setup), notices, offline };
}

async function startRunning(flags: ParsedFlags, choice: SessionChoice, interactive: boolean) {
	const { place, trusted, settings, model, notices } = await prepare(flags, interactive);
	const options = startOptions(flags, place, settings, model, { interactive, trusted });
	const { ephemeral } = flags;
	const sessions = openSessions(place, { ephemeral });
	const opened = await openChosen(sessions, choice, options);
	try {
		const mode = modeInForce(flags, choice, opened.session, options.mode);
		const running = await startSession(sessions, opened.session, { ...options, mode });
		const setup: HostSetup = { sessions, options, ephemeral };
		const told = mode === "bypassPermissions" ? notices : notices.filter((one) => one !== BYPASS_NOTICE);
		return {
			running,
			setup,
			notices: [...told, ...opened.notices, ...running.notices],
			offline: model.kind === "offline",
		};
	} catch (error) {
		await opened.session.close();
		throw error;
	}
}

/** An old session keeps its last mode unless the command line names one; only there can everything be allowed. */
function modeInForce(flags: ParsedFlags, choice: SessionChoice, session: LiveSession, chosen: Mode): Mode {
	const last = session.state.mode;
	const isOld = choice.kind !== "new" && flags.permissionMode === undefined;
	return isOld && last !== "bypassPermissions" ? last : chosen;
}

async function openChosen(
	sessions: Sessions,
	choice: SessionChoice,
	options: StartOptions,
): Promise<{ session: LiveSession; notices: string[] }> {
	if (choice.kind === "new") return { session: await newSession(sessions, options), notices: [] };
	const id = await chosenId(sessions, choice, options.place.idFault);
	if (choice.fork) return openCopy(sessions, { id, ...defined("afterStep", choice.at) });
	const opened = await sessions.open(id);
	return { ...opened, notices: [...opened.notices, ...movedNotice(opened.session, options.place)] };
}

async function chosenId(
	sessions: Sessions,
	choice: SessionChoice & { fork: boolean },
	idFault = "",
): Promise<string> {
	if (choice.kind === "resume" && choice.id !== undefined) return sessions.find(choice.id);
	const newest = await sessions.newest();
	if (newest !== undefined) return newest;
	throw new AgiError(
		"NO_SESSION",
		`No session of this folder can be continued; start one without -c or -r. ${idFault}`.trimEnd(),
		{
			exitCode: 42,
		},
	);
}

function startOptions(
	flags: ParsedFlags,
	place: Place,
	settings: LoadedSettings,
	model: ModelChoice,
	{ interactive, trusted }: { interactive: boolean; trusted: boolean },
): StartOptions {
	const secrets = [settings.apiKey, settings.exaApiKey, settings.laminarKey].filter((s) => s !== undefined);
	const { limits } = settings;
	return {
		place,
		env: process.env,
		model,
		mode: settings.permissionMode,
		trusted,
		interactive,
		limits,
		compaction: settings.compaction,
		addDirs: flags.addDirs,
		sandboxCommands: settings.sandboxCommands,
		sandbox: flags.sandbox ? { ...settings.sandbox, mode: flags.sandbox } : settings.sandbox,
		secrets,
		undo: !flags.ephemeral,
		// A run that is to leave no trace keeps nothing by itself.
		extractEveryTurns: flags.ephemeral ? 0 : settings.memory.extractEveryTurns,
		keepsIndex: interactive && !flags.ephemeral,
		diagnostics: !flags.ephemeral && place.cwd !== homedir(),
		// The variables that name a collector are meant for every program, so one that does not answer is no news.
		...(flags.debug ? { onTraceFailure: sayAtEnd } : {}),
		...(settings.contextWindow === undefined ? {} : { contextWindow: settings.contextWindow }),
		...(settings.images === undefined ? {} : { images: settings.images }),
		...(settings.outputReserve === undefined ? {} : { outputReserve: settings.outputReserve }),
		rules: settings.rules,
		suggestedRules: settings.suggestedRules,
		...(flags.appendSystemPrompt === undefined ? {} : { appendSystemPrompt: flags.appendSystemPrompt }),
		...(settings.exaApiKey === undefined ? {} : { exaApiKey: settings.exaApiKey }),
		...(settings.laminarKey === undefined ? {} : { laminarKey: settings.laminarKey }),
	};
}
