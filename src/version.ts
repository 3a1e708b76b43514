// The version of this program, in one place; a test keeps it equal to package.json.

/** Semantic version of agi. */
export const VERSION = "0.1.0";
