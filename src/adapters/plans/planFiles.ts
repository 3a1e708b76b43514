// Approved plans as Markdown files in the project's `.agent/plans`. Never follows a link that a repository brought along,
// never replaces a plan.

import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, writeSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { KeptPlan, Plans, PlanText } from "../../ports/plans.ts";
import { errorCode, refuseFor } from "../workspace/fsErrors.ts";
import { type OpenFolder, openFolder } from "../workspace/openFile.ts";

const LONGEST_SLUG = 50;

/** Plans of a project. Without an `agentFolder` (home, `/`) none is kept. `root`: what paths are told from. */
export function createPlanFiles(agentFolder: string | undefined, root: string): Plans {
	return { keep: async (plan) => keep(agentFolder, root, plan) };
}

function keep(agentFolder: string | undefined, root: string, plan: PlanText): KeptPlan {
	if (agentFolder === undefined)
		return { ok: false, message: "The plan was not stored: this folder is no project of its own." };
	const plans = join(agentFolder, "plans");
	let folder: OpenFolder | undefined;
	try {
		const link = [agentFolder, plans].find(isNoFolder);
		if (link !== undefined)
			return { ok: false, message: `The plan was not stored: ${link} is a link or no folder.` };
		folder = openFolder(join(realpathSync(dirname(agentFolder)), basename(agentFolder), "plans"), true);
		const name = writeNew(folder, `${plan.day}-${slugOf(plan.text)}`, `${plan.text.trimEnd()}\n`);
		return { ok: true, path: relative(root, join(plans, name)) };
	} catch (error) {
		const refused = refuseFor(error, `Storing the plan in ${plans}`);
		return { ok: false, message: refused.ok ? "" : refused.error.message };
	} finally {
		folder?.close();
	}
}

function isNoFolder(path: string): boolean {
	const stats = lstatSync(path, { throwIfNoEntry: false });
	return stats !== undefined && !stats.isDirectory();
}

/** Writes the file under the first name that is free; gives its name. */
function writeNew(folder: OpenFolder, name: string, text: string): string {
	for (let n = 1; ; n++) {
		const file = n === 1 ? `${name}.md` : `${name}-${n}.md`;
		try {
			const fd = openSync(folder.at(file), "wx");
			try {
				for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest));
				fsyncSync(fd);
			} finally {
				closeSync(fd);
			}
			folder.sync();
			return file;
		} catch (error) {
			if (errorCode(error) !== "EEXIST") throw error;
		}
	}
}

/** The plan's first line with words in it as a file name: small letters, digits and dashes of any script. */
function slugOf(text: string): string {
	const line = text.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? "";
	const words = line
		.toLowerCase()
		.normalize("NFC")
		.replace(/[^\p{L}\p{N}]+/gu, "-");
	return (
		[...words]
			.slice(0, LONGEST_SLUG)
			.join("")
			.replace(/^-+|-+$/g, "") || "plan"
	);
}
