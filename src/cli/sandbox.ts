// `agi sandbox -- CMD`: runs a person's command with the rights that the model's commands have in this folder, to see what
// they can and cannot do. It never runs without the sandbox.

import { spawn } from "node:child_process";
import { constants } from "node:os";
import { childEnvironment } from "../adapters/processes/childEnvironment.ts";
import { openFds } from "../adapters/sandbox/openFds.ts";
import type { ConfinedLaunch } from "../ports/sandbox.ts";
import { AgiError } from "../types.ts";
import { locate } from "../wire/place.ts";
import { createSandbox } from "../wire/sandbox.ts";
import type { CommandLine } from "./arguments.ts";
import { commandSettings } from "./commandSettings.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";
import { isTrusted } from "./trust.ts";

const UNTRUSTED =
	"This folder is not trusted, so commands write only in a /tmp of their own. agi sandbox --trust shows the rights in a trusted one.";

/**
 * Runs the command; resolves with its exit code, 127 where there is no such program and 126 where it cannot be run.
 * Rejects with exit 44 where there is no sandbox.
 */
export async function sandboxCommand(
	{ argv, flags }: CommandLine<"sandbox">,
	around: Surroundings = ownSurroundings(),
): Promise<number> {
	const { env } = around;
	const place = await locate(around.folder(), env, false);
	const settings = await commandSettings(place, flags, around);
	const trusted = isTrusted(place, flags.trust);
	const { network } = settings.sandbox;
	const sandbox = createSandbox({
		settings: { ...settings.sandbox, required: true },
		container: settings.sandboxCommands,
		folders: place.folders,
		env,
		trusted,
		roots: [place.cwd],
		isOff: () => false,
	});
	const { level, notice } = await sandbox.check();
	if (level === "none")
		throw new AgiError("SANDBOX_MISSING", `There is no sandbox to run it in. ${notice}`, { exitCode: 44 });
	if (notice !== undefined) around.err(notice);
	if (!trusted) around.err(UNTRUSTED);
	// A shell says in its own way, and by its exit code, that a program is not there or cannot be run.
	const [file, args] = ["/bin/sh", ["-c", 'exec "$@"', "sh", ...argv]];
	const secrets = [settings.apiKey, settings.exaApiKey, settings.laminarKey].filter(
		(key) => key !== undefined,
	);
	const launch = { file, args, cwd: place.cwd, env: { ...childEnvironment(env, secrets), PWD: place.cwd } };
	const confinement = await sandbox.confine(launch, { network, shown: [] });
	try {
		return await runAttached(confinement.launch);
	} finally {
		for (const sentence of await confinement.finish()) around.err(sentence);
	}
}

/** Runs it on this process's own input and output. */
function runAttached(launch: ConfinedLaunch): Promise<number> {
	const fds = openFds(launch.fds);
	return new Promise((resolve, reject) => {
		const child = spawn(launch.file, launch.args, {
			env: launch.env,
			stdio: ["inherit", "inherit", "inherit", ...fds.stdio],
		});
		fds.close();
		child.once("error", reject);
		child.once("exit", (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 0)));
		void fds.feed(child);
	});
}
