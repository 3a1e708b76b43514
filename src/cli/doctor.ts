// `agi doctor`: looks at everything agi rests on and says what to mend. It changes nothing that stays, shows no key, and
// asks no server but the configured one and those on this machine.

import { PROFILES } from "../adapters/models/catalog.ts";
import { createWorld } from "../adapters/world.ts";
import { checkSessions } from "../runtime/checkSession.ts";
import { withOllamaHost } from "../settings/ollamaHost.ts";
import type { ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { locate, openSessions, type Place } from "../wire/place.ts";
import type { CommandLine } from "./arguments.ts";
import { checkMachine } from "./doctorMachine.ts";
import { checkModel } from "./doctorModel.ts";
import { checkSkills } from "./doctorSkills.ts";
import type { Finding, LocalServer } from "./finding.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";

/** Runs `agi doctor`: exit 0 where nothing failed, else 1. */
export async function doctorCommand(
	parsed: CommandLine<"models" | "doctor">,
	around: Surroundings = ownSurroundings(),
	localServers: readonly LocalServer[] = withOllamaHost(PROFILES, around.env).filter(({ local }) => local),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const [machine, model, sessions, skills] = await Promise.all([
		checkMachine(place, around),
		checkModel(place, parsed.flags, around.env, localServers),
		checkRecorded(place),
		checkSkills(place, around),
	]);
	const checks = [...machine, ...model, sessions, ...(skills ? [skills] : [])];
	const ok = checks.every((check) => check.status !== "fail");
	around.out(parsed.json ? `${JSON.stringify({ ok, checks })}\n` : plainText(checks));
	return ok ? 0 : 1;
}

async function checkRecorded(place: Place): Promise<Finding> {
	const name = "sessions";
	const sessions = openSessions(place);
	const ids = (await sessions.marks()).map(({ sessionId }) => sessionId);
	const found = await checkSessions(sessions, ids, createWorld().digest);
	const newer = found.newer > 0 ? `; ${found.newer} of a newer agi not checked` : "";
	const count = `${found.sessions} of all folders`;
	if (found.violations.length === 0) return { name, status: "ok", detail: `${count}, all sound${newer}` };
	const broken = [...new Set(found.violations.map(({ session }) => session))];
	const named = broken.length > 3 ? `${broken.slice(0, 3).join(", ")} and others` : broken.join(", ");
	const detail = `${count}, ${found.violations.length} violations in ${named}: agi sessions check ID lists them`;
	return { name, status: "fail", detail };
}

function plainText(checks: readonly Finding[]): string {
	const width = Math.max(...checks.map((check) => check.name.length));
	const lines = checks.map(
		({ name, status, detail }) => `${status.padEnd(4)}  ${name.padEnd(width)}  ${detail}`,
	);
	return visibleText(`${lines.join("\n")}\n`);
}
