// Writes docs/settings.schema.json from the schema in src/settings/settingsSchema.ts. Run it after every change there:
// node scripts/settingsSchema.mjs (needs a Node that strips types, 22.18 or newer).

import { mkdir, writeFile } from "node:fs/promises";
import { settingsJsonSchema } from "../src/settings/settingsSchema.ts";

const docs = new URL("../docs/", import.meta.url);
await mkdir(docs, { recursive: true });
await writeFile(
	new URL("settings.schema.json", docs),
	`${JSON.stringify(settingsJsonSchema(), null, "\t")}\n`,
);
