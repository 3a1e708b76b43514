// `agi permissions`: shows the rules and what they would do, and changes the person's own. It never runs what it tests,
// and never writes a project's file.

import { homedir } from "node:os";
import { createWorkspace } from "../adapters/workspace/nodeWorkspace.ts";
import { lookUpPaths } from "../agent/tools/namedPaths.ts";
import type { PolicyContext } from "../policy/policyQuestion.ts";
import {
	type CommandTest,
	type LastQuestion,
	type ListedRule,
	lastQuestion,
	listRules,
	testCommand,
} from "../runtime/permissionReport.ts";
import type { LoadedSettings } from "../settings/settings.ts";
import { AgiError, type ExitCode } from "../types.ts";
import { commandTestText } from "../ui/commandTexts.ts";
import { visibleText } from "../ui/visibleText.ts";
import { addUserRule, type RuleChange, removeUserRule, takeOverRules } from "../wire/keepRule.ts";
import { locate, openSessions, type Place } from "../wire/place.ts";
import { createSandbox } from "../wire/sandbox.ts";
import type { CommandLine } from "./arguments.ts";
import { commandSettings } from "./commandSettings.ts";
import { ownSurroundings, type Surroundings } from "./surroundings.ts";
import { isTrusted } from "./trust.ts";

/** Runs `agi permissions ...`. Exit 2 for a rule that is none, 1 for one that is not there, 52 for a file that is wrong. */
export async function permissionsCommand(
	parsed: CommandLine<"permissions">,
	around: Surroundings = ownSurroundings(),
): Promise<ExitCode> {
	const place = await locate(around.folder(), around.env, false);
	const { config } = place.folders;
	const answer = (value: object, text: string) =>
		around.out(parsed.json ? `${JSON.stringify(value)}\n` : visibleText(text));
	switch (parsed.action) {
		case "list": {
			const settings = await commandSettings(place, parsed.flags, around);
			const [rules, suggested] = [listRules(settings.rules), listRules(settings.suggestedRules)];
			answer({ rules, suggested }, listText(rules, suggested));
			return 0;
		}
		case "add": {
			const done = finished(await addUserRule(config, parsed.effect, parsed.rule));
			answer(
				{ ...done, effect: parsed.effect, rule: parsed.rule },
				`${done.changed ? "Added to" : "Stands already in"} ${done.path}: ${parsed.effect} ${parsed.rule}\n`,
			);
			return 0;
		}
		case "remove": {
			const done = finished(await removeUserRule(config, parsed.rule));
			if (!done.changed)
				around.err(`There is no rule ${parsed.rule} in ${done.path}. agi permissions lists them.`);
			else answer({ ...done, rule: parsed.rule }, `Taken out of ${done.path}: ${parsed.rule}\n`);
			return done.changed ? 0 : 1;
		}
		case "test": {
			const tested = await test(
				parsed.tested,
				await commandSettings(place, parsed.flags, around),
				place,
				parsed,
				around,
			);
			answer(tested, `${commandTestText(tested)}\n`);
			return 0;
		}
		case "import":
			return takeOver(place, await commandSettings(place, parsed.flags, around), parsed, around);
		case "why": {
			const last = await lastOfFolder(place);
			if (!last) around.err("No question was asked in this folder's newest session.");
			else answer(last, whyText(last));
			return last ? 0 : 1;
		}
		default:
			throw new AgiError("BUG", `no action ${JSON.stringify(parsed satisfies never)}`);
	}
}

/** Shows what the project suggests and stores it; a person at a terminal is asked first. */
async function takeOver(
	place: Place,
	{ suggestedRules }: LoadedSettings,
	{ json, flags }: CommandLine<"permissions">,
	around: Surroundings,
): Promise<ExitCode> {
	const suggested = listRules(suggestedRules);
	if (suggested.length === 0) {
		const isRead = isTrusted(place, flags.trust);
		around.err(
			isRead
				? "This project suggests no rules."
				: "This folder is not trusted, so nothing of it was read. Start agi here once, or add --trust.",
		);
		return 1;
	}
	if (!json) around.out(visibleText(`This project suggests:\n${rowsOf(suggested).join("\n")}\n`));
	const question = "Take them over? They hold here alone, and only until that file changes.";
	if (around.confirm && !(await around.confirm(question))) {
		around.err("Nothing was taken over.");
		return 1;
	}
	const { path } = finished(await takeOverRules(place, suggestedRules));
	around.out(
		json ? `${JSON.stringify({ path, rules: suggested })}\n` : visibleText(`Taken over into ${path}.\n`),
	);
	return 0;
}

function finished(change: RuleChange): Extract<RuleChange, { ok: true }> {
	if (change.ok) return change;
	const exitCode = change.message.startsWith("The settings file") ? 52 : 2;
	throw new AgiError("RULE_NOT_KEPT", change.message, { exitCode });
}

async function test(
	command: string,
	settings: LoadedSettings,
	place: Place,
	{ flags }: CommandLine<"permissions">,
	{ env }: Surroundings,
): Promise<CommandTest> {
	const workspace = await createWorkspace({ root: place.cwd });
	const trusted = isTrusted(place, flags.trust);
	const sandbox = await createSandbox({
		settings: settings.sandbox,
		container: settings.sandboxCommands,
		folders: place.folders,
		env,
		trusted,
		roots: [workspace.root],
		isOff: () => settings.permissionMode === "bypassPermissions",
	}).check();
	const context: PolicyContext = {
		mode: settings.permissionMode,
		grants: [],
		interactive: true,
		trusted,
		sandbox,
		rules: settings.rules,
		places: {
			workspaceRoots: [workspace.root],
			home: homedir(),
			agiFolders: { config: place.folders.config, data: place.folders.data },
		},
	};
	return testCommand(command, context, await lookUpPaths(command, workspace.root, { workspace }));
}

async function lastOfFolder(place: Place): Promise<LastQuestion | undefined> {
	const sessions = openSessions(place);
	const newest = await sessions.newest();
	if (newest === undefined) return undefined;
	return lastQuestion((await sessions.read(newest, { onLostText: () => undefined })).commits);
}

function listText(rules: readonly ListedRule[], suggested: readonly ListedRule[]): string {
	const rows =
		rules.length === 0 ? ["You have no rules of your own; what is built in holds."] : rowsOf(rules);
	const wished =
		suggested.length === 0
			? []
			: [
					"",
					"This project suggests, and nothing of it holds until agi permissions import takes it over:",
					...rowsOf(suggested),
				];
	return `${[...rows, ...wished].join("\n")}\n`;
}

function rowsOf(rules: readonly ListedRule[]): string[] {
	const width = Math.min(60, Math.max(...rules.map(({ rule }) => rule.length)));
	return rules.map(
		({ effect, rule, origin, why }) =>
			`${effect.padEnd(5)}  ${rule.padEnd(width)}  (${origin})${why === undefined ? "" : `  ${why}`}`,
	);
}

function whyText({ tool, reason, rule, answer }: LastQuestion): string {
	return `${tool}: ${reason} [${rule}]\nAnswer: ${answer ?? "none yet"}\n`;
}
