// A process to be killed: works through jobs in folders beside each other, without end, and tells each fact once it is on
// the disk. Run as `node victim.mjs FOLDER`.

import { join } from "node:path";
import { SEMANTICS } from "./effects.ts";
import { live } from "./life.ts";
import { createRealLife } from "./mortal.ts";

const [, , folder = ""] = process.argv;

process.stdout.write("ready\n");
for (let job = 0; ; job++) {
	await live({
		folder: join(folder, String(job)),
		calls: SEMANTICS,
		mortal: createRealLife(),
		onAcknowledged: (events) =>
			process.stdout.write(`${events.map((event) => `${job} ${JSON.stringify(event)}\n`).join("")}`),
	});
}
