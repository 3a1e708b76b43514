// The honest words where nothing confines commands: that it is so, why, and what the person can do. No sandbox is here.

const FULL_RIGHTS = "Commands run with your full rights";

/** Why there is no sandbox on this machine, as a sentence with the way out. */
export type NoSandboxReason =
	| { kind: "switched-off" }
	| { kind: "missing"; program: "bwrap" | "sandbox-exec" | "docker" }
	| { kind: "platform"; platform: string }
	| { kind: "arch"; arch: string }
	| { kind: "workspace"; root: string }
	| { kind: "failed"; program: string; error: string }
	| { kind: "escaped"; program: string };

/** The notice for the person. */
export function explainNoSandbox(reason: NoSandboxReason): string {
	switch (reason.kind) {
		case "switched-off":
			return `${FULL_RIGHTS}: the sandbox is switched off.`;
		case "missing":
			return `${FULL_RIGHTS}: ${missing(reason.program)}`;
		case "platform":
			return `${FULL_RIGHTS}: agi knows no sandbox for ${reason.platform}. On Windows, agi in WSL2 has one.`;
		case "arch":
			return `${FULL_RIGHTS}: agi has no filter of system calls for ${reason.arch}.`;
		case "workspace":
			return `${FULL_RIGHTS}: no sandbox can be made around ${reason.root}. Start agi in a folder of your own.`;
		case "failed":
			return `${FULL_RIGHTS}: ${reason.program} cannot make a sandbox here (${reason.error}).${failureHint(reason)}`;
		case "escaped":
			return `${FULL_RIGHTS}: a test command in ${reason.program} could write outside of its folder.`;
		default: {
			const unknown: never = reason;
			return unknown;
		}
	}
}

function missing(program: "bwrap" | "sandbox-exec" | "docker"): string {
	switch (program) {
		case "bwrap":
			return "bubblewrap is not on PATH. Install the package bubblewrap (apt-get install bubblewrap, dnf install bubblewrap).";
		case "sandbox-exec":
			return "/usr/bin/sandbox-exec, a part of macOS, is not there.";
		case "docker":
			return "docker is not on PATH. Install it and start it.";
		default: {
			const unknown: never = program;
			return unknown;
		}
	}
}

/** bwrap's own words are clear only for those who know namespaces. */
function failureHint({ program, error }: { program: string; error: string }): string {
	if (program === "docker") return " Is the Docker service running, and may you use it?";
	if (!/namespace|uid map|setting up|Operation not permitted|No space left|denied/i.test(error)) return "";
	return " User namespaces seem to be blocked: see kernel.unprivileged_userns_clone, user.max_user_namespaces and kernel.apparmor_restrict_unprivileged_userns (sysctl), or the rights of the container around.";
}
