// Joins the choice of a provider with the user's folder and the keys that are set or stored.

import { createLogins } from "../adapters/credentials/logins.ts";
import { PROFILES } from "../adapters/models/catalog.ts";
import type { Logins } from "../ports/logins.ts";
import { findKey } from "../settings/findKey.ts";
import { withOllamaHost } from "../settings/ollamaHost.ts";

/** The logins of the user whose folder this is. */
export function openLogins(configFolder: string, env: Readonly<Record<string, string | undefined>>): Logins {
	return createLogins({
		configFolder,
		env,
		profiles: withOllamaHost(PROFILES, env),
		findKey: async (server) => (await findKey(server, env, configFolder, PROFILES)).apiKey,
	});
}
