// A process whose file calls are noted while it lives one session's life. Run as `node recorded.mjs FOLDER CALLS TRACE`;
// a log that is there already is gone on with.

import { writeFileSync } from "node:fs";
import type { DiskOp } from "./recordedCalls.ts";
import { recordCalls } from "./recordedCalls.ts";

const [, , folder = "", calls = "", trace = ""] = process.argv;
/** Long enough for a blob beside the log. */
const PROMPT = "do it ".repeat(15_000);

const ops: DiskOp[] = await recordCalls(folder);
// Only now: what these files import must be the calls that are noted.
const { live } = await import("./life.ts");
const { createRealLife } = await import("./mortal.ts");
const { openJournal } = await import("./effects.ts");
const journal = openJournal(folder);
await live({
	folder,
	calls: calls.split(","),
	mortal: createRealLife(),
	prompt: PROMPT,
	journal: {
		lines: journal.lines,
		note(line) {
			journal.note(line);
			ops.push({ op: "effect", line });
		},
	},
	onAcknowledged: (events) => void ops.push({ op: "told", events: events.map((e) => JSON.stringify(e)) }),
});
writeFileSync(trace, JSON.stringify(ops));
process.exit(0);
