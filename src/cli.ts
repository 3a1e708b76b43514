// The program's entry: answers what needs nothing at once, and loads the rest late, with compiled code kept between runs.

import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { VERSION } from "./version.ts";

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
	process.stdout.write(`${VERSION}\n`);
} else {
	const { AGI_HOME, XDG_CACHE_HOME, HOME } = process.env;
	const cache = AGI_HOME
		? join(AGI_HOME, "cache")
		: join(XDG_CACHE_HOME || join(HOME || homedir(), ".cache"), "agi");
	enableCompileCache(join(cache, "compiled"));
	const { main } = await import("./cli/main.ts");
	await main(argv);
}
