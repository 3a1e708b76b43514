// Commands that are asked about every time: their effect reaches past the workspace, or their text says nothing about
// what they do. A yes to them is for once.

import type { Call } from "./commandWalk.ts";
import { readInterpretation } from "./interpreters.ts";
import { UNKNOWN } from "./places.ts";
import type { Field } from "./shellWords.ts";

const RAISERS = /^(sudo|doas|su|pkexec|runuser|run0)$/;
const REMOTE = /^(ssh|scp|sftp|docker|docker-compose|podman|nerdctl|kubectl|helm)$/;
const RUNNERS = /^(npx|bunx|pnpx|uvx|pipx)$/;

/** Package managers, each with the words that install or publish. */
const PACKAGES: [RegExp, RegExp][] = [
	[
		/^(npm|pnpm|yarn|bun|deno)$/,
		/^(i|in|install|ci|add|update|up|upgrade|link|publish|unpublish|exec|dlx|create|x)$/,
	],
	[/^(pip[\d.]*|uv|poetry|conda|mamba|pdm)$/, /^(install|add|sync|publish|update|upgrade|create)$/],
	[
		/^(apt|apt-get|aptitude|dnf|yum|zypper|apk|brew|port|snap|flatpak|choco|winget|nix-env|opkg)$/,
		/^(install|add|remove|purge|upgrade|dist-upgrade|full-upgrade|update|reinstall|uninstall|-i|-iA)$/,
	],
	[/^(pacman|yay|paru)$/, /^-[SUR]/],
	[/^(dpkg|rpm)$/, /^-[iUe]|^--install$/],
	[
		/^(cargo|gem|go|composer|cpan|cpanm|luarocks|twine|mvn|gradle|dotnet)$/,
		/^(install|add|push|get|publish|require|update|upload|deploy)$/,
	],
];

/** Those whose first word may run a script or program of the project; every further word is then for that one alone. */
const RUNS_PROJECT = /^(npm|pnpm|yarn|bun|cargo|go|dotnet) (run|run-script|test|t|start|build|bench)$/;

/** Why a yes to this call is never remembered, as a whole sentence; undefined where it may be. */
export function neverRemember({ name, args, argv }: Call): string | undefined {
	if (argv[0]?.text.includes(UNKNOWN))
		return "The name of the command is computed, so it may be another one next time.";
	if (RAISERS.test(name)) return `\`${name}\` runs it with another user's rights.`;
	if (REMOTE.test(name)) return `\`${name}\` acts outside this machine or its files.`;
	if (name === "git") return refuseGit(args);
	if (name === "eval" || name === "source" || name === ".") return "It runs text that is not shown here.";
	if (RUNNERS.test(name) || installs(name, args))
		return `\`${name}\` downloads, installs or publishes packages.`;
	const run = readInterpretation(name, args);
	if (run?.code) return `\`${name}\` runs code given in the command.`;
	if (run?.fromStdin && !asksVersion(args)) return `\`${name}\` runs whatever flows into it.`;
	return undefined;
}

function installs(name: string, args: Field[]): boolean {
	const words = PACKAGES.find(([names]) => names.test(name))?.[1];
	if (words)
		return !RUNS_PROJECT.test(`${name} ${args[0]?.text}`) && args.some((arg) => words.test(arg.text));
	const isPip = /^python[\d.]*$/.test(name) && args[0]?.text === "-m" && args[1]?.text === "pip";
	return isPip && args.some((arg) => arg.text === "install");
}

function asksVersion(args: Field[]): boolean {
	return args.length > 0 && args.every((arg) => /^(--version|-v|-V|--help|-h)$/.test(arg.text));
}

function refuseGit(args: Field[]): string | undefined {
	const words = args.map((arg) => arg.text);
	let at = 0;
	while (words[at]?.startsWith("-"))
		at += /^(-[Cc]|--git-dir|--work-tree|--namespace)$/.test(words[at]!) ? 2 : 1;
	const rest = words.slice(at + 1);
	switch (words[at]) {
		case "push":
			return "`git push` changes a repository that others see.";
		case "reset":
			return rest.includes("--hard") ? "`git reset --hard` throws uncommitted work away." : undefined;
		case "clean":
			return rest.some((word) => /^-[a-zA-Z]*f|^--force$/.test(word))
				? "`git clean -f` deletes files that git cannot bring back."
				: undefined;
		default:
			return undefined;
	}
}
