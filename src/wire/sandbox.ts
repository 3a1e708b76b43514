// Joins settings, mode and machine to the sandbox of one session. Nothing of it is loaded or tried before the first
// command asks; what it found then holds for the session.

import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import type { DataFolders } from "../adapters/projectFolder.ts";
import type { CommandSandbox, Confine, SandboxKind, SandboxState } from "../ports/sandbox.ts";

/** The `sandbox` part of the settings. */
export interface SandboxSettings {
	mode: "auto" | SandboxKind;
	required: boolean;
	network: boolean;
	/** Container image of docker. */
	image?: string;
}

/** What a session's sandbox depends on. */
export interface SandboxSetup {
	settings: SandboxSettings;
	/** `SANDBOX_COMMANDS`: a container or nothing. */
	container: boolean;
	folders: DataFolders;
	env: Readonly<Record<string, string | undefined>>;
	trusted: boolean;
	/** Real paths, the workspace folder first. */
	roots: readonly string[];
	/** Whether the mode has switched the sandbox off. */
	isOff(): boolean;
	/** Real folders outside the roots that commands may read wherever they lie. */
	readable?(): readonly string[];
}

/** Without one: commands run with the person's rights. */
export const NO_SANDBOX: SandboxSettings = { mode: "none", required: false, network: false };

/** The sandbox of a session, and the way into it. */
export function createSandbox(setup: SandboxSetup): CommandSandbox & { confine: Confine } {
	const required = setup.settings.required || setup.container;
	const rule = { network: setup.settings.network, writable: setup.trusted, required };
	const off: SandboxState = { ...rule, kind: "none", level: "none" };
	const isExternal = setup.settings.mode === "external" && !setup.container;
	const external: SandboxState = { ...rule, kind: "external", level: "full", network: true };
	/** What holds whatever a self-test would find. */
	const given = () => (isOff() ? off : isExternal ? external : undefined);
	let found: SandboxState = { ...rule, kind: "none", level: "checking" };
	let open: Promise<Confine | undefined> | undefined;
	const isOff = () => !required && (setup.settings.mode === "none" || setup.isOff());

	const openOnce = () => {
		open ??= openSandbox(setup).then(({ confine, ...choice }) => {
			const refusal = required && choice.level === "none" ? refuse(setup, choice.notice) : undefined;
			found = { ...rule, ...choice, ...(refusal === undefined ? {} : { refusal }) };
			return confine;
		});
		return open;
	};
	return {
		state: () => given() ?? found,
		async check() {
			const known = given();
			if (known) return known;
			await openOnce();
			return found;
		},
		async confine(launch, wish) {
			const confine = await openOnce();
			if (!confine) throw new Error(found.notice ?? "there is no sandbox.");
			return confine(launch, wish);
		},
	};
}

async function openSandbox(
	setup: SandboxSetup,
): Promise<Pick<SandboxState, "kind" | "level" | "notice"> & { confine?: Confine }> {
	const { settings, folders, env, roots } = setup;
	const { config, data, cache } = folders;
	const { chooseSandbox } = await import("../adapters/sandbox/chooseSandbox.ts");
	const { image } = settings;
	const mode = setup.container ? "docker" : settings.mode;
	const { sandbox, ...choice } = await chooseSandbox({
		mode,
		env,
		roots,
		cacheFolder: cache,
		...(image === undefined ? {} : { image }),
	});
	if (!sandbox) return choice;
	const { createConfine } = await import("../adapters/sandbox/confine.ts");
	const confine = createConfine({
		sandbox,
		roots,
		writable: setup.trusted,
		homes: [...new Set([homedir(), ownHome()].filter((home) => home !== ""))],
		agiFolders: [config, data, cache],
		...(setup.readable ? { readable: setup.readable } : {}),
		quarantine: join(data, "quarantine"),
	});
	return { ...choice, confine };
}

/** The home that the system knows, whatever HOME says. */
function ownHome(): string {
	try {
		return userInfo().homedir;
	} catch {
		return "";
	}
}

function refuse({ container }: SandboxSetup, notice: string | undefined): string {
	const why = (notice ?? "").replace(/^Commands run with your full rights: /, "");
	const [who, way] = container
		? ["SANDBOX_COMMANDS=true asks for a container", "Unset SANDBOX_COMMANDS"]
		: ["The settings require a sandbox (sandbox.required)", "Set sandbox.required to false"];
	return `Not run: ${who}, and there is none: ${why} ${way} to run commands without.`;
}
