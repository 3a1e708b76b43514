// The macOS sandbox: a profile for /usr/bin/sandbox-exec and its argument list. Everything is denied that is not named;
// paths are parameters, never pasted into the text. Starts nothing. Not yet tried on a real machine.

import type { SandboxProfile } from "../../policy/sandboxProfile.ts";
import type { ConfinedLaunch, Launch, Sandbox } from "../../ports/sandbox.ts";

/** A part of macOS; taken by its whole path, so that nothing on PATH can stand for it. */
export const SANDBOX_EXEC = "/usr/bin/sandbox-exec";

const BASE = `(version 1)
(deny default)
(allow process-exec)
(allow process-fork)
(allow process-info* (target same-sandbox))
(allow signal (target same-sandbox))
(allow sysctl-read)
(allow file-read*)
(allow file-ioctl (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty"))
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))
(allow ipc-posix-sem)
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow mach-lookup (global-name "com.apple.logd"))
(allow network-bind (local ip "localhost:*"))
(allow network-inbound (local ip "localhost:*"))`;

const NETWORK = `(allow network-outbound (remote ip "*:*"))
(allow system-socket)
(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd"))
(allow mach-lookup (global-name "com.apple.trustd.agent"))
(allow mach-lookup (global-name "com.apple.dnssd.service"))
(allow network-outbound (literal "/private/var/run/mDNSResponder"))`;

/** A sandbox whose commands keep temporary files in `scratch`, a real path. */
export function createSeatbelt(scratch: string): Sandbox {
	return { kind: "seatbelt", prepare: (launch, profile) => prepare(scratch, launch, profile) };
}

function prepare(scratch: string, launch: Launch, profile: SandboxProfile): ConfinedLaunch {
	const parameters: string[] = [];
	const param = (path: string) => `(param "P${parameters.push(path) - 1}")`;
	const paths = (list: readonly string[]) => list.map((path) => `(subpath ${param(path)})`).join(" ");
	const rule = (verb: string, list: readonly string[]) =>
		list.length === 0 ? [] : [`(${verb} ${paths(list)})`];
	const { hidden, hiddenInRoots, roots, readOnly, writable, network, shown } = profile;
	// The last rule that matches decides.
	const text = [
		BASE,
		...rule(
			"deny file-read*",
			hidden.map(({ path }) => path),
		),
		...rule("allow file-read*", roots),
		...rule("allow file-write*", [...(writable ? roots : []), scratch]),
		...rule("deny file-write*", readOnly),
		...rule(
			"deny file-read* file-write*",
			hiddenInRoots.map(({ path }) => path),
		),
		...rule("allow file-read*", shown),
		...(network ? [NETWORK] : []),
	].join("\n");
	return {
		file: SANDBOX_EXEC,
		args: [
			...["-p", text],
			...parameters.flatMap((path, index) => ["-D", `P${index}=${path}`]),
			"--",
			launch.file,
			...launch.args,
		],
		env: { ...launch.env, TMPDIR: scratch },
		fds: [],
	};
}
