// Text of unknown intent: what brings it into a session, and what it must not lead to without a person's yes. Whatever a
// model was told by such a text, it cannot send, reach out or leave instructions behind unasked.

import { walkCommand } from "./commandWalk.ts";
import type { PolicyFacts } from "./facts.ts";
import { type CommandPlaces, notReadable, UNKNOWN } from "./places.ts";

/** A call as far as its taint depends on it. */
export interface TaintingCall {
	tool: string;
	resources: readonly { kind: string; key: string; access: "read" | "write" }[];
	facts: PolicyFacts;
}

/** The source that the result of a call brings text of unknown intent from; undefined where it brings none. */
export function taintSource(
	{ tool, resources, facts }: TaintingCall,
	{ trusted, places, network }: { trusted: boolean; places: CommandPlaces; network: boolean },
): string | undefined {
	if (facts.url !== undefined) return facts.url;
	if (tool === "webSearch" || resources.some(({ kind }) => kind === "network")) return `what ${tool} found`;
	if (facts.command !== undefined || facts.code) {
		const sent = facts.command !== undefined && network && usesNetwork(facts.command, places);
		if (sent) return `the output of ${shorten(facts.command ?? "")}`;
		if (!trusted) return "the output of a command in this folder, which is not trusted";
		const outside = facts.named?.find(({ inside, real }) => !inside && !real.startsWith("/dev/"));
		return outside && `the file ${outside.real}`;
	}
	const read = resources.filter(
		({ kind, access }) => access === "read" && (kind === "file" || kind === "tree"),
	);
	if (read.length === 0) return undefined;
	const outside = notReadable(facts.outside, places);
	if (outside.length > 0) return `the file ${outside[0]}`;
	// What the person's own skills bring is the person's word.
	return trusted || facts.outside?.length ? undefined : "files of this folder, which is not trusted";
}

/** Programs that reach other machines, whatever else they do. */
const NETWORK =
	/^(curl|wget|aria2c|lynx|w3m|links|https?|xh|axel|fetch|nc|ncat|netcat|socat|telnet|ftp|sftp|ssh|scp|rsync|dig|nslookup|host|ping|gh|glab|aws|gcloud|az|svn|hg|rclone|sendmail|mail|npx|kubectl|helm)$/;
/** Programs that reach other machines but for some of their commands. */
const PARTLY_NETWORK = /^(npm|pnpm|yarn|bun|pip\d*|uv|cargo|gem|go|docker|podman|terraform|openssl)$/;
const LOCAL_COMMANDS =
	/^(test|t|run|start|build|check|fmt|vet|lint|clippy|doc|bench|list|ls|version|help|validate|tree|env)$/;
const GIT_REMOTE = /^(push|pull|fetch|clone|remote|ls-remote|submodule|archive)$/;

/** Whether a command plainly reaches other machines. */
export function usesNetwork(command: string, places: CommandPlaces): boolean {
	let found = false;
	visitCalls(command, places, (name, args) => {
		if (name === "git") found ||= args.some((arg) => GIT_REMOTE.test(arg));
		else found ||= NETWORK.test(name) || (PARTLY_NETWORK.test(name) && !isLocal(args));
	});
	return found;
}

function isLocal(args: readonly string[]): boolean {
	const command = args.find((arg) => !arg.startsWith("-"));
	if (command !== undefined) return LOCAL_COMMANDS.test(command);
	// `yarn` without a command installs.
	return args.some((arg) => /^(-[vVh]|--version|--help)$/.test(arg));
}

/** Files that tell models what to do, or are remembered over sessions; names in lower case. */
const INSTRUCTIONS =
	/^(agents|claude|gemini|memory|user|copilot-instructions|skill|conventions)\.md$|^\.(cursorrules|windsurfrules|clinerules|aider\.conf\.yml)$/;

/** Whether whoever writes this file tells later sessions what to do. */
export function isInstructionFile(path: string): boolean {
	return INSTRUCTIONS.test((path.split("/").at(-1) ?? "").toLowerCase());
}

/** The instruction file that a command plainly writes; undefined where none is named. */
export function writtenInstructions(command: string, places: CommandPlaces): string | undefined {
	let found: string | undefined;
	visitCalls(command, places, (name, args, written) => {
		const changed = /^(tee|cp|mv|sed|dd|install|rsync|ln|truncate|rm)$/.test(name)
			? [...args, ...written]
			: written;
		found ??= changed.find((path) => isInstructionFile(path.replace(/^[a-z]+=/, "")));
	});
	return found;
}

function visitCalls(
	command: string,
	places: CommandPlaces,
	visit: (name: string, args: string[], written: string[]) => void,
): void {
	try {
		walkCommand(command, places, {
			visitCall: (call) =>
				visit(
					call.name,
					call.args.map(({ text }) => text.replaceAll(UNKNOWN, "")),
					call.redirects.filter(({ writes }) => writes).map(({ target }) => target.text),
				),
			visitForkBomb: () => undefined,
			visitUnclear: () => undefined,
		});
	} catch {
		// What cannot be walked asks on its own account.
	}
}

function shorten(text: string): string {
	const line = text.trim().split("\n", 1)[0] ?? "";
	return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
