// /login: provider, key, model, a test call, and only then storing. A key is typed into a field that shows dots; it goes
// to the host and nowhere else.

import type { LocalServer, ProfileEntry } from "../rpc/protocol.ts";
import { type CommandDesk, obtain, print } from "./commandDesk.ts";
import { countOf } from "./view/format.ts";

interface Server {
	profile: string;
	baseUrl?: string;
	apiKey?: string;
}

const STORE_ALL_THE_SAME = "Store it all the same";

/** Sets a model up and goes on with it. */
export async function logIn(desk: CommandDesk): Promise<void> {
	const profiles = await obtain(desk, { do: "listProfiles" });
	const found = await obtain(desk, { do: "probeLocalServers" });
	const profile = await pickProfile(desk, profiles, found);
	const server = profile && (await askServer(desk, profile));
	if (!profile || !server) return;
	const model = await pickModel(desk, server, profile);
	if (model === undefined) return;
	print(desk, `Asking ${model} for one word …`, "dim");
	const tested = await desk.client.send({ do: "testModel", ...server, model });
	if (tested.ok) print(desk, `It answered in ${tested.value.milliseconds} ms.`, "dim");
	else {
		print(desk, tested.message, "error");
		const options = ["Leave it", STORE_ALL_THE_SAME];
		if ((await desk.questions.ask("The test call failed.", { options })) !== STORE_ALL_THE_SAME) return;
	}
	const saved = await obtain(desk, { do: "saveLogin", ...server, model });
	for (const notice of saved.notices) print(desk, notice, "dim");
	const { apiKey: _, ...place } = server;
	await obtain(desk, { do: "switchModel", ...place, model });
	print(desk, `Stored and in use: ${profile.title}, ${model}`, "dim");
}

/** Servers that run here first. */
async function pickProfile(
	desk: CommandDesk,
	profiles: readonly ProfileEntry[],
	found: readonly LocalServer[],
): Promise<ProfileEntry | undefined> {
	const here = (profile: ProfileEntry) => found.find((server) => server.profile === profile.name);
	const offered = [
		...profiles.filter((profile) => here(profile)),
		...profiles.filter((profile) => !profile.local),
	];
	const items = offered.map((profile) => {
		const server = here(profile);
		const place = server ? `runs here, ${countOf(server.models.length, "model")}` : profile.baseUrl;
		return { id: profile.name, label: profile.title, detail: `${profile.name} ${place}`.trim() };
	});
	const picked = await desk.questions.pick("Provider", items);
	return offered.find(({ name }) => name === picked?.id);
}

async function askServer(desk: CommandDesk, profile: ProfileEntry): Promise<Server | undefined> {
	const baseUrl =
		profile.baseUrl === "" ? await desk.questions.ask("Address of the server, up to /v1:") : undefined;
	if (profile.baseUrl === "" && baseUrl === undefined) return undefined;
	const server = { profile: profile.name, ...(baseUrl === undefined ? {} : { baseUrl: baseUrl.trim() }) };
	if (profile.local) return server;
	const options = profile.keyVariable === undefined ? "" : ` (Esc: the one in ${profile.keyVariable})`;
	const apiKey = await desk.questions.ask(`Key for ${profile.title}, shown as dots${options}:`, {
		secret: true,
	});
	return apiKey === undefined ? server : { ...server, apiKey: apiKey.trim() };
}

/** From the server's own list; by its name where the server lists nothing. */
async function pickModel(
	desk: CommandDesk,
	server: Server,
	{ defaultModel }: ProfileEntry,
): Promise<string | undefined> {
	const listed = await desk.client.send({ do: "listModels", ...server });
	if (listed.ok && listed.value.length > 0) {
		const names = [...listed.value].sort((a, b) => Number(b === defaultModel) - Number(a === defaultModel));
		const picked = await desk.questions.pick(
			"Model",
			names.map((id) => ({ id, label: id })),
		);
		return picked?.id;
	}
	if (!listed.ok) print(desk, listed.message, "warning");
	const name = await desk.questions.ask("Name of the model:");
	return name?.trim();
}
