// What a tool is: a schema that the model sees, and an executor that only the registry knows.

import type * as z from "zod";
import type { PolicyFacts } from "../policy/facts.ts";
import type { PlanItem, RecoverySemantics, Resource } from "../session/events.ts";
import type { CommandConfinement } from "../session/live.ts";
import type { FileStamp, ToolError, ToolOutcome } from "../types.ts";
import type { Artifacts } from "./artifacts.ts";
import type { MemoryKeeper } from "./memory.ts";
import type { Processes } from "./processes.ts";
import type { Retriever } from "./retriever.ts";
import type { CommandSandbox } from "./sandbox.ts";
import type { Search } from "./search.ts";
import type { SkillShelf } from "./skills.ts";
import type { Web } from "./web.ts";
import type { Workspace } from "./workspace.ts";

/** What a tool may use while it is prepared and while it runs. */
export interface ToolContext {
	workspace: Workspace;
	search: Search;
	processes: Processes;
	/** What confines commands; absent: they run with the person's rights. */
	sandbox?: CommandSandbox;
	web: Web;
	/** Whole texts of results that were cut; absent outside of a session. */
	artifacts?: Artifacts;
	/** Finds passages on a question; absent where there is nothing to ask. */
	retriever?: Retriever;
	signal: AbortSignal;
	/** The last stamp of a file that this session read or wrote, by real path; undefined where it never did. */
	seen(realPath: string): FileStamp | undefined;
	/** Cleaned live output for the screen. */
	onOutput(text: string): void;
	limits: { commandSeconds: number };
	/** Set while the call runs; the same when recovery runs it again, so that a server can tell a repeat. */
	idempotencyKey?: string;
	/** Settings and environment that a tool needs, by name; values of secrets are never put into texts. */
	config: { exaApiKey?: string; exaBaseUrl?: string; sandboxCommands: boolean };
	/** Asks the person; undefined where nobody can be asked. `freeText` false: only an option is an answer. */
	ask?(
		question: string,
		options: string[],
		kind: { secret: boolean; freeText: boolean },
	): Promise<string | undefined>;
	/** Absent where no skill can be loaded. */
	skills?: SkillShelf;
	replacePlan(items: PlanItem[]): void;
	/** What is kept over sessions; undefined where nothing is. */
	memory?: MemoryKeeper;
	/** Runs a subagent to its end; undefined where delegation is not allowed (inside a subagent). */
	delegate?(agent: string, task: string): Promise<ToolOutcome>;
}

/** What a person made of a proposed write: the hunks to keep, counted from 0 in the preview, or the text instead. */
export type Revision = { hunks: readonly number[] } | { amended: string };

/** What a call will do, worked out before anybody is asked. Nothing has happened yet. */
export interface PreparedCall {
	/** Everything it reads and writes, by real path. */
	resources: Resource[];
	/** One line for a person: what will happen. */
	summary: string;
	/** A diff or the whole command, for the question. */
	preview?: string;
	/** Files it will write, as they are and as they will be. */
	before?: FileStamp[];
	after?: FileStamp[];
	/** Of a command: how it will run, and in which folder (absolute). */
	sandbox?: CommandConfinement;
	cwd?: string;
	/** Facts for the policy. */
	facts?: PolicyFacts;
	/** Of a file's new text: the whole text as proposed, with LF line ends, for a person to amend. */
	proposal?: string;
	/** How many hunks the preview's diff has; absent where it has none. */
	hunks?: number;
	/** The same call as the person changed it: nothing has happened yet, and it is judged anew. */
	revise?(revision: Revision): Promise<PreparedCall | ToolError>;
	/**
	 * Does it. Called at most once, after policy and approval; must fail with CONFLICT where `before` no longer holds,
	 * unless it keeps all that was written since.
	 */
	run(context: ToolContext): Promise<ToolOutcome>;
}

/** A tool. `I` is the type of its validated arguments. */
export interface Tool<I = unknown> {
	name: string;
	/** One or two sentences; name, description and schema together stay under 450 bytes. */
	description: string;
	/** Strict: an unknown key is an error. */
	schema: z.ZodType<I>;
	/** Rises when the meaning of its arguments changes; approvals and recovery hold only for the same. */
	version: number;
	effects: "none" | "possible";
	recovery: RecoverySemantics;
	/** Looks and computes only; a refusal here is never shown as a question. */
	prepare(input: I, context: ToolContext): Promise<PreparedCall | ToolError>;
}

/** A tool whose argument type is erased; made only by the registry. */
export type AnyTool = Tool<never> & { schema: z.ZodType };
