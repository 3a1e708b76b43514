// Whether a folder's own configuration is read: what was stored, what the command line says, and the question before the
// first start in it. Until it is answered nothing of the folder is read as configuration; here its files are only named.

import { lstatSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { canBeTrusted, isFolderTrusted, storeTrust } from "../adapters/trustStore.ts";
import { visibleText } from "../ui/visibleText.ts";
import type { Place } from "../wire/place.ts";

/** What a person is asked before anything of a folder counts. */
export interface TrustQuestion {
	/** Real path of the folder whose configuration would be read. */
	folder: string;
	/** What it brings, such as `rules and settings (.agent/settings.json)`; [] where it brings nothing. */
	brings: string[];
}

/** Whether a folder is trusted in a run at which somebody looks. `flag`: trusted for this run, whatever is stored. */
export function isTrusted(place: Place, flag: boolean): boolean {
	const folder = trustedFolder(place);
	return flag || (canBeTrusted(folder, homedir()) && isFolderTrusted(place.folders.data, folder));
}

/** The question of a start; undefined where nothing is to be asked. */
export function trustQuestion(place: Place, flag: boolean): TrustQuestion | undefined {
	const folder = trustedFolder(place);
	if (isTrusted(place, flag) || !canBeTrusted(folder, homedir())) return undefined;
	return { folder, brings: surveyFolder(folder) };
}

/** Stores a yes. Resolves with a sentence where it could not be stored and so holds for this run alone. */
export function keepTrust(place: Place, { folder }: TrustQuestion): string | undefined {
	try {
		storeTrust(place.folders.data, folder, new Date().toISOString());
		return undefined;
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		return `Your trust in ${folder} could not be stored (${reason}); it holds for this run.`;
	}
}

/** The question as lines for a person, safe to show. */
export function trustLines({ folder, brings }: TrustQuestion): string[] {
	const what =
		brings.length === 0
			? ["It brings no configuration of its own."]
			: ["It brings configuration that would act on agi:", ...brings.map((one) => `  - ${one}`)];
	return [
		`You start agi in this folder for the first time: ${folder}`,
		...what,
		"If you trust it, its configuration counts and commands may run in the sandbox without a question each.",
		"If not, agi works here all the same, reads none of it and asks before every command.",
	].map((line) => visibleText(line).trimEnd());
}

/** Asks on a line. Only a plain y or yes is one. Resolves with whether it is trusted, and what to tell beside it. */
export async function askTrust(
	place: Place,
	question: TrustQuestion,
	ask: (text: string) => Promise<string>,
): Promise<{ trusted: boolean; notices: string[] }> {
	const answer = await ask(`${trustLines(question).join("\n")}\nDo you trust this folder? [y/N] `);
	if (!/^y(es)?$/i.test(answer.trim())) return { trusted: false, notices: [] };
	const problem = keepTrust(place, question);
	return { trusted: true, notices: problem === undefined ? [] : [problem] };
}

/** Configuration is read from the project's `.agent`, which may stand above the folder agi was started in. */
function trustedFolder({ cwd, agentFolder }: Place): string {
	return agentFolder === undefined ? cwd : dirname(agentFolder);
}

/** What acts on agi once it is read, by the path it stands at. */
const BRINGS: readonly (readonly [what: string, path: string])[] = [
	["rules and settings", ".agent/settings.json"],
	["hooks", ".agent/hooks"],
	["hooks", ".agent/hooks.json"],
	["skills", ".agent/skills"],
	["skills", ".agents/skills"],
	["agents", ".agent/agents"],
	["workflows", ".agent/workflows"],
	["a memory", ".agent/MEMORY.md"],
	["MCP servers", ".mcp.json"],
	["MCP servers", ".agent/mcp.json"],
	["skills of another program", ".claude/skills"],
	["instructions", "AGENTS.md"],
	["instructions", "CLAUDE.md"],
	["a file of environment variables", ".env"],
	["a file of environment variables", ".envrc"],
];

function surveyFolder(folder: string): string[] {
	return BRINGS.flatMap(([what, path]) => {
		const full = join(folder, path);
		const stats = lstatSync(full, { throwIfNoEntry: false });
		if (!stats) return [];
		if (stats.isSymbolicLink()) return [`${what} (${path}, a link)`];
		if (!stats.isDirectory()) return [`${what} (${path})`];
		const count = entriesOf(full);
		return count === 0 ? [] : [`${what} (${path}, ${count} ${count === 1 ? "entry" : "entries"})`];
	});
}

function entriesOf(folder: string): number {
	try {
		return readdirSync(folder).length;
	} catch {
		return 0;
	}
}
