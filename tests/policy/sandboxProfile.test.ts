// The rights of a command, from facts alone.

import { describe, expect, it } from "vitest";
import { hiddenCandidates, type SandboxFacts, sandboxProfile } from "../../src/policy/sandboxProfile.ts";

const facts: SandboxFacts = {
	roots: ["/srv/app"],
	protectedPaths: ["/srv/app/.git", "/srv/app/.envrc"],
	hidden: [],
	shown: [],
};
const may = { writable: true, network: false };

describe("sandboxProfile", () => {
	it("keeps what steers programs read-only in a writable workspace", () => {
		expect(sandboxProfile(facts, may)).toEqual({
			writable: true,
			network: false,
			roots: ["/srv/app"],
			readOnly: ["/srv/app/.envrc", "/srv/app/.git"],
			hidden: [],
			hiddenInRoots: [],
			shown: [],
		});
	});

	it("names nothing read-only where all is", () => {
		expect(sandboxProfile(facts, { ...may, writable: false }).readOnly).toEqual([]);
	});

	it("names a read-only path once, and none inside another", () => {
		const protectedPaths = ["/srv/app/.git/modules/x", "/srv/app/.git", "/srv/app/.git"];
		expect(sandboxProfile({ ...facts, protectedPaths }, may).readOnly).toEqual(["/srv/app/.git"]);
	});

	it("opens no path outside of the workspace, whatever a repository names", () => {
		const protectedPaths = ["/home/ann/.ssh", "/srv/application/.git", "/srv/app"];
		expect(sandboxProfile({ ...facts, protectedPaths }, may).readOnly).toEqual([]);
	});

	it("puts an outer folder before those inside it", () => {
		const roots = ["/srv/app/sub", "/srv/app", "/srv/app/sub"];
		expect(sandboxProfile({ ...facts, roots }, may).roots).toEqual(["/srv/app", "/srv/app/sub"]);
	});

	it("tells hidden paths in the workspace from those outside, which the workspace may cover", () => {
		const hidden = [
			{ path: "/home/ann/.ssh", kind: "folder" },
			{ path: "/home/ann/.ssh/id", kind: "file" },
			{ path: "/srv/app/.agent/logs", kind: "folder" },
		] as const;
		const profile = sandboxProfile({ ...facts, hidden }, may);
		expect(profile.hidden).toEqual([{ path: "/home/ann/.ssh", kind: "folder" }]);
		expect(profile.hiddenInRoots).toEqual([{ path: "/srv/app/.agent/logs", kind: "folder" }]);
	});

	it("hides no folder that the person works in, but the secrets in it", () => {
		const hidden = [
			{ path: "/home/ann/.docker", kind: "folder" },
			{ path: "/home/ann/.docker/.ssh", kind: "folder" },
		] as const;
		const profile = sandboxProfile({ ...facts, roots: ["/home/ann/.docker"], hidden }, may);
		expect(profile.hidden).toEqual([]);
		expect(profile.hiddenInRoots).toEqual([{ path: "/home/ann/.docker/.ssh", kind: "folder" }]);
	});
});

describe("hiddenCandidates", () => {
	it("names the person's secrets, agi's own folders and the logs of each workspace folder", () => {
		const paths = hiddenCandidates(["/home/ann"], ["/home/ann/.config/agi"], ["/srv/app"]);
		expect(paths).toEqual(
			expect.arrayContaining([
				"/home/ann/.ssh",
				"/home/ann/.config/gh",
				"/home/ann/.cargo/credentials.toml",
				"/home/ann/.bash_history",
				"/home/ann/.mozilla",
				"/home/ann/.config/agi",
				"/srv/app/.agent/logs",
			]),
		);
		expect(hiddenCandidates(["/"], [], [])).toContain("/.ssh");
	});
});
