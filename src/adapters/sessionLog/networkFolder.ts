// Whether a folder is on a file system over a network, where locks and syncs may not hold what they promise.

import { type StatsFs, statfsSync } from "node:fs";

/** Kinds of file system by the number that Linux gives them (statfs(2)). */
const NETWORK: Record<number, string> = {
	26985: "NFS",
	20859: "SMB",
	4266872130: "SMB",
	4283649346: "CIFS",
	1397113167: "AFS",
	1937076805: "Coda",
	12805120: "Ceph",
	198183888: "Lustre",
	1196443219: "GPFS",
	16914839: "9P",
};

/** A sentence for the person where `folder` is on such a file system; undefined where it is not, or nobody can tell. */
export function networkNotice(
	folder: string,
	statfs: (path: string) => Pick<StatsFs, "type"> = statfsSync,
): string | undefined {
	if (process.platform !== "linux") return undefined;
	let type: number;
	try {
		type = statfs(folder).type;
	} catch {
		return undefined;
	}
	// Negative where the number has the highest bit.
	const name = NETWORK[type >>> 0];
	if (name === undefined) return undefined;
	return (
		`Sessions are kept in ${folder}, which is on a network file system (${name}): there two processes may write one ` +
		"session, and what was saved may be lost with the server. Set AGI_HOME to a folder on a disk of this machine."
	);
}
