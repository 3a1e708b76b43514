// The Linux sandbox: the argument list of bubblewrap (bwrap(1)). The order of the options is their meaning: each mount
// covers what came before. Starts nothing.

import type { HiddenPath, SandboxProfile } from "../../policy/sandboxProfile.ts";
import { isInside } from "../../policy/sandboxProfile.ts";
import type { ConfinedLaunch, InheritedFd, Launch, Sandbox } from "../../ports/sandbox.ts";

/** The bwrap of this machine, and what its options depend on. */
export interface Bubblewrap {
	file: string;
	/** Such as `[0, 8, 0]`. */
	version: readonly number[];
	filter: Uint8Array;
	/** Folders for passing files that exist here, no links: each command gets its own, empty. */
	tempFolders: readonly string[];
	/** What `/etc/resolv.conf` leads to, where that is in one of `tempFolders`. */
	resolver?: string;
	/** Folders of programs, agi's own Node and those on the PATH, that are in one of `tempFolders`: they stay visible. */
	programs?: readonly string[];
}

/** Folders that hold sockets and other people's files; `/tmp` first, which programs expect to write to. */
export const TEMP_FOLDERS = ["/tmp", "/run", "/var/tmp"] as const;

const FIRST_FD = 3;

/** A sandbox of that bwrap. */
export function createBubblewrap(bwrap: Bubblewrap): Sandbox {
	return { kind: "bubblewrap", prepare: (launch, profile) => prepare(bwrap, launch, profile) };
}

function prepare(bwrap: Bubblewrap, launch: Launch, profile: SandboxProfile): ConfinedLaunch {
	const fds: InheritedFd[] = [{ bytes: bwrap.filter }, "status"];
	const addFd = (fd: InheritedFd) => String(FIRST_FD + fds.push(fd) - 1);
	const options = [
		...mounts(bwrap, profile, () => addFd("empty")),
		...walls(bwrap, profile),
		...surroundings(launch),
		...["--seccomp", String(FIRST_FD)],
		...["--json-status-fd", String(FIRST_FD + 1)],
	];
	// Other users can read a command line, and the environment stands among the options.
	const list = addFd({ bytes: new TextEncoder().encode(options.map((option) => `${option}\0`).join("")) });
	return { file: bwrap.file, args: ["--args", list, "--", launch.file, ...launch.args], env: {}, fds };
}

function mounts(bwrap: Bubblewrap, profile: SandboxProfile, emptyFd: () => string): string[] {
	const bind = (option: string, path: string) => [option, path, path];
	const hide = ({ path, kind }: HiddenPath) =>
		kind === "folder" ? ["--tmpfs", path] : ["--ro-bind-data", emptyFd(), path];
	const isCovered = ({ path }: HiddenPath) => bwrap.tempFolders.some((folder) => isInside(path, folder));
	return [
		...bind("--ro-bind", "/"),
		...["--dev", "/dev", "--proc", "/proc"],
		// As root the host's own settings would be writable: mount namespaces do not part them.
		...bind("--ro-bind", "/proc/sys"),
		...bwrap.tempFolders.flatMap((folder) => ["--tmpfs", folder]),
		...(profile.network && bwrap.resolver ? bind("--ro-bind", bwrap.resolver) : []),
		...(bwrap.programs ?? []).flatMap((folder) => bind("--ro-bind", folder)),
		...profile.hidden.filter((hidden) => !isCovered(hidden)).flatMap(hide),
		...profile.roots.flatMap((root) => bind(profile.writable ? "--bind" : "--ro-bind", root)),
		...profile.readOnly.flatMap((path) => bind("--ro-bind", path)),
		...profile.hiddenInRoots.flatMap(hide),
		...profile.shown.flatMap((path) => bind("--ro-bind", path)),
	];
}

function walls({ version }: Bubblewrap, { network }: SandboxProfile): string[] {
	const [major = 0, minor = 0] = version;
	const knowsDisable = major > 0 || minor >= 8;
	return [
		"--unshare-all",
		...(network ? ["--share-net"] : []),
		"--unshare-user",
		...(knowsDisable ? ["--disable-userns"] : []),
		...["--cap-drop", "ALL"],
		"--new-session",
		"--die-with-parent",
	];
}

function surroundings({ env, cwd }: Launch): string[] {
	const inner = { ...env, TMPDIR: "/tmp" };
	const isFit = ([name]: [string, string]) => name !== "" && name !== "XDG_RUNTIME_DIR";
	return [
		"--clearenv",
		...Object.entries(inner)
			.filter(isFit)
			.flatMap(([name, value]) => ["--setenv", name, value]),
		...["--chdir", cwd],
	];
}
