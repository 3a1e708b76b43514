// The container for commands (SANDBOX_COMMANDS=true): the argument list of `docker run`. The workspace stands at
// /workspace, nothing else of this machine is there. Starts nothing. Not yet tried on a real machine.

import { basename, relative } from "node:path";
import type { SandboxProfile } from "../../policy/sandboxProfile.ts";
import { isInside } from "../../policy/sandboxProfile.ts";
import type { ConfinedLaunch, Launch, Sandbox } from "../../ports/sandbox.ts";

/** Where the workspace folder stands in the container; added folders keep their own paths. */
const CONTAINER_WORKSPACE = "/workspace";

/** The image where the settings name none. */
export const DEFAULT_IMAGE = "node:20-slim";

/** The docker of this machine. */
export interface Docker {
	file: string;
	image: string;
	/** `uid:gid` that files are made with; undefined where the system has none. */
	user: string | undefined;
	/** The workspace folder. */
	workspace: string;
	/** A fresh name for a container. */
	name(): string;
	/** Environment that the docker client needs of the person's own. */
	env: Readonly<Record<string, string>>;
}

const LIMITS = ["--memory", "2g", "--cpus", "2", "--pids-limit", "512"] as const;

/** Variables that mean the same in the container; paths of this machine mean nothing there. */
const CARRIED = new Set(["AGENT", "NO_COLOR", "TERM", "PAGER", "LANG", "CI", "TZ"]);

/** A sandbox of that docker. */
export function createDocker(docker: Docker): Sandbox {
	return { kind: "docker", prepare: (launch, profile) => prepare(docker, launch, profile) };
}

function prepare(docker: Docker, launch: Launch, profile: SandboxProfile): ConfinedLaunch {
	const name = docker.name();
	const inner = (path: string) => innerPath(docker.workspace, path);
	const mount = (path: string, readOnly: boolean) => [
		"--mount",
		`type=bind,${field("source", path)},${field("target", inner(path))}${readOnly ? ",readonly" : ""}`,
	];
	const variables = Object.entries(launch.env).filter(([key]) => CARRIED.has(key));
	const args = [
		...["run", "--rm", "--init", "--name", name],
		...["--network", profile.network ? "bridge" : "none"],
		...LIMITS,
		...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
		...["--read-only", "--tmpfs", "/tmp:exec"],
		...(docker.user === undefined ? [] : ["--user", docker.user]),
		...["--env", "HOME=/tmp"],
		...variables.flatMap(([key, value]) => ["--env", `${key}=${value}`]),
		...profile.roots.flatMap((root) => mount(root, !profile.writable)),
		...profile.readOnly.flatMap((path) => mount(path, true)),
		...profile.hiddenInRoots
			.filter(({ kind }) => kind === "folder")
			.flatMap(({ path }) => ["--mount", `type=tmpfs,${field("target", inner(path))}`]),
		...profile.shown.flatMap((path) => mount(path, true)),
		...["--workdir", inner(launch.cwd)],
		docker.image,
		programName(launch.file, profile, inner),
		...launch.args.map((arg) => (isShown(arg, profile) ? inner(arg) : arg)),
	];
	return { file: docker.file, args, env: docker.env, fds: [], stop: [docker.file, "rm", "--force", name] };
}

/** The image has programs of its own; a path of this machine names one only in the workspace. */
function programName(file: string, { roots }: SandboxProfile, inner: (path: string) => string): string {
	if (!file.startsWith("/")) return file;
	return roots.some((root) => isInside(file, root)) ? inner(file) : basename(file);
}

function innerPath(workspace: string, path: string): string {
	if (!isInside(path, workspace)) return path;
	const below = relative(workspace, path);
	return below === "" ? CONTAINER_WORKSPACE : `${CONTAINER_WORKSPACE}/${below}`;
}

function isShown(arg: string, { shown }: SandboxProfile): boolean {
	return shown.some((folder) => isInside(arg, folder));
}

/** The list of a mount is CSV: a field with a comma or a quote goes into quotes. */
function field(key: string, value: string): string {
	const text = `${key}=${value}`;
	return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
