// The version of this program, and the oldest Node that runs it; tests hold them to package.json, bin/agi and documents.

/** Semantic version of agi. */
export const VERSION = "0.1.0";

/** The oldest Node that runs agi: its SQLite needs no flag and searches texts. `bin/agi` asks the same. */
export const OLDEST_NODE = "22.16";

/** Whether a version of Node, such as `22.16.0`, runs agi. */
export function isNodeNewEnough(version: string): boolean {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split(".").map(Number);
	return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}
