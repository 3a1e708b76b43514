// Which environment variables set something for agi.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROFILES } from "../../src/adapters/models/catalog.ts";
import { dataFolders } from "../../src/adapters/projectFolder.ts";
import { loadSettings } from "../../src/settings/settings.ts";

/** Names that loading the settings, finding the key of any profile, and finding the folders look up in the environment. */
export async function variablesRead(): Promise<string[]> {
	const names = new Set<string>();
	const env = new Proxy<Record<string, string | undefined>>(
		{},
		{ get: (_, name) => void names.add(String(name)) },
	);
	dataFolders(env);
	const configFolder = await mkdtemp(join(tmpdir(), "agi-docs-"));
	try {
		for (const { name } of PROFILES)
			await loadSettings({
				env,
				flags: { profile: name },
				configFolder,
				trusted: false,
				interactive: true,
				profiles: PROFILES,
			});
	} finally {
		await rm(configFolder, { recursive: true, force: true });
	}
	// The system's own.
	names.delete("HOME");
	return [...names];
}
