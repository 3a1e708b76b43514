// What a model sees of each tool's arguments: written by scripts/toolSchemas.mjs from the tools' own schemas, so that a
// start need not work it out. Not to be edited; a test compares it with them.

/** JSON Schemas of the tools' arguments, by the tools' names. */
export const INPUT_SCHEMAS: Readonly<Record<string, Record<string, unknown>>> = {
	readFile: {
		type: "object",
		properties: {
			path: { type: "string" },
			offset: { description: "lines to skip", type: "integer", minimum: 0 },
			limit: { description: "default 200", type: "integer", minimum: 1 },
		},
		required: ["path"],
		additionalProperties: false,
	},
	writeFile: {
		type: "object",
		properties: { path: { type: "string" }, content: { type: "string" } },
		required: ["path", "content"],
		additionalProperties: false,
	},
	editFile: {
		type: "object",
		properties: {
			path: { type: "string" },
			oldString: { type: "string", description: "exact text, unique in the file" },
			newString: { type: "string" },
			replaceAll: { type: "boolean" },
		},
		required: ["path", "oldString", "newString"],
		additionalProperties: false,
	},
	listFiles: {
		type: "object",
		properties: { directory: { description: "default: the workspace", type: "string" } },
		additionalProperties: false,
	},
	deleteFile: {
		type: "object",
		properties: { path: { type: "string" } },
		required: ["path"],
		additionalProperties: false,
	},
	findFiles: {
		type: "object",
		properties: {
			pattern: { type: "string", description: "glob, as src/**/*.ts" },
			path: { description: "folder", type: "string" },
		},
		required: ["pattern"],
		additionalProperties: false,
	},
	searchFiles: {
		type: "object",
		properties: {
			pattern: { type: "string", description: "regex" },
			path: { description: "file or folder", type: "string" },
			glob: { type: "string" },
			ignoreCase: { type: "boolean" },
			context: { description: "lines around", type: "integer", minimum: 0, maximum: 20 },
		},
		required: ["pattern"],
		additionalProperties: false,
	},
	runCommand: {
		type: "object",
		properties: {
			command: { type: "string" },
			timeout: { description: "seconds, default 120", type: "number", exclusiveMinimum: 0 },
			cwd: { type: "string" },
			network: { type: "boolean" },
			unsandboxed: { type: "boolean" },
		},
		required: ["command"],
		additionalProperties: false,
	},
	executeCode: {
		type: "object",
		properties: {
			code: { type: "string" },
			language: {
				description: "default javascript",
				type: "string",
				enum: ["javascript", "python", "typescript"],
			},
		},
		required: ["code"],
		additionalProperties: false,
	},
	webSearch: {
		type: "object",
		properties: { query: { type: "string" } },
		required: ["query"],
		additionalProperties: false,
	},
	webFetch: {
		type: "object",
		properties: { url: { type: "string" } },
		required: ["url"],
		additionalProperties: false,
	},
	askUser: {
		type: "object",
		properties: {
			question: { type: "string", minLength: 1 },
			options: { maxItems: 9, type: "array", items: { type: "string", minLength: 1 } },
			freeText: { description: "false: only the options are answers", type: "boolean" },
			secret: { description: "hide the answer; only whether it was given is told", type: "boolean" },
		},
		required: ["question"],
		additionalProperties: false,
	},
	updatePlan: {
		type: "object",
		properties: {
			items: {
				maxItems: 100,
				type: "array",
				items: {
					type: "object",
					properties: {
						content: { type: "string", minLength: 1 },
						status: { type: "string", enum: ["pending", "in_progress", "completed"] },
					},
					required: ["content", "status"],
					additionalProperties: false,
				},
			},
		},
		required: ["items"],
		additionalProperties: false,
	},
	memory: {
		type: "object",
		properties: {
			action: { type: "string", enum: ["add", "replace", "remove", "search"] },
			text: { type: "string" },
			old: { type: "string" },
			category: { type: "string", enum: ["preference", "fact", "instruction"] },
			scope: { type: "string", enum: ["project", "user"] },
		},
		required: ["action"],
		additionalProperties: false,
	},
	delegateToSubagent: {
		type: "object",
		properties: {
			subagent: {
				type: "string",
				description: "reviewer: reviews code; explorer: finds things in a codebase",
			},
			task: { type: "string", minLength: 1, description: "the whole task; it sees little else" },
		},
		required: ["subagent", "task"],
		additionalProperties: false,
	},
	readArtifact: {
		type: "object",
		properties: {
			id: { type: "string" },
			offset: { description: "lines to skip", type: "integer", minimum: 0 },
			limit: { description: "default 200", type: "integer", minimum: 1 },
			search: { description: "only lines with this text", type: "string", minLength: 1 },
		},
		required: ["id"],
		additionalProperties: false,
	},
	recall: {
		type: "object",
		properties: {
			query: { type: "string" },
			scope: { description: "all: other projects too", type: "string", enum: ["project", "all"] },
		},
		required: ["query"],
		additionalProperties: false,
	},
	loadSkill: {
		type: "object",
		properties: { name: { type: "string" } },
		required: ["name"],
		additionalProperties: false,
	},
};
