// The task that `/init` gives the model: to draft AGENTS.md. A text and nothing else.

/** Sent as the person's message. */
export const INIT_TASK = `Write AGENTS.md for this repository: what a coding agent must know to work here that it would not find out by itself within a minute.

First look: the README, the build and package files, the CI configuration, the folders, two or three typical source files and their tests, rules for other agents (CLAUDE.md, .cursor/rules, .github/copilot-instructions.md) and the newest commits. If there is an AGENTS.md already, keep what is still true and better it.

Then write AGENTS.md at the repository's root, at most 60 lines, with only those of these parts that have something to say:
- Commands: build, check, format, all tests, and one single test. Only commands that stand in the repository's files; say where one has to be run.
- Structure: what lives where, and what must not depend on what.
- Style: what differs from the language's custom, in names, errors, tests and comments.
- Before a change is done: what has to pass, what else has to be updated.
- Traps: generated files, slow or dangerous commands, things that look wrong and are meant so.

State facts, each with the path that shows it; invent nothing and leave out general advice, secrets and lists of all files. End by telling me what you could not find out.`;
