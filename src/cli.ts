// The program's entry: answers what needs nothing at once, and loads the rest late, with compiled code kept between runs.

import { keepCompiledCode } from "./cli/compileCache.ts";
import { VERSION } from "./version.ts";

const argv = process.argv.slice(2);

if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-v")) {
	process.stdout.write(`${VERSION}\n`);
} else {
	keepCompiledCode(process.env);
	const { main } = await import("./cli/main.ts");
	await main(argv);
}
