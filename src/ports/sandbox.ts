// What agi needs of a sandbox: a command's argument list wrapped so that the system itself confines it, and an honest
// word on how far that goes on this machine.

import type { SandboxLevel, SandboxProfile } from "../policy/sandboxProfile.ts";

/** `external`: agi confines nothing, and the person vouches that the whole machine is confined. */
export type SandboxKind = "bubblewrap" | "seatbelt" | "docker" | "external" | "none";

/** A program to start, unconfined. */
export interface Launch {
	file: string;
	args: readonly string[];
	/** Absolute folder. */
	cwd: string;
	env: Readonly<Record<string, string>>;
}

/** What the wrapper finds open: bytes to read, nothing to read, or a pipe for its JSON status lines. */
export type InheritedFd = { bytes: Uint8Array } | "empty" | "status";

/** A program to start that confines the command by itself. */
export interface ConfinedLaunch {
	file: string;
	args: readonly string[];
	/** The wrapper's own environment. */
	env: Readonly<Record<string, string>>;
	/** Open from descriptor 3 on, in this order. */
	fds: readonly InheritedFd[];
	/** An argument list that ends what may outlive the wrapper. */
	stop?: readonly [string, ...string[]];
}

/** One way to confine commands. */
export interface Sandbox {
	kind: Exclude<SandboxKind, "external" | "none">;
	/** Wraps a launch; starts nothing. The result is an argument list, never a shell text. */
	prepare(launch: Launch, profile: SandboxProfile): ConfinedLaunch;
}

/** What one command is granted beyond the rule. */
export interface ConfineWish {
	network: boolean;
	/** Folders outside the workspace that it needs to read. */
	shown: readonly string[];
}

/** A command about to run in a sandbox. */
export interface Confinement {
	launch: ConfinedLaunch;
	/**
	 * To be called once the command has ended. Takes files away that it made and that would steer programs; resolves
	 * with a sentence for each.
	 */
	finish(): Promise<string[]>;
}

/** Prepares one command. Rejects with a sentence where there is no sandbox. */
export type Confine = (launch: Launch, wish: ConfineWish) => Promise<Confinement>;

/** How commands of a session are confined now. */
export interface SandboxState {
	kind: SandboxKind;
	level: SandboxLevel;
	/** Whether every command may use the network, by the person's settings. */
	network: boolean;
	/** Whether commands may write in the workspace. */
	writable: boolean;
	/** Whether none may run without it. */
	required: boolean;
	/** Where the level is not `full`: why, and what to do, for the person. */
	notice?: string;
	/** Why no command may run: a sandbox is required and there is none. */
	refusal?: string;
}

/** The sandbox of a session. */
export interface CommandSandbox {
	/** What is known so far; looks at nothing. */
	state(): SandboxState;
	/** Finds out what this machine can do, the first time by a self-test. Never rejects. */
	check(): Promise<SandboxState>;
}
