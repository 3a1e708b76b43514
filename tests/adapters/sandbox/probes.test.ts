// The probe battery on the real sandbox of this machine: as root and as an ordinary user, with bwrap, without it, and
// where user namespaces are blocked.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProcessEnd } from "../../../src/ports/processes.ts";
import { hasBwrap } from "../../support/bwrap.ts";
import { createProbePlace, type ProbePlace } from "../../support/probePlace.ts";
import type { ProbeOrder, ProbeReport } from "../../support/probeRunner.ts";
import { BREAKOUTS, type Probe, UNTRUSTED, WORKS } from "../../support/sandboxProbes.ts";

const RUNNER = fileURLToPath(new URL("../../support/probeRunner.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
const testerUid = Number(
	spawnSync("id", ["-u", "agitester"], { encoding: "utf8" }).stdout.trim() || Number.NaN,
);

const hasPython = spawnSync("python3", ["--version"]).status === 0;

const USERS = [
	{ who: isRoot ? "root" : "this user", uid: process.getuid?.() ?? 0, isHere: true },
	{ who: "an ordinary user", uid: testerUid, isHere: isRoot && !Number.isNaN(testerUid) },
];

/** Folders with every program of this machine but bwrap: a PATH that lacks it alone. */
function pathWithoutBwrap(): string {
	const folders = (process.env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
	const clean = folders.filter((folder) => !existsSync(`${folder}/bwrap`));
	return [...clean, "/nonexistent"].join(":");
}

interface Situation {
	uid: number;
	path?: string;
	blocked?: boolean;
	writable?: boolean;
}

function runProbes(place: ProbePlace, probes: readonly Probe[], situation: Situation): ProbeReport {
	const order: ProbeOrder = {
		root: place.root,
		home: place.home,
		agiFolders: [place.config, place.data, place.cache],
		cache: place.cache,
		quarantine: `${place.data}/quarantine`,
		writable: situation.writable ?? true,
		commands: probes.map((probe) => probe.command(place)),
	};
	const program = [process.execPath, RUNNER, JSON.stringify(order)];
	const block = ["-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh", ...program];
	const [file, ...args] = situation.blocked ? ["unshare", "-Ur", "/bin/sh", ...block] : program;
	const env = {
		PATH: situation.path ?? process.env["PATH"] ?? "",
		HOME: place.home,
		PROBE_TOKEN: "TOKEN-CANARY",
		SSH_AUTH_SOCK: place.socket,
		XDG_RUNTIME_DIR: "/run/user/0",
	};
	const uid = isRoot ? { uid: situation.uid, gid: situation.uid } : {};
	const output = execFileSync(file!, args, { cwd: "/", env, ...uid, encoding: "utf8", maxBuffer: 1 << 24 });
	return JSON.parse(output) as ProbeReport;
}

describe.each(USERS)("the sandbox, as $who", ({ uid, isHere }) => {
	const can = isHere && hasBwrap && hasPython;

	describe("with bwrap", () => {
		let place: ProbePlace;
		let report: ProbeReport;
		const probes = [...BREAKOUTS, ...WORKS];
		beforeAll(async () => {
			if (!can) return;
			place = await createProbePlace(uid);
			report = runProbes(place, probes, { uid });
		});
		afterAll(() => place?.remove());

		it.skipIf(!can)("is full by its own test", () => {
			expect(report).toMatchObject({ level: "full" });
			expect(report.notice).toBeUndefined();
		});

		it.skipIf(!can).each(BREAKOUTS.map((probe, index) => ({ probe, index, name: probe.name })))(
			"does not let a command $name",
			({ probe, index }) => expectHolds(probe, report.ends[index]!, place),
		);

		it.skipIf(!can).each(WORKS.map((probe, index) => ({ probe, index, name: probe.name })))(
			"lets a command $name",
			({ probe, index }) => expectHolds(probe, report.ends[BREAKOUTS.length + index]!, place),
		);

		it.skipIf(!can)("lets nothing be changed in a folder that is not trusted", async () => {
			const other = await createProbePlace(uid);
			try {
				const { ends } = runProbes(other, UNTRUSTED, { uid, writable: false });
				for (const [index, probe] of UNTRUSTED.entries()) expectHolds(probe, ends[index]!, other);
			} finally {
				other.remove();
			}
		});
	});

	it.skipIf(!isHere).each([
		[
			"bwrap is not on PATH",
			{ path: pathWithoutBwrap() },
			/bubblewrap is not on PATH.*Install the package bubblewrap/,
		],
		["user namespaces are blocked", { blocked: true }, /User namespaces seem to be blocked/],
	])("starts nothing in it and says why where %s", async (_, situation, sentence) => {
		if ("blocked" in situation) expect(hasBwrap).toBe(true);
		const place = await createProbePlace(uid);
		try {
			const report = runProbes(place, BREAKOUTS, { uid, ...situation });
			expect(report.level).toBe("none");
			expect(report.notice).toMatch(/^Commands run with your full rights: /);
			expect(report.notice).toMatch(sentence);
			for (const end of report.ends)
				expect(end).toMatchObject({ startError: expect.any(String), output: "", outputBytes: 0 });
			expect(place.connections()).toBe(0);
		} finally {
			place.remove();
		}
	});
});

function expectHolds(probe: Probe, end: ProcessEnd, place: ProbePlace): void {
	expect(probe.holds(end, place), JSON.stringify(end)).toBe(true);
}
