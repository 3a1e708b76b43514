// Writes src/agent/tools/inputSchemas.ts from the tools' zod schemas. Run it after every change of one:
// node scripts/toolSchemas.mjs (needs a Node that strips types, 22.18 or newer), then biome check --write.

import { writeFile } from "node:fs/promises";
import { tools } from "../src/agent/tools/index.ts";
import { inputSchemaOf } from "../src/agent/tools/schemas.ts";

const schemas = Object.fromEntries(
	Object.values(tools).map((tool) => [tool.name, inputSchemaOf(tool.schema)]),
);
const text = `// What a model sees of each tool's arguments: written by scripts/toolSchemas.mjs from the tools' own schemas, so that a
// start need not work it out. Not to be edited; a test compares it with them.

/** JSON Schemas of the tools' arguments, by the tools' names. */
export const INPUT_SCHEMAS: Readonly<Record<string, Record<string, unknown>>> = ${JSON.stringify(schemas)};
`;
await writeFile(new URL("../src/agent/tools/inputSchemas.ts", import.meta.url), text);
