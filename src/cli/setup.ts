// `agi setup`: asks for provider, key and model line by line, tries them, stores them. Nothing is written before the end,
// and a key is neither shown nor told.

import { findProfile } from "../adapters/models/catalog.ts";
import type { Login, LoginProfile, LoginServer, Logins } from "../ports/logins.ts";
import { BASE_URL_RULE, isBaseUrl } from "../settings/baseUrl.ts";
import { nearestWord } from "../settings/spelling.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { openLogins } from "../wire/logins.ts";
import { locate } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import type { ParsedFlags } from "./flagValues.ts";
import { openLineReader } from "./lineReader.ts";
import { say } from "./say.ts";
import { startFolder } from "./startFolder.ts";

/** What the dialog talks through. */
export interface SetupScreen {
	/** Rejects with `AgiError` code `CANCELLED` where the person leaves. */
	ask(question: string, options?: { hidden?: boolean }): Promise<string>;
	/** Writes one line. */
	tell(line: string): void;
}

type Wishes = Pick<ParsedFlags, "profile" | "baseUrl" | "model">;

const CUSTOM = "custom";
const MOST_SHOWN = 30;
const KEY_TRIES = 3;

/** Runs `agi setup`. Exit 2 without a terminal, 130 where the person leaves, 1 where nothing was stored. */
export async function setupCommand(parsed: CommandLine<"setup">): Promise<ExitCode> {
	if (!process.stdin.isTTY || !process.stdout.isTTY) {
		say(
			"agi setup asks questions, so it needs a terminal. For scripts: set LLM_API_KEY, LLM_BASE_URL and LLM_MODEL, or use agi config set.",
		);
		return 2;
	}
	const place = await locate(startFolder(), process.env, false);
	const reader = openLineReader(process.stdin, (text) => process.stdout.write(text));
	const leave = () => {
		reader.close();
		process.exit(143);
	};
	process.once("SIGTERM", leave);
	process.once("SIGHUP", leave);
	try {
		return await runSetup(openLogins(place.folders.config, process.env), parsed.flags, {
			async ask(question, options) {
				const line = await reader.ask(visibleText(question), options);
				if (line === undefined) throw new AgiError("CANCELLED", "Nothing was stored.", { exitCode: 130 });
				return line;
			},
			tell: (line) => process.stdout.write(visibleText(`${line}\n`)),
		});
	} finally {
		reader.close();
	}
}

/** The dialog; what `wishes` name is not asked. Resolves with 0 once the choice is stored. */
export async function runSetup(logins: Logins, wishes: Wishes, screen: SetupScreen): Promise<ExitCode> {
	const { profile, ...server } = await chooseServer(logins, wishes, screen);
	const { names, ...keyed } = await reachServer(logins, profile, server, screen);
	const model = wishes.model ?? (await chooseModelName(names, profile.defaultModel, screen));
	const login: Login = { profile: profile.name, ...keyed, model };
	screen.tell(`Asking ${model} for one word ...`);
	const tested = await logins.test(login);
	if (tested.ok) screen.tell(`It answered in ${tested.value} ms.`);
	else {
		screen.tell(tested.message);
		if (!/^y(es)?$/i.test(await screen.ask("Store it all the same? [y/N] "))) {
			screen.tell("Nothing was stored.");
			return 1;
		}
	}
	const saved = await logins.save(login);
	if (!saved.ok) throw new AgiError("LOGIN_NOT_STORED", saved.message);
	for (const notice of saved.value) screen.tell(notice);
	screen.tell(`Stored: ${profile.title}, ${model}. Start with: agi`);
	return 0;
}

interface Choice {
	profile: LoginProfile;
	baseUrl?: string;
}

async function chooseServer(logins: Logins, wishes: Wishes, screen: SetupScreen): Promise<Choice> {
	const profiles = logins.profiles();
	const { baseUrl } = wishes;
	const named = wishes.profile ?? (baseUrl === undefined ? undefined : findProfile(baseUrl).name);
	const profile =
		named === undefined ? await askProvider(logins, profiles, screen) : profileNamed(profiles, named);
	if (baseUrl !== undefined) return { profile, baseUrl };
	return profile.baseUrl === "" ? { profile, baseUrl: await askAddress(screen) } : { profile };
}

