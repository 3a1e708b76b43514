// Whether this machine has the sandbox of Linux; tests that need it are skipped elsewhere, which scripts/test.mjs tells.

import { spawnSync } from "node:child_process";

/** Whether bwrap is installed. */
export const hasBwrap = process.platform === "linux" && spawnSync("bwrap", ["--version"]).status === 0;
