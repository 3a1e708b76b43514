// What the doctor finds of skills: how many there are, and which are broken. A folder that is not trusted is not read.

import { createWorld } from "../adapters/world.ts";
import type { Place } from "../wire/place.ts";
import { openSkillFinder } from "../wire/skills.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";
import { isTrusted } from "./trust.ts";

/** At most so many are named. */
const NAMED = 3;

/** The finding about skills; undefined where there are none. Never rejects. */
export async function checkSkills(place: Place, { env }: Surroundings): Promise<Finding | undefined> {
	const { digest } = createWorld();
	const trusted = isTrusted(place, false);
	const configFolder = place.folders.config;
	const { skills, broken } = await openSkillFinder({
		cwd: place.cwd,
		configFolder,
		env,
		trusted,
		digest,
	}).find();
	const name = "skills";
	const count = `${skills.length} can be used`;
	if (broken.length > 0) {
		const named = broken.slice(0, NAMED).map(({ path, why }) => `${path}: ${why}`);
		const more = broken.length > NAMED ? `; and ${broken.length - NAMED} more` : "";
		return { name, status: "warn", detail: `${count}; left out: ${named.join("; ")}${more}` };
	}
	return skills.length === 0 ? undefined : { name, status: "ok", detail: count };
}
