// What the doctor looks at on this machine: Node, the data folder, the programs that tools need, the terminal.
// The one thing it writes is an empty folder in the data folder, gone again at once.

import type { Stats } from "node:fs";
import { access, constants, mkdtemp, rmdir, stat, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createRipgrepSearch } from "../adapters/search/ripgrep.ts";
import { isNodeNewEnough, OLDEST_NODE, VERSION } from "../version.ts";
import type { Place } from "../wire/place.ts";
import { checkPrograms } from "./doctorPrograms.ts";
import { checkSandbox } from "./doctorSandbox.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

const MB = 1024 * 1024;
/** Below this a session can no longer be saved for long. */
const LEAST_FREE_BYTES = 10 * MB;
const LOW_FREE_BYTES = 200 * MB;

/** Everything about this machine. Never rejects. */
export async function checkMachine(place: Place, around: Surroundings): Promise<Finding[]> {
	const data = place.folders.data;
	const standing = await nearestStanding(data);
	return [
		checkNode(process.versions.node, process.execPath),
		{ name: "agi", status: "ok", detail: `${VERSION}, ${process.argv[1] ?? "as a library"}` },
		await checkDataFolder(data, standing),
		await checkSpace(standing.path),
		...(await checkPrograms(around.env)),
		await checkSandbox(place, around.env),
		await checkSearch(place.cwd),
		checkTerminal(around),
	];
}

/** Whether that version of Node runs agi. */
export function checkNode(version: string, path: string): Finding {
	const detail = `${version}, ${path}`;
	if (isNodeNewEnough(version)) return { name: "node", status: "ok", detail };
	return { name: "node", status: "fail", detail: `${detail}: agi needs ${OLDEST_NODE} or newer` };
}

interface Standing {
	path: string;
	stats: Stats;
}

/** `path` or the nearest folder above it that is there. */
async function nearestStanding(path: string): Promise<Standing> {
	const stats = await stat(path).catch(() => undefined);
	return stats ? { path, stats } : nearestStanding(dirname(path));
}

async function checkDataFolder(data: string, standing: Standing): Promise<Finding> {
	const name = "data folder";
	const refused = (reason: string): Finding => ({
		name,
		status: "fail",
		detail: `sessions cannot be saved in ${data}: ${reason}. Make it writable, or set AGI_HOME to another folder`,
	});
	if (!standing.stats.isDirectory()) return refused(`${standing.path} is not a folder`);
	try {
		if (standing.path === data) await rmdir(await mkdtemp(join(data, ".doctor-")));
		else await access(standing.path, constants.W_OK);
	} catch (error) {
		return refused(error instanceof Error ? error.message : String(error));
	}
	if (standing.path !== data)
		return { name, status: "ok", detail: `${data} will be made by the first session` };
	const mode = (standing.stats.mode & 0o777).toString(8);
	if (process.platform !== "win32" && (standing.stats.mode & 0o077) !== 0)
		return {
			name,
			status: "warn",
			detail: `others on this machine can look into ${data} (mode ${mode}): chmod 700 ${data}`,
		};
	return { name, status: "ok", detail: `${data}, writable, mode ${mode}` };
}

async function checkSpace(path: string): Promise<Finding> {
	const name = "free space";
	try {
		const { bavail, bsize } = await statfs(path);
		const free = bavail * bsize;
		const detail = `${Math.floor(free / MB).toLocaleString("en-US")} MB for sessions`;
		if (free >= LOW_FREE_BYTES) return { name, status: "ok", detail };
		return {
			name,
			status: free < LEAST_FREE_BYTES ? "fail" : "warn",
			detail: `only ${detail}: free some on the disk of ${path}`,
		};
	} catch (error) {
		return { name, status: "warn", detail: `unknown: ${error instanceof Error ? error.message : error}` };
	}
}

/** Runs the search once: its ripgrep is a program for this very platform. */
async function checkSearch(folder: string): Promise<Finding> {
	const signal = AbortSignal.timeout(5_000);
	const end = await createRipgrepSearch().files({ path: folder, glob: "package.json", limit: 1, signal });
	if (end.ok) return { name: "ripgrep", status: "ok", detail: "came with agi, runs" };
	return { name: "ripgrep", status: "fail", detail: `${end.error.message} Install agi again` };
}

function checkTerminal(around: Surroundings): Finding {
	const name = "terminal";
	const kind = around.env["TERM"] ?? "unknown";
	if (around.columns === undefined)
		return { name, status: "ok", detail: "none: the output goes to a file or a pipe" };
	if (kind === "dumb" || kind === "unknown")
		return { name, status: "warn", detail: `TERM is ${kind}: agi talks line by line, without a screen` };
	const colours = around.env["NO_COLOR"] ? ", no colours (NO_COLOR)" : "";
	return { name, status: "ok", detail: `${kind}, ${around.columns} columns${colours}` };
}
