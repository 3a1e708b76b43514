// The settings that hold for a command beside conversations and headless runs, which have a start of their own.

import { PROFILES } from "../adapters/models/catalog.ts";
import { type LoadedSettings, loadSettings } from "../settings/settings.ts";
import type { Place } from "../wire/place.ts";
import type { ParsedFlags } from "./flagValues.ts";
import type { Surroundings } from "./surroundings.ts";
import { isTrusted } from "./trust.ts";

/** Reads them for `place` and tells on stderr what was left out. Rejects with `AgiError` (exit 52) where they are wrong. */
export async function commandSettings(
	place: Place,
	flags: ParsedFlags,
	around: Surroundings,
): Promise<LoadedSettings> {
	const settings = await loadSettings({
		env: around.env,
		flags,
		configFolder: place.folders.config,
		agentFolder: place.agentFolder,
		trusted: isTrusted(place, flags.trust),
		interactive: false,
		profiles: PROFILES,
	});
	for (const notice of settings.notices) around.err(notice);
	return settings;
}
