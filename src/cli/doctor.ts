// `agi doctor`: looks at everything agi rests on and says what to mend. It changes nothing that stays, shows no key, and
// asks no server but the configured one and those on this machine.

import { PROFILES, type Profile } from "../adapters/models/catalog.ts";
import { createWorld } from "../adapters/world.ts";
import { checkSessions } from "../runtime/checkSession.ts";
import type { ExitCode } from "../types.ts";
import { visibleText } from "../ui/visibleText.ts";
import { locate, openSessions, type Place } from "../wire.ts";
import { checkMachine } from "./doctorMachine.ts";
import { checkModel } from "./doctorModel.ts";
import type { CommandLine } from "./arguments.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";

/** One thing that was looked at. `warn`: agi works, with less; `fail`: something will not work. */
export interface Finding {
	name: string;
	status: "ok" | "warn" | "fail";
	/** What was found, and for `warn` and `fail` what to do. */
	detail: string;
}

/** Servers that people run on their own machine; a test brings its own. */
export type LocalServer = Pick<Profile, "title" | "baseUrl">;

/** Runs `agi doctor`: exit 0 where nothing failed, else 1. */
export async function doctorCommand(
	parsed: CommandLine<"models" | "doctor">,
	around: Surroundings = ownSurroundings(),
	localServers: readonly LocalServer[] = PROFILES.filter((profile) => profile.local),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const [machine, model, sessions] = await Promise.all([
		checkMachine(place, around),
		checkModel(place, parsed.flags, around.env, localServers),
		checkRecorded(place),
	]);
	const checks = [...machine, ...model, sessions];
	const ok = checks.every((check) => check.status !== "fail");
	around.out(parsed.json ? `${JSON.stringify({ ok, checks })}\n` : plainText(checks));
	return ok ? 0 : 1;
}

async function checkRecorded(place: Place): Promise<Finding> {
	const name = "sessions";
	const sessions = openSessions(place);
	const found = await checkSessions(sessions, await sessions.ids(), createWorld().digest);
	const count = `${found.sessions} of this folder`;
	if (found.violations.length === 0) return { name, status: "ok", detail: `${count}, all sound` };
	const detail = `${count}, ${found.violations.length} violations: agi sessions check lists them`;
	return { name, status: "fail", detail };
}

function plainText(checks: readonly Finding[]): string {
	const width = Math.max(...checks.map((check) => check.name.length));
	const lines = checks.map(
		({ name, status, detail }) => `${status.padEnd(4)}  ${name.padEnd(width)}  ${detail}`,
	);
	return visibleText(`${lines.join("\n")}\n`);
}
