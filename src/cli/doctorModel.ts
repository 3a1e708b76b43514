// What the doctor looks at on the way to a model: settings, key, the configured server, and servers on this machine, which
// are offered and never used. A key is never shown and goes to no server but the configured one.

import { PROFILES } from "../adapters/models/catalog.ts";
import { listModels } from "../adapters/models/listModels.ts";
import { chooseModel, type ModelChoice } from "../settings/chooseModel.ts";
import { type LoadedSettings, loadSettings } from "../settings/settings.ts";
import { AgiError } from "../types.ts";
import type { Place } from "../wire/place.ts";
import type { Finding, LocalServer } from "./finding.ts";
import type { ParsedFlags } from "./flagValues.ts";
import { isTrusted } from "./trust.ts";

/** How long a server may take to list its models, in milliseconds: the configured one, one on this machine. */
const SERVER_PATIENCE_MS = 5_000;
const LOCAL_PATIENCE_MS = 1_000;

/** Settings, key, model, and local servers. Never rejects for what files or servers hold. */
export async function checkModel(
	place: Place,
	flags: ParsedFlags,
	env: Readonly<Record<string, string | undefined>>,
	localServers: readonly LocalServer[],
): Promise<Finding[]> {
	const load = (interactive: boolean) =>
		loadSettings({
			env,
			flags,
			configFolder: place.folders.config,
			agentFolder: place.agentFolder,
			trusted: isTrusted(place, flags.trust),
			interactive,
			profiles: PROFILES,
		});
	const offer = offerLocalServers(localServers);
	const mistake = await load(false).then(
		() => undefined,
		(error: unknown) => (error instanceof Error ? error.message : String(error)),
	);
	// With a person at the screen a start leaves out what is wrong; the rest is looked at in the same way.
	const settings = await load(true);
	return [checkSettings(settings, mistake), ...(await checkServer(settings)), await offer];
}

function checkSettings(settings: LoadedSettings, mistake: string | undefined): Finding {
	const name = "settings";
	if (mistake !== undefined) return { name, status: "fail", detail: mistake };
	if (settings.notices.length > 0) return { name, status: "warn", detail: settings.notices.join(" ") };
	const files = new Set(Object.values(settings.sources).filter((source) => source.endsWith("settings.json")));
	return { name, status: "ok", detail: files.size === 0 ? "no file, which is fine" : [...files].join(", ") };
}

async function checkServer(settings: LoadedSettings): Promise<Finding[]> {
	const choice = chooseModel(settings, { interactive: false, profiles: PROFILES });
	if (choice instanceof AgiError) {
		// Nothing set at all is no fault: a conversation starts with the embedded model.
		const isUntouched = choice.code === "NO_MODEL" && choice.exitCode === 41;
		return [{ name: "model", status: isUntouched ? "warn" : "fail", detail: choice.message }];
	}
	if (choice.kind === "offline")
		return [
			{ name: "model", status: "ok", detail: "offline, the embedded one: no key and no server needed" },
		];
	return [keyFinding(settings, choice), await serverFinding(choice)];
}

function keyFinding(settings: LoadedSettings, choice: ModelChoice & { kind: "model" }): Finding {
	const detail =
		choice.apiKey === undefined
			? "none, and a server on this machine or network needs none"
			: `set, from ${settings.sources["apiKey"] ?? "your settings"}`;
	return { name: "key", status: "ok", detail };
}

async function serverFinding(choice: ModelChoice & { kind: "model" }): Promise<Finding> {
	const name = "model";
	const listed = await listModels({ ...choice, timeoutMs: SERVER_PATIENCE_MS });
	if (listed.ok) {
		const detail = `${choice.model} at ${choice.baseUrl}, which answers`;
		if (listed.models.length === 0 || listed.models.includes(choice.model))
			return { name, status: "ok", detail };
		return {
			name,
			status: "warn",
			detail: `${detail} but does not list that name: agi models shows its own`,
		};
	}
	const { failure } = listed;
	// Some servers answer requests and have no list.
	if (failure.status === 404 || failure.status === 405)
		return {
			name,
			status: "warn",
			detail: `${choice.baseUrl} answers but lists no models, so ${choice.model} was not looked up`,
		};
	return { name, status: "fail", detail: failure.message };
}

async function offerLocalServers(servers: readonly LocalServer[]): Promise<Finding> {
	const name = "local servers";
	const answers = await Promise.all(
		servers.map(async ({ title, baseUrl }) => {
			const listed = await listModels({ baseUrl, timeoutMs: LOCAL_PATIENCE_MS });
			if (!listed.ok) return [];
			const model = listed.models[0] ?? "NAME";
			const count = `${listed.models.length} model${listed.models.length === 1 ? "" : "s"}`;
			return [`${title} at ${baseUrl} with ${count}; to use it: agi --base-url ${baseUrl} -m ${model}`];
		}),
	);
	const found = answers.flat();
	return { name, status: "ok", detail: found.length === 0 ? "none found" : found.join(" · ") };
}
