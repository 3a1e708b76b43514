// Tells a session's clients how commands are confined: what holds at the start, what the self-test finds, what a change
// of mode does. With a person at the screen the self-test runs early, in the background; else the first command has it run.

import type { CommandSandbox, SandboxState } from "../ports/sandbox.ts";
import type { World } from "../ports/world.ts";
import type { ShownSandbox } from "../rpc/protocol.ts";
import type { LiveSession } from "../runtime/liveSession.ts";

export interface SandboxWatch {
	session: Pick<LiveSession, "subscribe">;
	sandbox: CommandSandbox;
	/** Somebody looks. */
	interactive: boolean;
	clock: World["clock"];
	onChange(sandbox: ShownSandbox): void;
}

/** How long the screen has to be drawn and keys to be taken before the self-test starts, in milliseconds. */
const QUIET_MS = 400;

/** How commands are confined, as a person sees it. */
export function shownSandbox({ kind, level, network, notice }: SandboxState): ShownSandbox {
	return {
		level,
		network: network || level === "none",
		...(kind === "external" ? { external: true } : {}),
		...(notice === undefined ? {} : { notice }),
	};
}

/** Watches a session; the function it gives back ends that. */
export function watchSandbox({ session, sandbox, interactive, clock, onChange }: SandboxWatch): () => void {
	const over = new AbortController();
	let told = JSON.stringify(shownSandbox(sandbox.state()));
	const tell = () => {
		const shown = shownSandbox(sandbox.state());
		const now = JSON.stringify(shown);
		if (over.signal.aborted || now === told) return;
		told = now;
		onChange(shown);
	};
	const tryOut = async () => {
		await sandbox.check();
		tell();
	};
	const stop = session.subscribe((publication) => {
		if (publication.kind !== "facts") return;
		if (publication.events.some(({ type }) => type === "mode/changed")) tell();
	});
	if (interactive) clock.wait(QUIET_MS, over.signal).then(tryOut, () => undefined);
	return () => {
		stop();
		over.abort();
	};
}
