// Where a command that is asked about would run, and what it could reach there: one line for a person. Pure.

import type { ApprovalPrompt } from "../session/live.ts";

/** Folder, sandbox, network and what it may write; undefined for what is no command. */
export function commandPlace({ sandbox, cwd }: ApprovalPrompt): string | undefined {
	if (!sandbox) return undefined;
	const folder = cwd === undefined ? "" : `In ${cwd} · `;
	if (sandbox.level === "none")
		return `${folder}no sandbox: it can read and write all that you can, network on`;
	if (sandbox.external)
		return `${folder}agi confines nothing (--sandbox external): it can read and write all that you can here`;
	const writes = sandbox.writable ? "writes only in the workspace and /tmp" : "writes only in /tmp";
	return `${folder}sandbox ${sandbox.level}, network ${sandbox.network ? "on" : "off"}, ${writes}`;
}