async function askProvider(
	logins: Logins,
	profiles: readonly LoginProfile[],
	screen: SetupScreen,
): Promise<LoginProfile> {
	const found = await logins.findLocal();
	const here = profiles.filter((profile) => found.some((server) => server.profile === profile.name));
	const offered = [...here, ...profiles.filter((profile) => !profile.local)];
	screen.tell("Providers:");
	for (const [at, { name, title }] of offered.entries()) {
		const server = found.find((one) => one.profile === name);
		const note = server ? `, answers on this machine, models: ${server.models.length}` : "";
		screen.tell(`${String(at + 1).padStart(4)}  ${title}${note}`);
	}
	for (;;) {
		const answer = await screen.ask("Provider (number or name): ");
		const chosen = offered[Number(answer) - 1] ?? profiles.find(({ name }) => name === answer.toLowerCase());
		if (chosen) return chosen;
		screen.tell(`There is no provider ${answer}. Type a number from 1 to ${offered.length}.`);
	}
}

function profileNamed(profiles: readonly LoginProfile[], name: string): LoginProfile {
	const profile = profiles.find((known) => known.name === name);
	if (profile) return profile;
	const names = profiles.map((known) => known.name);
	const near = nearestWord(name, names);
	const way = near === undefined ? `Known are: ${names.join(", ")}.` : `Did you mean ${near}?`;
	throw new AgiError("UNKNOWN_PROFILE", `Unknown profile "${name}". ${way}`, { exitCode: 52 });
}

async function askAddress(screen: SetupScreen): Promise<string> {
	for (;;) {
		const address = await screen.ask("Address, up to /v1: ");
		if (isBaseUrl(address)) return address;
		screen.tell(`The address ${BASE_URL_RULE}.`);
	}
}

/** Asks for the key until the server takes it; a server on this machine is first tried without. */
async function reachServer(
	logins: Logins,
	profile: LoginProfile,
	server: { baseUrl?: string },
	screen: SetupScreen,
): Promise<Omit<LoginServer, "profile"> & { names: string[] }> {
	let keyed: Omit<LoginServer, "profile"> = server;
	for (let tries = profile.local ? 0 : 1; ; tries++) {
		if (tries > 0) keyed = { ...server, ...(await askKey(profile, screen)) };
		const listed = await logins.models({ profile: profile.name, ...keyed });
		if (listed.ok) return { ...keyed, names: listed.value };
		screen.tell(listed.message);
		if (!listed.refused || tries >= KEY_TRIES) return { ...keyed, names: [] };
	}
}

async function askKey(profile: LoginProfile, screen: SetupScreen): Promise<{ apiKey?: string }> {
	const none = profile.name === CUSTOM ? "none, or the one that is set" : "the one that is set or stored";
	const apiKey = await screen.ask(`Key (not shown while you type; Enter alone: ${none}): `, { hidden: true });
	return apiKey === "" ? {} : { apiKey };
}

async function chooseModelName(
	names: readonly string[],
	usual: string | undefined,
	screen: SetupScreen,
): Promise<string> {
	for (const [at, name] of names.slice(0, MOST_SHOWN).entries())
		screen.tell(`${String(at + 1).padStart(4)}  ${name}`);
	if (names.length > MOST_SHOWN) screen.tell(`      and ${names.length - MOST_SHOWN} more; type a name.`);
	const preset = names.length === 1 ? names[0] : usual;
	const hint = preset === undefined ? "" : `; Enter alone: ${preset}`;
	for (;;) {
		const answer = await screen.ask(`Model (${names.length === 0 ? "name" : "number or name"}${hint}): `);
		const chosen = (/^\d+$/.test(answer) && names[Number(answer) - 1]) || answer || preset;
		if (chosen) return chosen;
	}
}
