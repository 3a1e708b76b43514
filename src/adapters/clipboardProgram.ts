// Which program of this machine can set the clipboard. It only looks and never runs anything.

import { programOnPath } from "./shellFiles.ts";

/** What each display takes, the usual one first. */
const CANDIDATES: Readonly<Record<"macos" | "wayland" | "x11", readonly (readonly string[])[]>> = {
	macos: [["pbcopy"]],
	wayland: [["wl-copy"]],
	x11: [
		["xclip", "-selection", "clipboard"],
		["xsel", "--clipboard", "--input"],
	],
};

/** The program and its arguments, found on this process's PATH; undefined where there is no display or no program. */
export async function clipboardProgram(
	env: Readonly<Record<string, string | undefined>>,
	platform: string,
): Promise<readonly string[] | undefined> {
	const display =
		platform === "darwin" ? "macos" : env["WAYLAND_DISPLAY"] ? "wayland" : env["DISPLAY"] ? "x11" : undefined;
	if (display === undefined) return undefined;
	for (const candidate of CANDIDATES[display])
		if (candidate[0] !== undefined && (await programOnPath(candidate[0])) !== undefined) return candidate;
	return undefined;
}
