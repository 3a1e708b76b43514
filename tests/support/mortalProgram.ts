// Has the built program kill itself at a boundary of its session log: before, inside of, or after the write of a line, or
// after that line's sync. The plant wraps Node's own calls in the started process; nothing of agi is changed.

import { writeFileSync } from "node:fs";
import type { Project } from "./program.ts";

/** Where it dies; `line` is a part of the line that is meant, and the empty text means the first one. */
export interface Death {
	at: "before write" | "inside write" | "after write" | "after sync";
	line: string;
}

const PLANT = `
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { at, line } = JSON.parse(process.env.AGI_TEST_DEATH);
const { writeSync, fdatasync } = fs;
const die = () => process.kill(process.pid, "SIGKILL");
let met = false;
fs.writeSync = (fd, bytes, ...rest) => {
	const isMeant = typeof bytes !== "string" && Buffer.from(bytes).includes('"seq":') && Buffer.from(bytes).includes(line);
	if (!isMeant) return writeSync(fd, bytes, ...rest);
	if (at === "before write") die();
	const written = writeSync(fd, at === "inside write" ? bytes.subarray(0, bytes.length >> 1) : bytes, ...rest);
	if (at !== "after sync") die();
	met = true;
	return written;
};
fs.fdatasync = (fd, done) => {
	const covers = met;
	fdatasync(fd, (error) => (covers ? die() : done(error)));
};
syncBuiltinESMExports();
`;

/** The environment in which a run of `project` dies so. */
export function dying(project: Project, death: Death): Record<string, string> {
	const plant = `${project.outer}/death.mjs`;
	writeFileSync(plant, PLANT);
	return { NODE_OPTIONS: `--import=${plant}`, AGI_TEST_DEATH: JSON.stringify(death) };
}
