// Preloaded into a measured process: writes what it has used to the file that BENCH_USAGE names, at its exit.

const { writeFileSync } = require("node:fs");

process.on("exit", () => writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));
