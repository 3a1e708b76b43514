// What the doctor says of the sandbox: which one there is, how far it goes, and what is missing. It runs the self-test
// anew, in a temp folder that is gone afterwards.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROFILES } from "../adapters/models/catalog.ts";
import { chooseSandbox } from "../adapters/sandbox/chooseSandbox.ts";
import { FORBIDDEN_ACTS } from "../adapters/sandbox/selfTest.ts";
import { loadSettings } from "../settings/settings.ts";
import type { Place } from "../wire/place.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** The finding about the sandbox that commands would get in `place`. Never rejects. */
export async function checkSandbox(place: Place, env: Surroundings["env"]): Promise<Finding> {
	const name = "sandbox";
	let folder: string | undefined;
	try {
		folder = await mkdtemp(join(tmpdir(), "agi-doctor-"));
		const { sandbox, sandboxCommands } = await loadSettings({
			env,
			flags: {},
			configFolder: place.folders.config,
			trusted: false,
			interactive: true,
			profiles: PROFILES,
		});
		const mode = sandboxCommands ? "docker" : sandbox.mode;
		const { image } = sandbox;
		const chosen = await chooseSandbox({
			mode,
			env,
			roots: [place.cwd],
			cacheFolder: folder,
			...(image === undefined ? {} : { image }),
		});
		const { kind, level, notice } = chosen;
		const network = sandbox.network ? "network on" : "network off";
		if (level === "full") {
			const detail = `${kind}, full, ${network}: each of ${FORBIDDEN_ACTS.length} forbidden acts was tried and stopped`;
			return { name, status: "ok", detail };
		}
		const isNeeded = level === "none" && (sandbox.required || sandboxCommands);
		return { name, status: isNeeded ? "fail" : "warn", detail: `${level}. ${notice}` };
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		return { name, status: "warn", detail: `could not be tried: ${why}` };
	} finally {
		if (folder !== undefined) await rm(folder, { recursive: true, force: true });
	}
}
