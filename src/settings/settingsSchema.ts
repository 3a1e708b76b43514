// The one shape of a settings file: what each key may be, in what unit, and what it means.
// `docs/settings.schema.json` is written from it by `scripts/settingsSchema.mjs`. No reading and no merging here.

import * as z from "zod";
import { MODES } from "../types.ts";
import { BASE_URL_RULE, isBaseUrl } from "./baseUrl.ts";

const examples = z.array(z.string().min(1)).exactOptional();

const rule = z.union([
	z.string().min(1),
	z.strictObject({
		tool: z.string().min(1).describe("Name of the tool."),
		argv: z.array(z.string().min(1)).exactOptional().describe("Words of a command; a last * is any more."),
		path: z.string().min(1).exactOptional().describe("Pattern such as src/** of files."),
		domain: z.string().min(1).exactOptional().describe("Host of an address, or *. and a domain."),
		why: z.string().min(1).exactOptional().describe("Why the rule stands."),
		match: examples.describe("What the rule must match; checked when the file is read."),
		notMatch: examples.describe("What the rule must not match."),
		from: z
			.strictObject({ project: z.string().min(1), digest: z.string().min(1) })
			.exactOptional()
			.describe("The project it was taken over from, and the digest of that project's settings file then."),
	}),
]);

const rules = z.array(rule).exactOptional();
const seconds = z.number().positive().max(2_000_000);

const baseUrl = z.string().refine(isBaseUrl, BASE_URL_RULE);

const permissionsSchema = z.strictObject({
	allow: rules.describe("Calls that run without a question. Only read from the user's own file."),
	ask: rules.describe("Calls that are always asked for."),
	deny: rules.describe("Calls that never run. A deny beats every allow."),
});

const limitsSchema = z.strictObject({
	stepsPerTurn: z.int().min(1).exactOptional().describe("Model answers in one turn. 500 where not set."),
	toolCallsPerTurn: z.int().min(0).exactOptional().describe("Tool calls in one turn. 500 where not set."),
	tokensPerSession: z
		.int()
		.min(1)
		.exactOptional()
		.describe("Input and output tokens of a session. No limit where not set."),
	costPerSession: z
		.number()
		.min(0)
		.exactOptional()
		.describe("US dollars of a session, where prices are known."),
	turnSeconds: seconds.exactOptional().describe("Seconds of one turn. No limit where not set."),
	toolSeconds: seconds.exactOptional().describe("Most seconds that one command may ask for."),
});

const sandboxSchema = z.strictObject({
	mode: z
		.enum(["auto", "bubblewrap", "seatbelt", "docker", "none"])
		.exactOptional()
		.describe("What confines commands. auto takes what this machine has."),
	required: z.boolean().exactOptional().describe("Refuse to run commands where no sandbox works."),
	network: z.boolean().exactOptional().describe("Let commands in the sandbox use the network."),
	image: z.string().min(1).exactOptional().describe("Container image of docker."),
});

const compactionSchema = z.strictObject({
	threshold: z
		.number()
		.gt(0)
		.max(1)
		.exactOptional()
		.describe("Part of the context window, 0 to 1, from which older parts are summed up. 0.8 where not set."),
	minGain: z
		.number()
		.min(0)
		.max(1)
		.exactOptional()
		.describe("Part of the request, 0 to 1, that a summary has to save. 0.1 where not set."),
});

const memorySchema = z.strictObject({
	extractEveryTurns: z
		.int()
		.min(0)
		.exactOptional()
		.describe("Completed turns between two looks for facts to keep. 3 where not set; 0: never."),
});

/** A settings file. Every key may be left out; a key that is not here is an error. */
export const settingsSchema = z.strictObject({
	$schema: z.string().exactOptional().describe("For editors; agi does not read it."),
	model: z
		.string()
		.min(1)
		.exactOptional()
		.describe("Name of the model as its server knows it; offline is the embedded one."),
	profile: z.string().min(1).exactOptional().describe("Name of a provider of `agi models`."),
	baseUrl: baseUrl.exactOptional().describe("Address of an OpenAI-compatible server, up to /v1."),
	contextWindow: z.int().min(1).exactOptional().describe("Context window of the model in tokens."),
	outputReserve: z
		.int()
		.min(1)
		.exactOptional()
		.describe("Tokens of the window that are kept free for the answer."),
	images: z
		.boolean()
		.exactOptional()
		.describe("Whether the model takes images, where its name does not tell."),
	permissionMode: z.enum(MODES).exactOptional().describe("What is asked before an effect."),
	permissions: permissionsSchema.exactOptional().describe("Rules such as runCommand(npm test)."),
	limits: limitsSchema.exactOptional().describe("Where a turn or a session stops."),
	sandbox: sandboxSchema.exactOptional().describe("How commands are confined."),
	compaction: compactionSchema.exactOptional().describe("When old parts of a conversation are summed up."),
	memory: memorySchema.exactOptional().describe("How facts are kept across sessions."),
	theme: z.enum(["auto", "dark", "light"]).exactOptional().describe("Colours on the screen."),
	language: z
		.string()
		.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, "must be a language tag such as en or zh-CN")
		.exactOptional()
		.describe("Language of the screen, as a tag such as en or zh-CN."),
	keys: z
		.record(z.string(), z.union([z.string().min(1), z.array(z.string().min(1))]))
		.exactOptional()
		.describe("Own key bindings: the action, then the key or keys."),
});

/** What a settings file says. */
export type Settings = z.infer<typeof settingsSchema>;

const sections = {
	permissions: permissionsSchema,
	limits: limitsSchema,
	sandbox: sandboxSchema,
	compaction: compactionSchema,
	memory: memorySchema,
} satisfies { [K in keyof Settings]?: z.ZodObject };

/** Whether the key at the top of a settings file holds keys of its own that are merged one by one. */
export function isSection(key: string): key is keyof typeof sections {
	return Object.hasOwn(sections, key);
}

/** Every key that can be set, dotted, such as `limits.stepsPerTurn`, in the order of the schema. */
export const SETTING_KEYS: readonly string[] = Object.keys(settingsSchema.shape)
	.filter((key) => key !== "$schema")
	.flatMap((key) =>
		isSection(key) ? Object.keys(sections[key].shape).map((inner) => `${key}.${inner}`) : [key],
	);

/** The JSON Schema (draft 2020-12) of a settings file, for editors. */
export function settingsJsonSchema(): Record<string, unknown> {
	const { $schema, ...rest } = z.toJSONSchema(settingsSchema, { io: "input" });
	return {
		$schema,
		title: "Settings of agi",
		description: "Settings file of agi, the coding agent.",
		...rest,
	};
}
